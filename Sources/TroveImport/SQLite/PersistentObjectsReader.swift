import Foundation
import Trove

/// SQLitePersistentObjects' file: a table for each class with a column `pk`, names in lower case with underscores, a reference as the text `Class-pk`, and a
/// table for each collection with `parent_pk`, and either `fk` and `fk_table_name` or `object_data` for each of its members.
final class PersistentObjectsReader: SourceReader {
    private let database: ForeignDatabase
    private let tables: [String]
    /// The tables of the collections of a table, by the attributes.
    private var members: [String: [(attribute: String, table: String, columns: Set<String>)]] = [:]
    /// Those of collections of no table that is there.
    private let ownerless: [String]

    /// Whether tables are those of this library.
    static func isLikely(_ database: ForeignDatabase, _ tables: Set<String>) throws -> Bool {
        for table in tables where !table.hasPrefix("sqlite_") && !table.hasPrefix("SQLITE") {
            if try isCollection(columns(of: table, database)) { return true }
        }
        return false
    }

    /// Whether a table with these columns has the members of collections. A class may have a property `parentPk`.
    private static func isCollection(_ columns: Set<String>) -> Bool {
        columns.isSuperset(of: ["parent_pk", "fk", "fk_table_name", "object_data"]) && !columns.contains("pk")
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
            if Self.isCollection(columns) { collections.append((table, columns)) } else if columns.contains("pk") { objects.append(table) }
        }
        tables = objects
        var ownerless: [String] = []
        for (table, columns) in collections {
            // `post_comments` is the collection `comments` of `post`; of several that fit the longest.
            guard let owner = objects.filter({ table.hasPrefix($0 + "_") }).max(by: { $0.count < $1.count }) else {
                ownerless.append(table)
                continue
            }
            members[owner, default: []].append((Self.propertyName(String(table.dropFirst(owner.count + 1))), table, columns))
        }
        self.ownerless = ownerless
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
        for table in ownerless {
            let reason = "it has the members of collections of a class that is not there; they are left out"
            try body(.loss(ImportFault(collection: "", place: "the table \(table)", reason: reason)))
        }
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
        var members: [(name: String, value: SourceValue)] = []
        let sql = """
            SELECT fk, fk_table_name, object_data, \(isNamed ? "dictionary_key" : "NULL") FROM \(table.asIdentifier)
            WHERE parent_pk = ? ORDER BY \(isArray ? "array_index" : "rowid")
            """
        try database.forEachRow(sql, [.int(parent)]) { row in
            let name: String
            if case .string(let key) = row.value(3) { name = key } else { name = "" }
            if case .string(let target) = row.value(1), row.int(0) > 0 {
                members.append((name, .reference(SourceReference(space: Self.className(target), key: .int(row.int(0))))))
            } else {
                members.append((name, .plain(row.value(2))))
            }
        }
        return isNamed ? SourceValue(members: Dictionary(members, uniquingKeysWith: { first, _ in first })) : SourceValue(list: members.map(\.value))
    }
}

extension SourceValue {
    /// References alone, values alone, or both.
    fileprivate init(list members: [SourceValue]) {
        let (references, values) = (members.compactMap(\.onlyReference), members.compactMap(\.onlyValue))
        self = references.count == members.count ? .references(references) : values.count == members.count ? .plain(.array(values)) : .list(members)
    }

    fileprivate init(members: [String: SourceValue]) {
        let (references, values) = (members.compactMapValues(\.onlyReference), members.compactMapValues(\.onlyValue))
        self = references.count == members.count ? .named(references) : values.count == members.count ? .plain(.object(values)) : .members(members)
    }

    private var onlyReference: SourceReference? { if case .reference(let reference) = self { reference } else { nil } }
    private var onlyValue: StoredValue? { if case .plain(let value) = self { value } else { nil } }
}
