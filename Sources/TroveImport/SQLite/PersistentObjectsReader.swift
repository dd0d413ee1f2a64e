import Foundation
import Trove

/// SQLitePersistentObjects' file: a table for each class with a column `pk`, names in lower case with underscores, a reference as the text `Class-pk`, and a
/// table for each collection with `parent_pk`, and either `fk` and `fk_table_name` or `object_data` for each of its members.
final class PersistentObjectsReader: SourceReader {
    private let database: ForeignDatabase
    private let tables: [String]
    /// The tables of the collections of a table, by the attributes.
    private var members: [String: [(attribute: String, table: String, columns: Set<String>)]] = [:]

    /// Whether tables are those of this library.
    static func isLikely(_ database: ForeignDatabase, _ tables: Set<String>) throws -> Bool {
        for table in tables where !table.hasPrefix("sqlite_") && !table.hasPrefix("SQLITE") {
            if try columns(of: table, database).isSuperset(of: ["parent_pk", "fk", "fk_table_name", "object_data"]) { return true }
        }
        return false
    }

    private static func columns(of table: String, _ database: ForeignDatabase) throws -> Set<String> {
        Set(try database.columns(of: table).map { $0.lowercased() })
    }

    init(_ database: ForeignDatabase) throws {
        self.database = database
        let all = try database.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").compactMap { row in
            if case .string(let name) = row[0], !name.hasPrefix("sqlite_"), name != "SQLITESEQUENCE" { name } else { nil }
        }
        var objects: [String] = []
        var collections: [(table: String, columns: Set<String>)] = []
        for table in all {
            let columns = try Self.columns(of: table, database)
            if columns.contains("parent_pk") { collections.append((table, columns)) } else if columns.contains("pk") { objects.append(table) }
        }
        tables = objects
        for (table, columns) in collections {
            // `post_comments` is the collection `comments` of `post`; of several that fit the longest.
            guard let owner = objects.filter({ table.hasPrefix($0 + "_") }).max(by: { $0.count < $1.count }) else { continue }
            members[owner, default: []].append((Self.propertyName(String(table.dropFirst(owner.count + 1))), table, columns))
        }
    }

    /// `first_name` as `firstName`.
    static func propertyName(_ column: String) -> String {
        let parts = column.split(separator: "_", omittingEmptySubsequences: true)
        return parts.first.map { $0 + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() } ?? column
    }

    /// `post_comment` as `PostComment`.
    static func className(_ table: String) -> String {
        let name = propertyName(table)
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    var rowCount: Int? {
        get throws { try database.rowCount(of: tables) }
    }

    func forEach(_ body: (SourceEvent) throws -> Void) throws {
        let classes = Set(tables.map(Self.className))
        for table in tables {
            let columns = try database.columns(of: table)
            let className = Self.className(table)
            try database.forEachRow("SELECT pk, \(columns.map(\.asIdentifier).joined(separator: ", ")) FROM \(table.asIdentifier) ORDER BY pk") { row in
                let number = row.int(0)
                var attributes: [String: SourceValue] = [:]
                for (place, column) in columns.enumerated() where column.lowercased() != "pk" {
                    let value = row.value(place + 1)
                    attributes[Self.propertyName(column)] = Self.reference(value, classes).map { .reference($0) } ?? .plain(value)
                }
                for member in members[table] ?? [] { attributes[member.attribute] = try collection(member.table, member.columns, number) }
                try body(
                    .row(
                        SourceRow(
                            collection: className, id: SourceReference(space: className, key: .int(number)), attributes: attributes, className: className,
                            place: "the row \(number) of \(table)")))
            }
        }
    }

    /// `Class-pk`, where there is such a class.
    private static func reference(_ value: StoredValue, _ classes: Set<String>) -> SourceReference? {
        guard case .string(let text) = value, let dash = text.lastIndex(of: "-"), let number = Int64(text[text.index(after: dash)...]),
            classes.contains(String(text[..<dash]))
        else { return nil }
        return SourceReference(space: String(text[..<dash]), key: .int(number))
    }

    private func collection(_ table: String, _ columns: Set<String>, _ parent: Int64) throws -> SourceValue {
        let (isArray, isNamed) = (columns.contains("array_index"), columns.contains("dictionary_key"))
        var references: [(name: String, reference: SourceReference)] = []
        var values: [(name: String, value: StoredValue)] = []
        let sql = "SELECT fk, fk_table_name, object_data, \(isNamed ? "dictionary_key" : "NULL") FROM \(table.asIdentifier) WHERE parent_pk = ? ORDER BY \(isArray ? "array_index" : "rowid")"
        try database.forEachRow(sql, [.int(parent)]) { row in
            let name: String
            if case .string(let key) = row.value(3) { name = key } else { name = "" }
            if case .string(let target) = row.value(1), row.int(0) > 0 {
                references.append((name, SourceReference(space: Self.className(target), key: .int(row.int(0)))))
            } else {
                values.append((name, row.value(2)))
            }
        }
        // A collection has either objects or values.
        if isNamed {
            if values.isEmpty { return .named(Dictionary(references.map { ($0.name, $0.reference) }, uniquingKeysWith: { first, _ in first })) }
            return .plain(.object(Dictionary(values.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })))
        }
        return values.isEmpty ? .references(references.map(\.reference)) : .plain(.array(values.map(\.value)))
    }
}
