import Foundation
import Trove

/// Any SQLite database: each table is a collection, each row a document with the columns as attributes, and a foreign key a reference.
final class SQLiteTables: SourceReader {
    private let database: ForeignDatabase
    private let tables: [SQLiteTable]

    /// - Parameter isTaken: which tables are read.
    init(_ database: ForeignDatabase, where isTaken: (String) -> Bool = { _ in true }) throws {
        self.database = database
        let tables = try database.rows("SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name").compactMap { row in
            if case .string(let name) = row[0], !name.hasPrefix("sqlite_"), isTaken(name) {
                try SQLiteTable(name, hasRowNumbers: row[1] == 0, in: database)
            } else {
                nil
            }
        }
        let keys = Dictionary(tables.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        self.tables = try tables.map { try $0.resolving(database, keys) }
    }

    var rowCount: Int? {
        get throws { try database.rowCount(of: tables.lazy.map(\.name)) }
    }

    var collectionNames: Set<String>? { Set(tables.map(\.name)) }

    var declarations: [String: SourceDeclaration] { Dictionary(tables.map { ($0.name, $0.declaration) }, uniquingKeysWith: { first, _ in first }) }

    func forEach(_ body: (SourceEvent) throws -> Void) throws {
        for table in tables {
            for note in table.notes { try body(.loss(ImportFault(collection: table.name, place: "the declaration of the table", reason: note))) }
            // What was told once is not told of each row.
            var told: Set<String> = []
            try database.forEachRow(table.query) { values in
                let row = table.row(values)
                try body(.row(row))
                for reason in table.missing(values) where told.insert(reason).inserted {
                    try body(.loss(ImportFault(collection: table.name, place: row.place.description, reason: reason)))
                }
            }
        }
    }
}

/// One table, as its declaration tells it.
struct SQLiteTable {
    /// Columns that are the key of a row of another table.
    struct ForeignKey {
        var target: String
        let columns: [Int]
        /// The columns of the target that they equal; empty for its primary key.
        let targetColumns: [String]
        /// The name of the reference.
        var attribute = ""
        /// The places in the row of the target's key: those of the columns, or of what was looked up.
        var keyPlaces: [Int] = []
        /// Whether the key was looked up, since the columns do not tell it.
        var isLookedUp = false
    }

    let name: String
    let columns: [SQLiteColumn]
    /// The names of the columns, and the positions of these in the order of the names.
    private let shape: FieldShape
    private let order: [Int]
    /// The positions of the columns of the primary key, in its order; empty where rows have numbers only.
    let key: [Int]
    let indexes: [ImportDescription.Index]
    private(set) var foreignKeys: [ForeignKey]
    private(set) var query: String
    /// Whether rows have numbers, as all do but those of a table WITHOUT ROWID, and the place of a row's.
    private let hasRowNumbers: Bool
    private var numberPlace: Int?
    /// What could not be taken as it is declared.
    private(set) var notes: [String] = []

