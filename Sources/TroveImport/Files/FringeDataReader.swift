import Foundation
import Trove

/// FringeData's files: each `.fds` is a JSON object of a root's UUID under `root`, and of objects by their UUIDs, each with its `class`, its `uuid` and its
/// properties. A property that is the UUID of an object of the file, or a list of such, refers to it.
final class FringeDataReader: SourceReader {
    private static let space = "FringeData"
    private let files: [String]

    init(_ path: String) throws {
        files = try SourceFile.files(at: path, withExtension: "fds")
    }

    var rowCount: Int? { nil }

    func forEach(_ body: (SourceEvent) throws -> Void) throws {
        for file in files {
            let name = URL(fileURLWithPath: file).lastPathComponent
            let value: StoredValue
            do {
                value = try SourceFile.json(file)
            } catch ImportError.damaged(_, _, let reason) where files.count > 1 {
                // The other files are whole.
                try body(.fault(ImportFault(collection: "", place: name, reason: reason)))
                continue
            }
            guard case .object(let fields) = value else {
                if files.count == 1 { throw ImportError.damaged(path: file, place: "its beginning", reason: "it is no object with names") }
                try body(.fault(ImportFault(collection: "", place: name, reason: "it is no object with names")))
                continue
            }
            let objects = fields.dictionary
            for (uuid, object) in objects.sorted(by: { $0.key < $1.key }) where uuid != "root" {
                try body(Self.event(uuid, object, objects, "\(uuid) in \(name)"))
            }
        }
    }

    private static func event(_ uuid: String, _ object: StoredValue, _ objects: [String: StoredValue], _ place: String) -> SourceEvent {
        guard case .object(let fields) = object, case .string(let className)? = fields["class"], !className.isEmpty else {
            return .fault(ImportFault(collection: "", place: place, reason: "it has no class"))
        }
        var attributes: [String: SourceValue] = [:]
        for (name, value) in fields.dictionary where name != "class" && name != "indexPaths" {
            attributes[name] = name == "uuid" ? .plain(value) : reference(value, objects)
        }
        var row = SourceRow(
            collection: className, id: SourceReference(space: space, key: .text(uuid)), attributes: attributes, className: className, place: place)
        row.keyAttribute = "uuid"
        return .row(row)
    }

    private static func reference(_ value: StoredValue, _ objects: [String: StoredValue]) -> SourceValue {
        func target(_ value: StoredValue) -> SourceReference? {
            guard case .string(let uuid) = value, uuid != "root", objects[uuid] != nil else { return nil }
            return SourceReference(space: space, key: .text(uuid))
        }
        if let reference = target(value) { return .reference(reference) }
        if case .array(let elements) = value, !elements.isEmpty {
            let references = elements.array.compactMap(target)
            if references.count == elements.count { return .references(references) }
        }
        return .plain(value)
    }
}
