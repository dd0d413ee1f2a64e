import CSQLite
import TroveBackendKit
import TroveStorage

/// A transaction on one connection; ``SQLiteWriter`` adds the changes.
class SQLiteReader: StorageReader {
    final let engine: SQLiteEngine
    final let connection: Connection
    @exclusivity(unchecked) final var state: TransactionState
    /// The state of the log before the snapshot was taken; nil when it is not known.
    final let logState: LogState?

    /// What ``check(_:)`` needs of `state`, apart from it: reading a plain property costs less than calling a method of a stored value.
    private final let serial: UInt64
    private final var isUsable = true
    private final var isAnyGone = false

    /// Counts changes, so that cursors know when what they hold is old.
    final var changeCount = 0

    /// Keyspaces that were dropped or whose making was undone in this transaction.
    final var gone: Set<UInt32> = [] {
        didSet { isAnyGone = !gone.isEmpty }
    }

    /// The statements that cursors hold between calls. One thread uses a transaction, and nothing of others runs while this changes.
    @exclusivity(unchecked) final var cursorStatements: [OpaquePointer: StatementKind] = [:]

    init(of engine: SQLiteEngine, on connection: Connection, logState: LogState?) {
        self.engine = engine
        self.connection = connection
        self.logState = logState
        state = engine.beginState()
        serial = state.serial
    }

    /// Ends the transaction for its user. Cursors may outlive it, so what they hold is taken from them: a running
    /// statement would keep the snapshot.
    final func finish() {
        state.finish()
        isUsable = false
        if !cursorStatements.isEmpty {
            for (statement, kind) in cursorStatements { connection.give(statement, kind) }
            cursorStatements.removeAll()
        }
        connection.endSQL()
    }

    @inline(__always)
    final func check(_ keyspace: Keyspace) throws {
        if !isUsable || keyspace.transaction != serial || isAnyGone { try checkThoroughly(keyspace) }
    }

    @inline(never)
    private final func checkThoroughly(_ keyspace: Keyspace) throws {
        try state.check(keyspace)
        if gone.contains(keyspace.number) { throw state.goneKeyspace }
    }

    @inline(__always)
    final func check(_ key: RawSpan) throws {
        if key.byteCount == 0 || key.byteCount > StorageLimits.maxKeySize { try state.checkKey(key) }
    }

    @inline(__always)
    final func check() throws {
        if !isUsable { try state.check() }
    }

    /// Poisons the transaction and returns the error to throw.
    final func poison(with error: StorageError) -> StorageError {
        isUsable = false
        return state.poison(with: error)
    }

    /// Forgets the poison after everything since a savepoint was undone.
    final func recover() {
        state.recover()
        isUsable = state.isActive
    }

    /// Poisons the transaction after a call has returned `code`.
    final func failed(_ code: Int32) -> StorageError { poison(with: connection.failure(code)) }