    init(_ name: String, hasRowNumbers: Bool, in database: ForeignDatabase) throws {
        self.name = name
        self.hasRowNumbers = hasRowNumbers
        var columns: [SQLiteColumn] = []
        var attributes: Set<String> = []
        var key: [(order: Int64, position: Int)] = []
        for row in try database.rows("SELECT name, type, pk, hidden, \"notnull\" FROM pragma_table_xinfo(?)", [.string(name)]) {
            guard case .string(let column) = row[0], case .int(let order) = row[2], case .int(let hidden) = row[3] else { continue }
            // A hidden column of a virtual table; generated ones are values as others.
            if hidden == 1 { continue }
            if order > 0 { key.append((order, columns.count)) }
            // SQLite compares bytes, and so has two columns é, of one scalar and of two.
            let attribute = Self.name(like: column, notAmong: attributes)
            if attribute != column { notes.append("two columns have the name '\(column)' in other scalars; the second comes as '\(attribute)'") }
            attributes.insert(attribute)
            columns.append(SQLiteColumn(column, attribute: attribute, declared: row[1], isRequired: row[4] != 0, of: name, in: database))
        }
        self.columns = columns
        let ordered = FieldShape.ordering(columns.map(\.attribute))
        (shape, order) = (ordered.shape, ordered.order)
        self.key = key.sorted { $0.order < $1.order }.map(\.position)
        indexes = try Self.indexes(of: name, columns, in: database)
        let positions = Dictionary(columns.enumerated().map { ($1.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        var found: [Int64: (target: String, columns: [Int], targetColumns: [String])] = [:]
        for row in try database.rows("SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?) ORDER BY id, seq", [.string(name)]) {
            guard case .int(let id) = row[0], case .string(let target) = row[1], case .string(let from) = row[2], let column = positions[from.lowercased()]
            else { continue }
            found[id, default: (target, [], [])].columns.append(column)
            if case .string(let to) = row[3] { found[id]?.targetColumns.append(to) }
        }
        foreignKeys = found.sorted { $0.key < $1.key }.map {
            ForeignKey(target: $0.value.target, columns: $0.value.columns, targetColumns: $0.value.targetColumns)
        }
        query = ""
    }

    /// The table with the other tables known: how it is read, and what its foreign keys lead to.
    func resolving(_ database: ForeignDatabase, _ tables: [String: SQLiteTable]) throws -> SQLiteTable {
        var table = self
        var selected = columns.map { "t.\($0.name.asIdentifier)" }
        var resolved: [ForeignKey] = []
        var attributes = Set(columns.map(\.attribute))
        for var foreignKey in foreignKeys {
            guard let target = tables[foreignKey.target.lowercased()] else {
                table.notes.append("a foreign key leads to the table '\(foreignKey.target)', which is not there; its values stay as they are")
                continue
            }
            let positions = Dictionary(target.columns.enumerated().map { ($1.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
            if let lost = foreignKey.targetColumns.first(where: { positions[$0.lowercased()] == nil }) {
                table.notes.append("a foreign key leads to the column '\(lost)' of '\(target.name)', which is not there; its values stay as they are")
                continue
            }
            let wanted = foreignKey.targetColumns.isEmpty ? target.key : foreignKey.targetColumns.compactMap { positions[$0.lowercased()] }
            let pairs = Array(zip(wanted.map { target.columns[$0] }, foreignKey.columns.map { columns[$0] }))
            if wanted.count == foreignKey.columns.count, !target.key.isEmpty, Set(wanted) == Set(target.key), pairs.allSatisfy({ $0.isKey(of: $1) }) {
                foreignKey.keyPlaces = target.key.compactMap { position in wanted.firstIndex(of: position).map { foreignKey.columns[$0] } }
            } else if wanted.count == foreignKey.columns.count, !wanted.isEmpty {
                // It leads to other columns than the key, or to values that are written in another way: what key has the row there? SQLite compares as the
                // target's column does, and so here: behind a plus sign a value has no type of its own.
                foreignKey.isLookedUp = true
                let condition = pairs.map { "o.\($0.name.asIdentifier) = +t.\($1.name.asIdentifier)" }.joined(separator: " AND ")
                for key in target.key.isEmpty ? [target.rowNumber] : target.key.map({ target.columns[$0].name.asIdentifier }) {
                    foreignKey.keyPlaces.append(selected.count)
                    selected.append("(SELECT o.\(key) FROM \(target.name.asIdentifier) o WHERE \(condition))")
                }
            } else {
                table.notes.append(
                    "a foreign key to '\(target.name)' has \(foreignKey.columns.count) columns, which is not what it leads to; its values stay as they are")
                continue
            }
            // One of several columns goes by the names of all of them, which is a new name.
            let names = foreignKey.columns.map { columns[$0].attribute }
            foreignKey.attribute = names.count == 1 ? names[0] : Self.name(like: names.joined(separator: "_"), notAmong: attributes)
            attributes.insert(foreignKey.attribute)
            foreignKey.target = target.name
            resolved.append(foreignKey)
        }
        table.foreignKeys = resolved
        if hasRowNumbers {
            table.numberPlace = selected.count
            selected.append("t.\(rowNumber)")
        }
        // In the order of the keys, so that documents are appended.
        let order = key.isEmpty ? "t.\(rowNumber)" : key.map { "t.\(columns[$0].name.asIdentifier)" }.joined(separator: ", ")
        table.query = "SELECT \(selected.joined(separator: ", ")) FROM \(name.asIdentifier) t ORDER BY \(order)"
        return table
    }

    /// The name that tells the number of a row, of the three that SQLite has for it: one that is no column's. Where columns have all of them
    /// nothing tells it, and the column has to do.
    private var rowNumber: String {
        let names = Set(columns.map { $0.name.lowercased() })
        return ["rowid", "_rowid_", "oid"].first { !names.contains($0) } ?? "rowid"
    }

    /// A name that is none of these: this one, or one with `_` behind it.
    private static func name(like name: String, notAmong names: Set<String>) -> String {
        var name = name
        while names.contains(name) { name += "_" }
        return name
    }

    /// The key of a row. One with NULL in it, which SQLite has several of, goes by its number too.
    private func ownKey(_ row: ForeignRow) -> SourceKey {
        guard let numberPlace, key.isEmpty || key.contains(where: row.isNull) else { return Self.key(key, row) }
        let number = row.int(numberPlace)
        return key.isEmpty ? .int(number) : .values(key.map { row.value($0) } + [.int(number)])
    }

    /// What is to be told of the foreign keys of a row whose target is not there, and has no key that would be an id.
    func missing(_ row: ForeignRow) -> [String] {
        foreignKeys.compactMap { foreignKey in
            guard foreignKey.isLookedUp, foreignKey.keyPlaces.contains(where: row.isNull), !foreignKey.columns.contains(where: row.isNull) else { return nil }
            return "it is the first to refer to \(Self.key(foreignKey.columns, row).description) of \(foreignKey.target) by '\(foreignKey.attribute)', which is not there; its value stays as it is"
        }
    }

    func row(_ row: ForeignRow) -> SourceRow {
        let ownKey = ownKey(row)
        let id = SourceReference(space: name, key: ownKey)
        if foreignKeys.isEmpty {
            let values = order.map { columns[$0].conversion.value(row.value($0)) }
            return sourceRow(id, .values(shape.fields(values)))
        }
        var attributes: [String: SourceValue] = [:]
        for (place, column) in columns.enumerated() { attributes[column.attribute] = .plain(column.conversion.value(row.value(place))) }
        for foreignKey in foreignKeys where !foreignKey.keyPlaces.contains(where: { row.isNull($0) }) {
            attributes[foreignKey.attribute] = .reference(SourceReference(space: foreignKey.target, key: Self.key(foreignKey.keyPlaces, row)))
        }
        return sourceRow(id, .attributes(attributes))
    }

    private func sourceRow(_ id: SourceReference, _ content: SourceContent) -> SourceRow {
        var row = SourceRow(collection: name, id: id, content: content, place: .row(id.key))
        if key.count == 1 { row.keyAttribute = columns[key[0]].attribute }
        return row
    }

    private static func key(_ places: [Int], _ row: ForeignRow) -> SourceKey {
        places.count == 1 ? SourceKey(row.value(places[0])) : .values(places.map { row.value($0) })
    }
}
