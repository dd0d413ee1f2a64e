import Foundation
import Trove

/// Any SQLite database: each table is a collection, each row a document with the columns as attributes, and a foreign key a reference.
final class SQLiteTables: SourceReader {
    private let database: ForeignDatabase
    private let tables: [SQLiteTable]

    convenience init(_ path: String) throws { try self.init(ForeignDatabase(path)) }

    /// - Parameter isTaken: which tables are read.
    init(_ database: ForeignDatabase, where isTaken: (String) -> Bool = { _ in true }) throws {
        self.database = database
        let names = try database.rows("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name").compactMap { row in
            if case .string(let name) = row[0], !name.hasPrefix("sqlite_"), isTaken(name) { name } else { nil }
        }
        let tables = try names.map { try SQLiteTable($0, in: database) }
        let keys = Dictionary(tables.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        self.tables = try tables.map { try $0.resolving(database, keys) }
    }

    var rowCount: Int? {
        get throws {
            try tables.reduce(0) { sum, table in
                guard case .int(let count)? = try database.value("SELECT count(*) FROM \(table.name.asIdentifier)") else { return sum }
                return sum + Int(count)
            }
        }
    }

    func forEach(_ body: (SourceEvent) throws -> Void) throws {
        for table in tables {
            for note in table.notes { try body(.loss(ImportFault(collection: table.name, place: "the declaration of the table", reason: note))) }
            try database.forEachRow(table.query) { try body(.row(table.row($0))) }
        }
    }
}

/// One table, as its declaration tells it.
struct SQLiteTable {
    struct Column {
        let name: String
        let conversion: ColumnConversion
    }

    /// Columns that are the key of a row of another table.
    struct ForeignKey {
        let target: String
        let columns: [Int]
        /// The columns of the target that they equal; empty for its primary key.
        let targetColumns: [String]
        /// The places in the row of the target's key: those of the columns, or of what was looked up.
        var keyPlaces: [Int] = []
    }

    let name: String
    let columns: [Column]
    /// The names of the columns, and the positions of these in the order of the names.
    private let shape: FieldShape
    private let order: [Int]
    /// The positions of the columns of the primary key, in its order; empty where rows have numbers only.
    let key: [Int]
    private(set) var foreignKeys: [ForeignKey]
    private(set) var query: String
    /// What could not be taken as it is declared.
    private(set) var notes: [String] = []

