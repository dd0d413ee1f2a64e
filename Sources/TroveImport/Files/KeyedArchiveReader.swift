import Foundation
import Trove

/// A file that `NSKeyedArchiver` has written.
///
/// An object of a class of the program is a document of the collection of its class, and where it is referred to there is its id; so objects may refer to each
/// other in circles. What else was archived is read as a property list is: a list of dictionaries, a dictionary. Objects of Apple's own classes that are not
/// Foundation's collections and values belong to the object that they are in, with the name of their class as `$class`.
final class KeyedArchiveReader: SourceReader {
    private let path: String
    private let rows: ValueRows
    private let archive: KeyedArchive
    /// The numbers of the objects that are documents.
    private let documents: Set<Int>

    init(_ path: String, _ options: ImportSourceOptions) throws {
        self.path = path
        rows = ValueRows(path: path, options: options)
        let bytes = try SourceFile.bytes(of: path)
        do {
            guard let list = try PropertyList(bytes), let archive = try KeyedArchive(list) else {
                throw ImportError.damaged(path: path, place: "its beginning", reason: "it is no property list, or one that is no keyed archive")
            }
            self.archive = archive
            documents = Set(archive.objects.indices.filter { archive.class(of: $0).map { $0.kind == nil && !$0.isOfSystem } ?? false })
        } catch let fault as PropertyListFault {
            throw Self.damaged(path, fault)
        }
    }

    private static func damaged(_ path: String, _ fault: PropertyListFault) -> ImportError { .damaged(path: path, place: fault.place, reason: fault.reason) }

    var rowCount: Int? { nil }

    func forEach(_ body: (SourceEvent) throws -> Void) throws {
        do {
            var values = ArchivedValues(archive) { [self] in documents.contains($0) ? .objectID(id($0).objectID) : nil }
            try forEachOfTop(&values, body)
            for object in documents.sorted() { try body(row(of: object, &values)) }
        } catch let fault as PropertyListFault {
            throw Self.damaged(path, fault)
        }
    }

    /// The objects of a file are numbered together.
    private func id(_ object: Int) -> SourceReference {
        SourceReference(space: "the objects of \(rows.options.collection(of: path))", key: .int(Int64(object)))
    }

    /// What was archived, as far as it is no document of its own.
    private func forEachOfTop(_ values: inout ArchivedValues, _ body: (SourceEvent) throws -> Void) throws {
        let collection = rows.options.collection(of: path)
        func whole(_ attributes: [String: SourceValue]) throws {
            let id = SourceReference(space: collection, key: .int(1))
            try body(.row(SourceRow(collection: collection, id: id, attributes: attributes, place: "what was archived")))
        }
        if archive.top.count != 1 {
            var attributes: [String: SourceValue] = [:]
            for (name, number) in archive.top { attributes[name] = try value(number, &values) }
            if !attributes.isEmpty { try whole(attributes) }
            return
        }
        guard let object = try archive.object(archive.top[0].value) else {
            throw archive.list.fault(archive.list.root, "one value was archived, which is no object")
        }
        if documents.contains(object) { return }
        if documents.isEmpty { return try rows.forEach(in: try values.content(of: object), body) }
        switch archive.class(of: object)?.kind {
        case .array?:
            for (number, member) in (archive.members(of: object) ?? []).enumerated() {
                if let element = try archive.object(member), documents.contains(element) { continue }
                try body(rows.event(try values.value(member), number: number + 1, of: collection, place: .object(number + 1)))
            }
        case .dictionary?:
            var attributes: [String: SourceValue] = [:]
            for entry in archive.entries(of: object) ?? [] {
                attributes[try archive.text(entry.key) ?? "\(values.value(entry.key))"] = try value(entry.value, &values)
            }
            try whole(attributes)
        default: try rows.forEach(in: try values.content(of: object), body)
        }
    }

    private func row(of object: Int, _ values: inout ArchivedValues) throws -> SourceEvent {
        let className = archive.class(of: object)?.name ?? ""
        var attributes: [String: SourceValue] = [:]
        for field in try archive.fields(of: object) { attributes[field.name] = try value(field.value, &values) }
        // A Swift class goes by its module's name and its own.
        let collection = className.split(separator: ".").last.map(String.init) ?? className
        return .row(SourceRow(collection: collection, id: id(object), attributes: attributes, className: className, place: "the object \(object)"))
    }

    /// A value, of which documents and collections of nothing but documents are references.
    private func value(_ number: Int, _ values: inout ArchivedValues) throws -> SourceValue {
        func target(_ number: Int) throws -> SourceReference? {
            guard let object = try archive.object(number), documents.contains(object) else { return nil }
            return id(object)
        }
        if let reference = try target(number) { return .reference(reference) }
        guard let object = try archive.object(number) else { return .plain(try values.value(number)) }
        try values.charge(1 + archive.fieldCount(of: object), number)
        switch archive.class(of: object)?.kind {
        case .array?:
            guard let members = archive.members(of: object), !members.isEmpty else { break }
            try values.charge(members.count, number)
            let references = try members.compactMap(target)
            if references.count == members.count { return .references(references) }
        case .dictionary?:
            guard let entries = archive.entries(of: object), !entries.isEmpty else { break }
            try values.charge(entries.count, number)
            let references = try entries.compactMap { entry in
                try archive.text(entry.key).flatMap { name in try target(entry.value).map { (name, $0) } }
            }
            if references.count == entries.count { return .named(Dictionary(references, uniquingKeysWith: { _, last in last })) }
        default: break
        }
        return .plain(try values.value(number))
    }
}

extension KeyedArchive.Class {
    /// Whether it is a class of Apple's systems, by its name: others begin as theirs do, as `NSFNanoObject` and `UIDRecord`, but with another capital behind.
    fileprivate var isOfSystem: Bool {
        if Self.ofLocation.contains(name) { return true }
        return ["NS", "UI", "_NS", "__NS", "NSURL", "NSHTTP"].contains { prefix in
            let word = name.hasPrefix(prefix) ? name.dropFirst(prefix.count).prefix(2) : ""
            return word.first?.isUppercase == true && word.last?.isLowercase == true
        }
    }

    /// Those of places: two letters are too few to tell them by.
    private static let ofLocation: Set<String> = [
        "CLLocation", "CLHeading", "CLPlacemark", "CLRegion", "CLCircularRegion", "CLBeaconRegion", "CLVisit", "CLFloor",
    ]
}
