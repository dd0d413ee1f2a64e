import CSQLite
import Foundation
import Trove

/// A column of a table.
struct SQLiteColumn {
    let name: String
    /// The name of its values: that of the column, unless to Swift another column has the same.
    let attribute: String
    let conversion: ColumnConversion
    /// The type as it is declared; empty for none.
    let type: String
    /// Whether it cannot be NULL.
    let isRequired: Bool
    private let affinity: Affinity
    /// Whether texts are equal that have other bytes.
    private let hasCollation: Bool

    init(_ name: String, attribute: String, declared type: StoredValue, isRequired: Bool, of table: String, in database: ForeignDatabase) {
        self.name = name
        self.attribute = attribute
        self.isRequired = isRequired
        if case .string(let text) = type { self.type = text } else { self.type = "" }
        conversion = ColumnConversion(declared: type)
        affinity = Affinity(declared: type)
        var collation: UnsafePointer<CChar>?
        let code = sqlite3_table_column_metadata(database.connection, "main", table, name, nil, &collation, nil, nil, nil)
        hasCollation = code == SQLITE_OK && collation.map { String(cString: $0).uppercased() != "BINARY" } == true
    }

    /// Whether SQLite takes a value of another column for one of this column only when both are stored alike, so that they are one key.
    func isKey(of other: SQLiteColumn) -> Bool { affinity == other.affinity && !hasCollation }

    /// What SQLite makes of a column's values before it stores and compares them; see "Type Affinity" in its documentation.
    private enum Affinity {
        case text, real, number, none

        init(declared type: StoredValue) {
            guard case .string(let type) = type else { self = .none; return }
            let name = type.uppercased()
            func has(_ words: String...) -> Bool { words.contains { name.contains($0) } }
            self =
                has("INT") ? .number
                : has("CHAR", "CLOB", "TEXT") ? .text
                : name.isEmpty || has("BLOB") ? .none
                : has("REAL", "FLOA", "DOUB") ? .real
                // As that of integers, but for casts.
                : .number
        }
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
