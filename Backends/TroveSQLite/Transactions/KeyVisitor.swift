import CSQLite
import TroveStorage

/// Takes the values of many keys inside SQLite's own loop: the keys are the rows of a table, joined with the entries, and a condition of the
/// statement calls it for each that is found.
///
/// A statement for each key is begun and ended each time, which is some third of a search
/// ([decision 27](../../docs/decisions/0027-sqlite-joins-the-keys.md)).
struct KeyVisitor {
    /// The name of the condition. SQL of an application cannot call it, having no visitor to give.
    static let function = "trove_is_enough"

    private let reader: SQLiteReader
    private let visit: (_ position: Int, _ value: RawSpan?) throws -> ScanStep
    /// The position of the first key that the caller has not been told of.
    private var next = 0
    private var step = ScanStep.next
    /// What ended the visit, where that was an error.
    private(set) var error: (any Error)?

    init(_ reader: SQLiteReader, _ visit: @escaping (_ position: Int, _ value: RawSpan?) throws -> ScanStep) {
        (self.reader, self.visit) = (reader, visit)
    }

    /// Makes the table and the condition known to a connection.
    static func register(on handle: OpaquePointer) -> Int32 {
        let code = csqlite_register_keys(handle)
        guard code == SQLITE_OK else { return code }
        return sqlite3_create_function_v2(
            handle, function, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, nil,
            { context, count, values in
                guard count == 3, let values, let visitor = csqlite_visitor(values[0]) else {
                    return sqlite3_result_error(context, "\(KeyVisitor.function) is a part of Trove's searches", -1)
                }
                // The search keeps the visitor where it is until the statement has ended.
                let goesOn = visitor.assumingMemoryBound(to: KeyVisitor.self).pointee.take(Int(sqlite3_value_int64(values[1])), values[2])
                sqlite3_result_int(context, goesOn ? 0 : 1)
            }, nil, nil, nil)
    }

    /// Takes the value of the key at a position; false when no more are wanted.
    @inline(__always)
    private mutating func take(_ position: Int, _ value: OpaquePointer?) -> Bool {
        do {
            guard try skip(to: position) == .next else { return false }
            next = position + 1
            step = try reader.withValue(value) { try visit(position, $0) }
            // The body may have poisoned the transaction and caught the error.
            if step == .next { try reader.check() }
            return step == .next
        } catch {
            self.error = error
            return false
        }
    }

    /// Tells the caller that the keys before a position that it has not been told of have no value.
    mutating func skip(to position: Int) throws -> ScanStep {
        while step == .next, next < position {
            next += 1
            step = try visit(next - 1, nil)
            if step == .next { try reader.check() }
        }
        return step
    }
}
