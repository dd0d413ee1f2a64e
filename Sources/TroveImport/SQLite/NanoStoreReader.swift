import Foundation
import Trove

/// NanoStore's file: an object is a row of `NSFKeys` with its dictionary as a property list, and a row of `NSFValues` for each value, by which it is searched.
///
/// The dictionaries are read, as property lists and as keyed archives, which later versions write. Where one is damaged, the object is put together from its
/// values, in which the elements of arrays have no borders. Each class is a collection. A bag is an object with the references `objects`.
final class NanoStoreReader: SourceReader {
    private static let bagClass = "NSFNanoBag"
    private static let bagKeys = "NSF_Private_NSFNanoBag_NSFObjectKeys"

    private let database: ForeignDatabase
    /// The column of the dictionaries, by the version of NanoStore.
    private let dictionary: String
    private let dateColumn: String

    init(_ database: ForeignDatabase) throws {
        self.database = database
        let columns = try database.columns(of: "NSFKeys")
        guard let column = ["NSFPlist", "NSFKeyedArchive"].first(where: columns.contains), columns.contains("NSFObjectClass") else {
            throw ImportError.damaged(path: database.path, place: "the table NSFKeys", reason: "it has not the columns of NanoStore")
        }
        dictionary = column
        dateColumn = columns.contains("NSFCalendarDate") ? "NSFCalendarDate" : "NULL"
    }

    var rowCount: Int? {
        get throws { if case .int(let count)? = try database.value("SELECT count(*) FROM NSFKeys") { Int(count) } else { nil } }
    }

    func forEach(_ body: (SourceEvent) throws -> Void) throws {
        try database.forEachRow("SELECT NSFKey, \(dictionary), \(dateColumn), NSFObjectClass FROM NSFKeys ORDER BY NSFKey") { row in
            guard case .string(let key) = row.value(0) else {
                return try body(.fault(ImportFault(collection: "", place: "the table NSFKeys", reason: "a row has no key")))
            }
            let className: String
            if case .string(let name) = row.value(3), !name.isEmpty { className = name } else { className = "NSFNanoObject" }
            let place = "the key \(key)"
            var (read, why): ([String: StoredValue]?, String) = (nil, "")
            do {
                read = try dictionary(row.value(1))
            } catch let fault as PropertyListFault {
                why = " (\(fault))"
            } catch {
                // What Foundation cannot read either is no property list, of which there is nothing to tell.
            }
            guard let values = try read ?? flattened(key) else {
                let reason = "its dictionary cannot be read\(why), and it has no values besides"
                return try body(.fault(ImportFault(collection: className, place: place, reason: reason)))
            }
            if read == nil {
                try body(
                    .loss(
                        ImportFault(
                            collection: className, place: place,
                            reason: "its dictionary cannot be read\(why); it is put together from its values, in which elements of arrays have no borders")))
            }
            var attributes = values.mapValues { SourceValue.plain($0) }
            if className == Self.bagClass { attributes = Self.bag(values) }
            if case .string(let date) = row.value(2), attributes["NSFCalendarDate"] == nil { attributes["NSFCalendarDate"] = .plain(.string(date)) }
            try body(
                .row(
                    SourceRow(
                        collection: className, id: SourceReference(space: "NanoStore", key: .text(key)), attributes: attributes, className: className,
                        place: place)))
        }
    }

    /// - Throws: what is wrong with a property list.
    private func dictionary(_ value: StoredValue) throws -> [String: StoredValue]? {
        let bytes: Data
        switch value {
        case .string(let text): bytes = Data(text.utf8)
        case .data(let data): bytes = data
        default: return nil
        }
        guard case .object(let fields) = try StoredValue(keyedArchive: bytes) ?? StoredValue(propertyList: bytes), fields["$archiver"] == nil else {
            return nil
        }
        return fields.dictionary
    }

    /// The dictionary of an object's values by their paths; values of one path are elements of an array.
    private func flattened(_ key: String) throws -> [String: StoredValue]? {
        var found: [String: [StoredValue]] = [:]
        try database.forEachRow("SELECT NSFAttribute, NSFValue FROM NSFValues WHERE NSFKey = ? ORDER BY ROWID", [.string(key)]) { row in
            if case .string(let path) = row.value(0) { found[path, default: []].append(row.value(1)) }
        }
        if found.isEmpty { return nil }
        var document = StoredValue.object([:])
        for (path, values) in found.sorted(by: { $0.key < $1.key }) {
            let path = DocumentPath(path.split(separator: ".", omittingEmptySubsequences: false).map { .name(String($0)) })
            // A path that leads through a value has no place; what is there stays.
            _ = try? document.set(path, to: values.count == 1 ? values[0] : .array(values))
        }
        guard case .object(let fields) = document else { return nil }
        return fields.dictionary
    }

    private static func bag(_ values: [String: StoredValue]) -> [String: SourceValue] {
        var keys: [String] = []
        if case .array(let elements)? = values[bagKeys] { keys = elements.array.compactMap { if case .string(let key) = $0 { key } else { nil } } }
        var attributes = values.filter { !$0.key.hasPrefix("NSF_Private_") }.mapValues { SourceValue.plain($0) }
        attributes["objects"] = .references(keys.map { SourceReference(space: "NanoStore", key: .text($0)) })
        return attributes
    }
}
