import Foundation
import Trove

/// The objects of a store, grouped as files have them: each with what it alone owns.
struct MirroredContents: Sendable {
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
    let models: MirroredModels

    init(_ transaction: ReadTransaction) throws {
        models = try MirroredModels(transaction)
        var objects: [ObjectName: WrittenObject] = [:]
        var order: [ObjectName] = []
        for name in models.names {
            func add(_ object: WrittenObject) throws {
                guard let key = try object.name() else { return }
                objects[key] = object
                order.append(key)
            }
            if models.collections.contains(name) {
                try transaction.documents(name).fetch().forEach { document, _ in try add(WrittenObject(document, in: name)) }
            } else {
                for object in try transaction.documents(of: name).fetch().all() { try add(WrittenObject(object).withoutNils) }
            }
        }
        try group(objects, order)
    }

    /// What an object refers to by an owning property, in order.
    private static func owned(_ object: WrittenObject, _ ownerships: [MirroredModels.Ownership]) throws -> [ObjectName] {
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
        for ownership in ownerships {
            if let value = properties[ownership.property] { try add(value, ownership.target) }
        }
        return names
    }

    /// An object that one other owns, and only that, stands in the other's file.
    private mutating func group(_ objects: [ObjectName: WrittenObject], _ order: [ObjectName]) throws {
        var owner: [ObjectName: ObjectName] = [:]
        var shared: Set<ObjectName> = []
        var children: [ObjectName: [ObjectName]] = [:]
        for name in order {
            guard let own = models.ownerships[name.model], !own.isEmpty, let object = objects[name] else { continue }
            for child in try Self.owned(object, own) where child != name && objects[child] != nil {
                if let known = owner[child] {
                    if known != name { shared.insert(child) }
                } else {
                    owner[child] = name
                    children[name, default: []].append(child)
                }
            }
        }
        cutCircles(order, owner, &shared)
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

    /// A circle of owners has no root: it is cut at one object, which becomes one.
    private func cutCircles(_ order: [ObjectName], _ owner: [ObjectName: ObjectName], _ shared: inout Set<ObjectName>) {
        var isRooted: Set<ObjectName> = []
        for name in order where owner[name] != nil && !shared.contains(name) {
            // The way up, as far as it is not known yet.
            var way: Set<ObjectName> = []
            var next = name
            while let owning = owner[next], !shared.contains(next), !isRooted.contains(next), way.insert(next).inserted { next = owning }
            if way.contains(next) { shared.insert(next) }
            isRooted.formUnion(way)
        }
    }
}
