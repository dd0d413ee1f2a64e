import CSQLite
import TroveStorage

/// A cursor that remembers its key and steps a statement for as long as it walks one way and nothing changes.
final class SQLiteCursor: StorageCursor {
    private enum Position {
        case beforeFirst
        case atKey
        case afterLast
    }

    private typealias Running = (statement: OpaquePointer, kind: StatementKind, changeCount: Int, move: Int)

    private let transaction: SQLiteReader
    private let keyspace: Keyspace
    private let prefixSize: Int
    private let isUndone: () -> Bool

    private var position = Position.beforeFirst
    /// The keyspace's prefix and the current key.
    private var key: [UInt8]
    /// The statement that stands at the current key, and the transaction's count of changes then.
    private var running: Running?
    /// Counts moves.
    private var moves = 0

    /// - Parameter isUndone: Whether a savepoint the cursor was made in has been rolled back.
    init(transaction: SQLiteReader, keyspace: Keyspace, isUndone: @escaping () -> Bool = { false }) {
        self.transaction = transaction
        self.keyspace = keyspace
        self.isUndone = isUndone
        key = KeyPrefix.bytes(keyspace.number)
        prefixSize = key.count
    }

    deinit { stop() }

    func seek(to key: RawSpan) throws -> Bool {
        try check()
        self.key.removeSubrange(prefixSize...)
        key.withUnsafeBytes { self.key.append(contentsOf: $0) }
        return try start(.scanAscending, from: self.key)
    }

    func seekToLast() throws -> Bool {
        try check()
        return try start(.scanDescending, from: KeyPrefix.bytes(keyspace.number + 1))
    }

    func next() throws -> Bool {
        try check()
        switch position {
        case .beforeFirst: return try start(.scanAscending, from: Array(key[..<prefixSize]))
        case .afterLast: return false
        case .atKey:
            if let running, running.kind == .scanAscending, running.changeCount == transaction.changeCount {
                return try step()
            }
            return try start(.scanAscending, from: key + [0])
        }
    }

    func previous() throws -> Bool {
        try check()
        switch position {
        case .beforeFirst: return false
        case .afterLast: return try start(.scanDescending, from: KeyPrefix.bytes(keyspace.number + 1))
        case .atKey:
            if let running, running.kind == .scanDescending, running.changeCount == transaction.changeCount {
                return try step()
            }
            return try start(.scanDescending, from: key)
        }
    }

    func withEntry(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws -> Bool {
        try check()
        guard position == .atKey else { return false }
        if let lent = running, lent.changeCount == transaction.changeCount {
            // The body may move this cursor; the statement whose memory it reads must stay where it is until it has returned.
            running = nil
            defer { takeBack(lent) }
            try transaction.connection.withColumn(lent.statement, 0) { key in
                try transaction.withValue(lent.statement, 1) { try body(key.extracting(droppingFirst: prefixSize), $0) }
            }
            return true
        }
        let current = Array(key[prefixSize...])
        return try transaction.get(current.span.bytes, in: keyspace) { try body(current.span.bytes, $0) }
    }

    private func check() throws {
        try transaction.check(keyspace)
        if isUndone() { throw transaction.state.goneKeyspace }
    }

    /// Starts a statement at a bound and makes its first step.
    private func start(_ kind: StatementKind, from bound: [UInt8]) throws -> Bool {
        if let running, running.kind == kind {
            sqlite3_reset(running.statement)
        } else {
            stop()
            let statement = try transaction.take(kind)
            transaction.cursorStatements[statement] = kind
            running = (statement, kind, 0, moves)
        }
        return try bound.withUnsafeBytes { bound in
            if let running { transaction.connection.bind(running.statement, 1, bound) }
            return try step()
        }
    }

    /// Steps the running statement and remembers where it stands.
    private func step() throws -> Bool {
        guard let (statement, kind, _, _) = running else { return false }
        moves += 1
        let code = sqlite3_step(statement)
        guard code == SQLITE_ROW || code == SQLITE_DONE else {
            stop()
            throw transaction.failed(code)
        }
        if code == SQLITE_ROW {
            let isInside = try transaction.connection.withColumn(statement, 0) { found in
                found.withUnsafeBytes { found in
                    guard found.starts(with: key[..<prefixSize]) else { return false }
                    key.removeSubrange(prefixSize...)
                    key.append(contentsOf: found[prefixSize...])
                    return true
                }
            }
            if isInside {
                position = .atKey
                running = (statement, kind, transaction.changeCount, moves)
                return true
            }
        }
        position = kind == .scanAscending ? .afterLast : .beforeFirst
        stop()
        return false
    }

    /// Ends the use of a statement by a body: it runs on when the body has not moved the cursor.
    private func takeBack(_ lent: Running) {
        if running == nil && lent.move == moves {
            running = lent
        } else {
            give(lent)
        }
    }

    private func stop() {
        guard let stopped = running else { return }
        running = nil
        give(stopped)
    }

    /// Gives a statement back, unless the transaction has taken it at its end.
    private func give(_ used: Running) {
        guard transaction.cursorStatements.removeValue(forKey: used.statement) != nil else { return }
        transaction.connection.give(used.statement, used.kind)
    }
}
