import Foundation
import Trove

/// An export from Parse: for each class a file `Song.json` with the objects under `results`, and for each relation to many a
/// file `_Join:writers:Song.json` of pairs.
///
/// Parse's own types, objects with a `__type`, become values: dates, data and geographical points; pointers and relations become references.
final class ParseReader: SourceReader {
    private let files: [(className: String, path: String)]
    /// What relations have, by the class, the attribute and the object's id.
    private let relations: [String: [String: [String: [SourceReference]]]]
    /// What is no pair in a file of a relation.
    private let brokenPairs: [ImportFault]

    init(_ path: String) throws {
        var files: [(className: String, path: String)] = []
        var joins: [(className: String, attribute: String, path: String)] = []
        for file in try SourceFile.files(at: path, withExtension: "json") {
            let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
            let parts = name.split(separator: ":").map(String.init)
            if parts.count == 3, parts[0] == "_Join" { joins.append((parts[2], parts[1], file)) } else { files.append((name, file)) }
        }
        self.files = files
        var pairs: [String: [String: [String: [String]]]] = [:]
        var brokenPairs: [ImportFault] = []
        for join in joins {
            for (number, value) in try Self.results(join.path).enumerated() {
                guard case .object(let fields) = value, case .string(let owner)? = fields["owningId"], case .string(let related)? = fields["relatedId"] else {
                    let place = "the object \(number + 1) of _Join:\(join.attribute):\(join.className)"
                    brokenPairs.append(ImportFault(collection: join.className, place: place, reason: "it has not the two ids of a pair"))
                    continue
                }
                pairs[join.className, default: [:]][join.attribute, default: [:]][owner, default: []].append(related)
            }
        }
        self.brokenPairs = brokenPairs
        // The class of the related objects is told by the objects.
        var targets: [String: [String: String]] = [:]
        for file in files where pairs[file.className] != nil {
            for value in try Self.results(file.path) {
                guard case .object(let fields) = value else { continue }
                for (name, value) in fields {
                    if value.value(at: "__type") == .string("Relation"), case .string(let target)? = value.value(at: "className") {
                        targets[file.className, default: [:]][name] = target
                    }
                }
            }
        }
        relations = Dictionary(
            uniqueKeysWithValues: pairs.map { className, attributes in
                (
                    className,
                    Dictionary(
                        uniqueKeysWithValues: attributes.map { name, owners in
                            let space = targets[className]?[name] ?? name
                            return (name, owners.mapValues { $0.map { SourceReference(space: space, key: .text($0)) } })
                        })
                )
            })
    }

    private static func results(_ path: String) throws -> [StoredValue] {
        switch try SourceFile.json(path) {
        case .array(let elements): return elements.array
        case .object(let fields):
            guard case .array(let elements)? = fields["results"] else {
                throw ImportError.damaged(path: path, place: "its beginning", reason: "it has no 'results'")
            }
            return elements.array
        default: throw ImportError.damaged(path: path, place: "its beginning", reason: "it is neither an object nor a list")
        }
    }

    var rowCount: Int? { nil }

    var collectionNames: Set<String>? { Set(files.map(\.className)) }

    func forEach(_ body: (SourceEvent) throws -> Void) throws {
        for fault in brokenPairs { try body(.loss(fault)) }
        var left = relations
        for file in files {
            for (number, value) in try Self.results(file.path).enumerated() {
                let place = "the object \(number + 1) of \(file.className)"
                guard case .object(let fields) = value, case .string(let id)? = fields["objectId"] else {
                    try body(.fault(ImportFault(collection: file.className, place: place, reason: "it has no objectId")))
                    continue
                }
                var attributes: [String: SourceValue] = [:]
                for (name, value) in fields {
                    let isDate = name == "createdAt" || name == "updatedAt"
                    if isDate, case .string(let text) = value, let date = Date(sqlText: text) {
                        attributes[name] = .plain(.date(date))
                    } else {
                        attributes[name] = Self.value(value)
                    }
                    if value.value(at: "__type") == .string("Relation") {
                        attributes[name] = .references(relations[file.className]?[name]?[id] ?? [])
                        left[file.className]?[name]?[id] = nil
                    }
                }
                var row = SourceRow(
                    collection: file.className, id: SourceReference(space: file.className, key: .text(id)), attributes: attributes,
                    className: file.className, place: place)
                row.keyAttribute = "objectId"
                try body(.row(row))
            }
        }
        for (className, attributes) in left.sorted(by: { $0.key < $1.key }) {
            for (name, owners) in attributes.sorted(by: { $0.key < $1.key }) where !owners.isEmpty {
                let reason = "\(owners.count) of the objects that it is of are not there, or have no relation '\(name)'; what they refer to is left out"
                try body(.loss(ImportFault(collection: className, place: "the file _Join:\(name):\(className)", reason: reason)))
            }
        }
    }

    private static func value(_ value: StoredValue) -> SourceValue {
        if let reference = pointer(value) { return .reference(reference) }
        if case .array(let elements) = value, !elements.isEmpty {
            let references = elements.array.compactMap(pointer)
            if references.count == elements.count { return .references(references) }
        }
        return .plain(plain(value))
    }

    private static func pointer(_ value: StoredValue) -> SourceReference? {
        guard case .object(let fields) = value, fields["__type"] == .string("Pointer"), case .string(let className)? = fields["className"],
            case .string(let id)? = fields["objectId"]
        else { return nil }
        return SourceReference(space: className, key: .text(id))
    }

    private static func degrees(_ value: StoredValue?) -> Double? {
        switch value {
        case .double(let degrees): degrees
        case .int(let degrees): Double(degrees)
        default: nil
        }
    }

    /// Parse's types inside of a value as Trove's; a pointer there stays as it is written.
    private static func plain(_ value: StoredValue) -> StoredValue {
        switch value {
        case .array(let elements): return .array(elements.array.map(plain))
        case .object(let fields):
            switch fields["__type"] {
            case .string("Date")?:
                if case .string(let text)? = fields["iso"], let date = Date(sqlText: text) { return .date(date) }
            case .string("Bytes")?:
                if case .string(let text)? = fields["base64"], let data = Data(base64Encoded: text) { return .data(data) }
            case .string("GeoPoint")?:
                if let latitude = degrees(fields["latitude"]), let longitude = degrees(fields["longitude"]),
                    let point = GeoPoint(latitude: latitude, longitude: longitude)
                {
                    return .geoPoint(point)
                }
            default: break
            }
            return .object(fields.dictionary.mapValues(plain))
        default: return value
        }
    }
}
