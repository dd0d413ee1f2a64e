import Foundation
import Trove

/// BZObjectStore's file: a table for each class, whose rows go by their numbers, a table of the types of attributes, and one of all
/// relationships with their order and names.
final class BZObjectStoreReader: SourceReader {
    static let relationships = "__BZObjectStoreRelationship__"
    private static let attributes = "__BZObjectStoreAttribute__"

    private let database: ForeignDatabase
    private let tables: [String]
    /// The class of each table.
    private var classNames: [String: String] = [:]
    /// The types of attributes as Objective-C encodes them, by the table and the attribute.
    private var types: [String: [String: String]] = [:]

    init(_ database: ForeignDatabase) throws {
        self.database = database
        tables = try database.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").compactMap { row in
            if case .string(let name) = row[0], !name.hasPrefix("sqlite_"), !name.hasPrefix("__") { name } else { nil }
        }
        if try database.value("SELECT count(*) FROM sqlite_master WHERE name = ?", [.string(Self.attributes)]) == .int(1) {
            for row in try database.rows("SELECT tableName, className, attributeName, attributeType FROM \(Self.attributes)") {
                guard case .string(let table) = row[0], case .string(let name) = row[1] else { continue }
                classNames[table] = name
                if case .string(let attribute) = row[2], case .string(let type) = row[3] { types[table, default: [:]][attribute] = type }
            }
        }
    }

    var rowCount: Int? {
        get throws { try database.rowCount(of: tables) }
    }

    func forEach(_ body: (SourceEvent) throws -> Void) throws {
        for table in tables {
            let columns = try database.columns(of: table)
            let selected = columns.map { "t.\($0.asIdentifier)" }.joined(separator: ", ")
            try database.forEachRow("SELECT \(selected.isEmpty ? "NULL" : selected), t.rowid FROM \(table.asIdentifier) t ORDER BY t.rowid") { row in
                let number = row.int(row.count - 1)
                var attributes: [String: SourceValue] = [:]
                for (place, column) in columns.enumerated() where column != "__createdAt__" && column != "__updatedAt__" {
                    attributes[column] = .plain(converted(row.value(place), types[table]?[column]))
                }
                for (name, value) in try relationships(of: table, number) { attributes[name] = value }
                try body(
                    .row(
                        SourceRow(
                            collection: classNames[table] ?? table, id: SourceReference(space: table, key: .int(number)), attributes: attributes,
                            className: classNames[table],
                            place: "the row \(number) of \(table)")))
            }
        }
    }

    /// Dates are stored as seconds since 1970, and Bools as integers.
    private func converted(_ value: StoredValue, _ type: String?) -> StoredValue {
        switch (type, value) {
        case ("NSDate"?, .double(let seconds)): .date(Date(timeIntervalSince1970: seconds))
        case ("NSDate"?, .int(let seconds)): .date(Date(timeIntervalSince1970: Double(seconds)))
        case ("BOOL"?, .int(0)), ("bool"?, .int(0)), ("B"?, .int(0)): .bool(false)
        case ("BOOL"?, .int(1)), ("bool"?, .int(1)), ("B"?, .int(1)): .bool(true)
        default: value
        }
    }

    /// What a row's attributes point at: one, several in their order, or by name.
    private func relationships(of table: String, _ number: Int64) throws -> [String: SourceValue] {
        var found: [String: [(reference: SourceReference, key: String?)]] = [:]
        var collections: Set<String> = []
        let sql = """
            SELECT fromAttributeName, toTableName, toRowid, attributeKey, attributeSequence, attributeLevel FROM \(Self.relationships)
            WHERE fromTableName = ? AND fromRowid = ? ORDER BY fromAttributeName, attributeLevel, attributeSequence
            """
        try database.forEachRow(sql, [.string(table), .int(number)]) { row in
            guard case .string(let attribute) = row.value(0) else { return }
            // A collection has a row of its own, which points at nothing.
            guard case .string(let target) = row.value(1), !row.isNull(2), row.int(2) > 0 else {
                collections.insert(attribute)
                return
            }
            if row.int(5) > 0 || row.int(4) > 1 { collections.insert(attribute) }
            let key: String?
            if case .string(let text) = row.value(3), !text.isEmpty { key = text } else { key = nil }
            found[attribute, default: []].append((SourceReference(space: target, key: .int(row.int(2))), key))
        }
        var values = found.mapValues { targets -> SourceValue in
            if targets.allSatisfy({ $0.key != nil }) {
                return .named(Dictionary(targets.map { ($0.key ?? "", $0.reference) }, uniquingKeysWith: { first, _ in first }))
            }
            return .references(targets.map(\.reference))
        }
        for (name, targets) in found where targets.count == 1 && targets[0].key == nil && !collections.contains(name) {
            values[name] = .reference(targets[0].reference)
        }
        for name in collections where values[name] == nil { values[name] = .references([]) }
        return values
    }
}