    init(_ name: String, in database: ForeignDatabase) throws {
        self.name = name
        var columns: [Column] = []
        var key: [(order: Int64, position: Int)] = []
        for row in try database.rows("SELECT name, type, pk, hidden FROM pragma_table_xinfo(?)", [.string(name)]) {
            guard case .string(let column) = row[0], case .int(let order) = row[2], case .int(let hidden) = row[3] else { continue }
            // A hidden column of a virtual table; generated ones are values as others.
            if hidden == 1 { continue }
            if order > 0 { key.append((order, columns.count)) }
            columns.append(Column(name: column, conversion: ColumnConversion(declared: row[1])))
        }
        self.columns = columns
        let ordered = FieldShape.ordering(columns.map(\.name))
        (shape, order) = (ordered.shape, ordered.order)
        self.key = key.sorted { $0.order < $1.order }.map(\.position)
        let positions = Dictionary(columns.enumerated().map { ($1.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        var found: [Int64: (target: String, columns: [Int], targetColumns: [String])] = [:]
        for row in try database.rows("SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?) ORDER BY id, seq", [.string(name)]) {
            guard case .int(let id) = row[0], case .string(let target) = row[1], case .string(let from) = row[2], let column = positions[from.lowercased()] else { continue }
            found[id, default: (target, [], [])].columns.append(column)
            if case .string(let to) = row[3] { found[id]?.targetColumns.append(to) }
        }
        foreignKeys = found.sorted { $0.key < $1.key }.map { ForeignKey(target: $0.value.target, columns: $0.value.columns, targetColumns: $0.value.targetColumns) }
        query = ""
    }

    /// The table with the other tables known: how it is read, and what its foreign keys lead to.
    func resolving(_ database: ForeignDatabase, _ tables: [String: SQLiteTable]) throws -> SQLiteTable {
        var table = self
        var selected = columns.map { "t.\($0.name.asIdentifier)" }
        var resolved: [ForeignKey] = []
        for var foreignKey in foreignKeys {
            guard let target = tables[foreignKey.target.lowercased()] else {
                table.notes.append("a foreign key leads to the table '\(foreignKey.target)', which is not there; its values stay as they are")
                continue
            }
            let keyNames = target.key.map { target.columns[$0].name.lowercased() }
            let wanted = foreignKey.targetColumns.isEmpty ? keyNames : foreignKey.targetColumns.map { $0.lowercased() }
            if wanted.count == foreignKey.columns.count, !keyNames.isEmpty, Set(wanted) == Set(keyNames) {
                foreignKey.keyPlaces = keyNames.compactMap { name in wanted.firstIndex(of: name).map { foreignKey.columns[$0] } }
            } else if wanted.count == foreignKey.columns.count, !wanted.isEmpty {
                // It leads to other columns than the key: what key has the row there?
                let condition = zip(wanted, foreignKey.columns).map { "o.\($0.asIdentifier) = t.\(columns[$1].name.asIdentifier)" }.joined(separator: " AND ")
                for key in target.key.isEmpty ? ["rowid"] : target.key.map({ target.columns[$0].name.asIdentifier }) {
                    foreignKey.keyPlaces.append(selected.count)
                    selected.append("(SELECT o.\(key) FROM \(target.name.asIdentifier) o WHERE \(condition))")
                }
            } else {
                table.notes.append("a foreign key to '\(target.name)' has \(foreignKey.columns.count) columns, which is not what it leads to; its values stay as they are")
                continue
            }
            resolved.append(ForeignKey(target: target.name, columns: foreignKey.columns, targetColumns: foreignKey.targetColumns, keyPlaces: foreignKey.keyPlaces))
        }
        table.foreignKeys = resolved
        if key.isEmpty { selected.append("t.rowid") }
        // In the order of the keys, so that documents are appended.
        let order = key.isEmpty ? "t.rowid" : key.map { "t.\(columns[$0].name.asIdentifier)" }.joined(separator: ", ")
        table.query = "SELECT \(selected.joined(separator: ", ")) FROM \(name.asIdentifier) t ORDER BY \(order)"
        return table
    }

    func row(_ row: ForeignRow) -> SourceRow {
        let ownKey = key.isEmpty ? SourceKey.int(row.int(row.count - 1)) : Self.key(key, row)
        let id = SourceReference(space: name, key: ownKey)
        if foreignKeys.isEmpty {
            let values = order.map { columns[$0].conversion.value(row.value($0)) }
            return SourceRow(collection: name, id: id, content: .values(shape.fields(values)), place: .row(ownKey))
        }
        var attributes: [String: SourceValue] = [:]
        for (place, column) in columns.enumerated() { attributes[column.name] = .plain(column.conversion.value(row.value(place))) }
        for foreignKey in foreignKeys where !foreignKey.keyPlaces.contains(where: { row.isNull($0) }) {
            // One of several columns goes by the names of all of them.
            let name = foreignKey.columns.map { columns[$0].name }.joined(separator: "_")
            attributes[name] = .reference(SourceReference(space: foreignKey.target, key: Self.key(foreignKey.keyPlaces, row)))
        }
        return SourceRow(collection: name, id: id, content: .attributes(attributes), place: .row(ownKey))
    }

    private static func key(_ places: [Int], _ row: ForeignRow) -> SourceKey {
        places.count == 1 ? SourceKey(row.value(places[0])) : .values(places.map { row.value($0) })
    }
}

/// What becomes of a column's values by its declared type.
enum ColumnConversion {
    case none, bool, date, uuid

    init(declared type: StoredValue) {
        guard case .string(let type) = type else { self = .none; return }
        let name = type.uppercased()
        self = name.contains("BOOL") ? .bool : name.contains("DATE") || name.contains("TIMESTAMP") ? .date : name == "UUID" ? .uuid : .none
    }

    /// The value, unless it is not what the type says: then it stays as it is.
    func value(_ value: StoredValue) -> StoredValue {
        switch (self, value) {
        case (.bool, .int(0)): .bool(false)
        case (.bool, .int(1)): .bool(true)
        case (.date, .string(let text)): Date(sqlText: text).map { .date($0) } ?? value
        case (.uuid, .string(let text)): UUID(uuidString: text).map { .uuid($0) } ?? value
        case (.uuid, .data(let data)): UUID(bytes: data).map { .uuid($0) } ?? value
        default: value
        }
    }
}
