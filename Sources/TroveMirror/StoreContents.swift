import Foundation
import Trove

/// The objects of a store, grouped as files have them: each with what it alone owns.
struct StoreContents: Sendable {
    /// An object with what it alone owns.
    struct File {
        /// The root first.
        let objects: [WrittenObject]
        let names: [ObjectName]
        /// All of it as compact JSON.
        let text: String

        var root: ObjectName { names[0] }
    }

    private(set) var files: [File] = []
    /// The number of all objects.
    var count: Int { files.reduce(0) { $0 + $1.names.count } }
    /// The models that are not mirrored.
    private(set) var leftOut: [String] = []
    private(set) var isCollection: [String: Bool] = [:]
    /// The folder of each model.
    private(set) var folders: [String: String] = [:]

    /// Where a model refers to what it owns: a property whose delete rule is cascade.
    private struct Ownership {
        let property: String
        let target: String
    }

    init(_ transaction: ReadTransaction) throws {
        let collections = Set(try transaction.collectionNames())
        let layouts = try transaction.layouts().filter { !$0.isRetired && !$0.modelName.hasPrefix("$") }
        let names = Set(layouts.map(\.modelName)).sorted()
        leftOut = names.filter { name in layouts.contains { $0.modelName == name && !$0.encryptedFields.isEmpty } }
        for name in names { isCollection[name] = collections.contains(name) }
        folders = FileName.folders(of: names)
        var owners: [String: [Ownership]] = [:]
        for layout in layouts { owners[layout.modelName, default: []] += try Self.ownerships(of: layout) }
        var objects: [ObjectName: WrittenObject] = [:]
        var order: [ObjectName] = []
        for name in names where !leftOut.contains(name) {
            func add(_ object: WrittenObject) throws {
                guard let key = try object.name() else { return }
                objects[key] = object
                order.append(key)
            }
            if collections.contains(name) {
                try transaction.documents(name).fetch().forEach { document, _ in try add(WrittenObject(document, in: name)) }
            } else {
                for object in try transaction.documents(of: name).fetch().all() { try add(WrittenObject(object).withoutNils) }
            }
        }
        try group(objects, order, owners)
    }

    private static func ownerships(of layout: StoredLayout) throws -> [Ownership] {
        guard case .array(let fields)? = try layout.jsonValue().value(at: "fields") else { return [] }
        return fields.array.compactMap { field in
            guard field.value(at: "relationship.deleteRule") == .string("cascade"), case .string(let target)? = field.value(at: "relationship.target"),
                case .string(let name)? = field.value(at: "name")
            else { return nil }
            return Ownership(property: name, target: target)
        }
    }

    /// What an object refers to by an owning property, in order.
    private static func owned(_ object: WrittenObject, _ ownerships: [Ownership]) throws -> [ObjectName] {
        guard case .object(let properties) = object.value else { return [] }
        var names: [ObjectName] = []
        func add(_ value: StoredValue, _ target: String) throws {
            switch value {
            case .null: break
            case .array(let elements): for element in elements { try add(element, target) }
            case .object(let values): for (_, value) in values { try add(value, target) }
            default: names.append(ObjectName(model: target, id: try value.json()))
            }
        }
        for ownership in ownerships.sorted(by: { $0.property < $1.property }) {
            if let value = properties[ownership.property] { try add(value, ownership.target) }
        }
        return names
    }

    /// An object that one other owns, and only that, stands in the other's file.
    private mutating func group(_ objects: [ObjectName: WrittenObject], _ order: [ObjectName], _ ownerships: [String: [Ownership]]) throws {
        var owner: [ObjectName: ObjectName] = [:]
        var shared: Set<ObjectName> = []
        var children: [ObjectName: [ObjectName]] = [:]
        for name in order {
            guard let own = ownerships[name.model], !own.isEmpty, let object = objects[name] else { continue }
            for child in try Self.owned(object, own) where child != name && objects[child] != nil {
                if let known = owner[child] {
                    if known != name { shared.insert(child) }
                } else {
                    owner[child] = name
                    children[name, default: []].append(child)
                }
            }
        }
        for name in order {
            guard let first = owner[name], !shared.contains(name) else { continue }
            // A circle of owners has no root: it is cut here.
            var walked: Set<ObjectName> = [name]
            var next: ObjectName? = first
            while let owning = next, !shared.contains(owning) {
                guard walked.insert(owning).inserted else {
                    shared.insert(name)
                    break
                }
                next = owner[owning]
            }
        }
        for root in order where owner[root] == nil || shared.contains(root) {
            var (list, names): ([WrittenObject], [ObjectName]) = ([], [])
            var waiting = [root]
            while let name = waiting.popLast() {
                if let object = objects[name] {
                    list.append(object)
                    names.append(name)
                }
                waiting += (children[name] ?? []).reversed().filter { !shared.contains($0) }
            }
            files.append(File(objects: list, names: names, text: try WrittenObject.text(list, .compact)))
        }
    }
}
