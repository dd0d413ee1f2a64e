import CSQLite

/// A value of an SQL statement: an argument, or what a row has in a column.
public enum SQLiteValue: Sendable, Hashable {
    /// No value.
    case null
    /// A whole number.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// A text.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

extension SQLiteValue: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .real(value) }
    public init(stringLiteral value: String) { self = .text(value) }
    /// SQLite has no truth values: 1 and 0.
    public init(booleanLiteral value: Bool) { self = .integer(value ? 1 : 0) }
}

extension SQLiteValue {
    /// The integer; nil for another kind of value.
    public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

    /// The number, for an integer the nearest one; nil for another kind of value.
    public var real: Double? {
        switch self {
        case .real(let value): value
        case .integer(let value): Double(value)
        case .null, .text, .blob: nil
        }
    }

    /// The text; nil for another kind of value.
    public var text: String? { if case .text(let value) = self { value } else { nil } }

    /// The bytes; nil for another kind of value.
    public var blob: [UInt8]? { if case .blob(let value) = self { value } else { nil } }
}

/// A row that a statement returned.
public struct SQLiteRow: Sendable, Hashable {
    /// The names of the columns, as in the statement.
    public let columns: [String]
    /// The values, one for each column.
    public let values: [SQLiteValue]

    /// The value of a column; the first one when several columns have the name. Nil when there is no such column.
    public subscript(column: String) -> SQLiteValue? {
        columns.firstIndex { $0.utf8.elementsEqual(column.utf8) }.map { values[$0] }
    }

    /// The value of the column at a position, counted from 0.
    public subscript(position: Int) -> SQLiteValue { values[position] }
}

extension SQLiteValue {
    /// Makes the value a parameter of a statement, which keeps a copy. Returns SQLite's code.
    func bind(to statement: OpaquePointer, _ index: Int32) -> Int32 {
        switch self {
        case .null: return sqlite3_bind_null(statement, index)
        case .integer(let value): return sqlite3_bind_int64(statement, index, value)
        case .real(let value): return sqlite3_bind_double(statement, index, value)
        case .text(var value):
            return value.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { csqlite_bind_text_copy(statement, index, $0.baseAddress, UInt64($0.count)) }
            }
        // A null pointer would be NULL.
        case .blob(let value) where value.isEmpty: return sqlite3_bind_zeroblob(statement, index, 0)
        case .blob(let value): return value.withUnsafeBytes { csqlite_bind_blob_copy(statement, index, $0.baseAddress, UInt64($0.count)) }
        }
    }
}
