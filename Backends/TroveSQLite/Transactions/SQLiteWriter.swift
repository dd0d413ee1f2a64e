import CSQLite
import TroveBackendKit
import TroveStorage

/// The write transaction, on the engine's writing connection.
final class SQLiteWriter: SQLiteReader, StorageWriter {
    /// Numbers are below 2^31, so that a number and a 32-bit counter make a positive row id.
    static let maxKeyspaceNumber = UInt32(Int32.max) - 1

    /// The number of the newest keyspace. Undoing a savepoint does not bring it back, so a number stands for one keyspace only.
    var generation: UInt32
    /// Whether the directory differs from the committed one, so that looked-up names must not be remembered.
    var isDirectoryChanged = false
    /// Whether statements of the application's may have changed something, which `changeCount` does not tell.
    var changesTables = false
    /// The keyspaces made and dropped so far, in order, for savepoints to undo.
    var made: [UInt32] = []
    var dropped: [UInt32] = []
    /// Counts cursors and savepoints.
    var marks = 0
    /// How many savepoints SQLite has, one in the other.
    var savepointDepth = 0
    /// The marks of what was made inside savepoints that were undone.
    var undoneMarks: [Range<Int>] = []

    /// Whether a keyspace may hold large values, as far as this transaction has asked.
    var largeValues: [UInt32: Bool] = [:]
    /// The keyspace last found to have no large values; the usual case, without a look-up.
    var smallKeyspace: UInt32?

    init(of engine: SQLiteEngine, on connection: Connection, generation: UInt32) {
        self.generation = generation
        super.init(of: engine, on: connection, logState: connection.logState)
    }

    /// Checks the arguments of a change and counts it.
    @inline(__always)
    private func checkChange(_ key: RawSpan, _ keyspace: Keyspace) throws {
        try check(keyspace)
        try check(key)
        changeCount &+= 1
    }

    func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
        try checkChange(key, keyspace)
        if value.byteCount > StorageLimits.maxValueSize { try state.checkValue(value) }
        if isSmall(key, value) {
            if try hasNoLargeValues(keyspace.number) {
                try store(.put, key, value, in: keyspace)
            } else {
                try putOverLarge(key, value, in: keyspace)
            }
        } else {
            try putLarge(key, value, in: keyspace)
        }
    }

    func insert(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool {
        try checkChange(key, keyspace)
        if value.byteCount > StorageLimits.maxValueSize { try state.checkValue(value) }
        guard isSmall(key, value) else { return try insertLarge(key, value, in: keyspace) }
        try store(.insert, key, value, in: keyspace)
        return sqlite3_changes(connection.handle) > 0
    }

    func delete(_ key: RawSpan, in keyspace: Keyspace) throws -> Bool {
        try checkChange(key, keyspace)
        if try !hasNoLargeValues(keyspace.number), let id = try largeValueID(key, in: keyspace) {
            try run(.deleteLargeValue) { sqlite3_bind_int64($0, 1, id) }
        }
        let statement = try take(.delete)
        defer { connection.give(statement, .delete) }
        connection.bindKey(statement, keyspace.number, key)
        let code = sqlite3_step(statement)
        guard code == SQLITE_DONE else { throw failed(code) }
        return sqlite3_changes(connection.handle) > 0
    }

    func deleteRange(_ range: KeyRange, in keyspace: Keyspace) throws -> Int {
        try check(keyspace)
        if range.isEmpty { return 0 }
        changeCount &+= 1
        let lower = KeyPrefix.bytes(keyspace.number, range.lower)
        let upper = range.upper.map { KeyPrefix.bytes(keyspace.number, $0) } ?? KeyPrefix.bytes(keyspace.number + 1)
        return try deleteEntries(from: lower, upTo: upper, mayHoldLargeValues: !hasNoLargeValues(keyspace.number))
    }

    /// Deletes by whole keys, prefix and all.
    func deleteEntries(from lower: [UInt8], upTo upper: [UInt8], mayHoldLargeValues: Bool) throws -> Int {
        try lower.withUnsafeBytes { lower in
            try upper.withUnsafeBytes { upper in
                let bind = { (statement: OpaquePointer) in
                    self.connection.bind(statement, 1, lower)
                    self.connection.bind(statement, 2, upper)
                }
                if mayHoldLargeValues { try run(.deleteLargeValuesOfRange, bind) }
                return try run(.deleteRange, bind)
            }
        }
    }

    /// Runs a statement with a key and a value that stay where they are until it has ended.
    @inline(__always)
    func store(_ kind: StatementKind, _ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
        let statement = try take(kind)
        defer { connection.give(statement, kind) }
        connection.bindKey(statement, keyspace.number, key)
        let code = value.withUnsafeBytes { value in
            connection.bind(statement, 2, value)
            return sqlite3_step(statement)
        }
        guard code == SQLITE_DONE else { throw failed(code) }
    }

    /// Runs a statement of the connection; a failure poisons the transaction.
    @discardableResult
    func run(_ kind: StatementKind, _ bind: (OpaquePointer) -> Void = { _ in }) throws -> Int {
        try poisoning { try connection.run(kind, bind) }
    }

    /// nil: it sees what it changes.
    override var stateStamp: StateStamp? { nil }

    override func keyspace(named name: String) throws -> Keyspace? {
        guard isDirectoryChanged else { return try super.keyspace(named: name) }
        try state.check()
        var name = name
        return try name.withUTF8 { try keyspaceNumber(UnsafeRawBufferPointer($0)) }.map(handle)
    }

    override func makeCursor(in keyspace: Keyspace) -> SQLiteCursor {
        marks += 1
        let mark = marks
        return SQLiteCursor(transaction: self, keyspace: keyspace) { [unowned self] in
            // The cursor holds the transaction, so it is there.
            undoneMarks.contains { $0.contains(mark) }
        }
    }
}