    /// Runs `body`, poisoning the transaction when the engine fails in it. Not for code of the caller.
    final func poisoning<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as StorageError {
            throw poison(with: error)
        }
    }

    func handle(_ number: UInt32) -> Keyspace { Keyspace(number: number, transaction: state.serial) }

    /// Readers on further connections. A write transaction keeps other commits away, so that they see what it has not changed yet.
    final func withConcurrentReaders(upTo count: Int, _ body: (_ readers: [any StorageReader]) throws -> Void) throws {
        try check()
        try engine.withReaders(upTo: changeCount == 0 ? count : 0, of: logState, timeout: connection.busyTimeout, body)
    }

    /// The state of the log. One that it is in before and after the snapshot is taken is that of the snapshot, since its states are never repeated.
    var stateStamp: StateStamp? {
        guard isUsable, let logState, connection.logState == logState else { return nil }
        return logState.stamp
    }

    // MARK: Keyspaces

    func keyspace(named name: String) throws -> Keyspace? {
        try check()
        var name = name
        return try name.withUTF8 { name in
            let name = UnsafeRawBufferPointer(name)
            if let number = connection.names.number(of: name) { return handle(number) }
            guard let number = try keyspaceNumber(name) else { return nil }
            connection.names.add(number, of: name)
            return handle(number)
        }
    }

    /// Looks the name up in the directory.
    final func keyspaceNumber(_ name: UnsafeRawBufferPointer) throws -> UInt32? {
        try poisoning {
            guard let found = try connection.integer(.keyspaceNumber, { connection.bind($0, 1, name) }) else { return nil }
            // Another one is damage that SQLite cannot see.
            guard let number = UInt32(exactly: found), (1...SQLiteWriter.maxKeyspaceNumber).contains(number) else {
                throw connection.failure(SQLITE_CORRUPT)
            }
            return number
        }
    }

    final func keyspaceNames() throws -> [String] {
        try state.check()
        return try poisoning {
            let statement = try connection.take(.keyspaceNames)
            defer { connection.give(statement, .keyspaceNames) }
            var names: [String] = []
            while true {
                let code = sqlite3_step(statement)
                if code == SQLITE_DONE { return names }
                guard code == SQLITE_ROW else { throw connection.failure(code) }
                names.append(
                    try connection.withColumn(statement, 0) { bytes in
                        bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
                    })
            }
        }
    }

    // MARK: Entries

    final func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        try check(keyspace)
        try check(key)
        let statement = try take(.get)
        defer { connection.give(statement, .get) }
        connection.bindKey(statement, keyspace.number, key)
        let code = sqlite3_step(statement)
        if code == SQLITE_ROW {
            try withValue(statement, 0, body)
            return true
        }
        guard code == SQLITE_DONE else { throw failed(code) }
        return false
    }

    @inline(__always)
    final func take(_ kind: StatementKind) throws -> OpaquePointer {
        do {
            return try connection.take(kind)
        } catch let error as StorageError {
            throw poison(with: error)
        }
    }

    /// Calls `body` with the value in a column of the entries' table, wherever it is kept.
    @inline(__always)
    final func withValue<Result>(
        _ statement: OpaquePointer, _ column: Int32, _ body: (RawSpan) throws -> Result
    ) throws -> Result {
        if sqlite3_column_type(statement, column) == SQLITE_BLOB {
            return try connection.withColumn(statement, column, body)
        }
        return try withLargeValue(Int(sqlite3_column_int64(statement, column)), body)
    }

    /// The same with a value that the condition of a visit was given.
    @inline(__always)
    final func withValue<Result>(_ value: OpaquePointer?, _ body: (RawSpan) throws -> Result) throws -> Result {
        guard sqlite3_value_type(value) == SQLITE_BLOB else { return try withLargeValue(Int(sqlite3_value_int64(value)), body) }
        let start = sqlite3_value_blob(value)
        let count = Int(sqlite3_value_bytes(value))
        if start == nil && count > 0 { throw failed(SQLITE_NOMEM) }
        return try body(UnsafeRawBufferPointer(start: start, count: count).bytes)
    }

    private func withLargeValue<Result>(_ id: Int, _ body: (RawSpan) throws -> Result) throws -> Result {
        let statement = try take(.largeValue)
        defer { connection.give(statement, .largeValue) }
        sqlite3_bind_int64(statement, 1, Int64(id))
        let code = sqlite3_step(statement)
        // An entry whose value is not there is damage that SQLite cannot see.
        guard code == SQLITE_ROW else { throw failed(code == SQLITE_DONE ? SQLITE_CORRUPT : code) }
        return try connection.withColumn(statement, 0, body)
    }

    final func cursor(in keyspace: Keyspace) throws -> any StorageCursor {
        try check(keyspace)
        return makeCursor(in: keyspace)
    }

    func makeCursor(in keyspace: Keyspace) -> SQLiteCursor {
        SQLiteCursor(transaction: self, keyspace: keyspace)
    }
}
