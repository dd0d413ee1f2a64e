import CLMDB
import TroveStorage

/// A cursor that remembers its key, so that it finds its place again after changes and savepoints.
final class LMDBCursor: StorageCursor {
    private enum Position {
        case beforeFirst
        case atKey
        case afterLast
    }

    private let owner: LMDBTransaction
    private let keyspace: Keyspace
    // The checks of exclusive access took a third of a step. A cursor is used by its transaction's thread alone, and nothing of a caller runs
    // while one of these is changed: `withEntry` hands copies to its closure.
    @exclusivity(unchecked) private var handle: CursorHandle
    @exclusivity(unchecked) private var position = Position.beforeFirst
    /// The entry LMDB gave last; good while `generation` is the transaction's.
    @exclusivity(unchecked) private var key = MDB_val()
    @exclusivity(unchecked) private var value = MDB_val()
    @exclusivity(unchecked) private var generation: Int
    /// A copy of the key, in write transactions.
    @exclusivity(unchecked) private var kept = KeyBuffer()
    private let isWriting: Bool
    /// The savepoint it was made in; with that it is undone.
    private let level: Int

    init(in owner: LMDBTransaction, keyspace: Keyspace, handle: CursorHandle) {
        self.owner = owner
        self.keyspace = keyspace
        self.handle = handle
        generation = owner.core.pointee.generation
        isWriting = owner is LMDBWriter
        level = handle.level
    }

    deinit {
        kept.free()
        owner.closeCursor(handle)
    }

    func seek(to key: RawSpan) throws -> Bool {
        _ = try prepare()
        let code = key.withUnsafeBytes { bytes in
            self.key = MDB_val(bytes)
            return mdb_cursor_get(handle.pointer, &self.key, &value, bytes.isEmpty ? MDB_FIRST : MDB_SET_RANGE)
        }
        return try arrive(code, otherwise: .afterLast)
    }

    func seekToLast() throws -> Bool {
        _ = try prepare()
        return try arrive(mdb_cursor_get(handle.pointer, &key, &value, MDB_LAST), otherwise: .beforeFirst)
    }

    func next() throws -> Bool {
        let isInPlace = try prepare()
        switch position {
        case .afterLast: return false
        case .beforeFirst: return try arrive(mdb_cursor_get(handle.pointer, &key, &value, MDB_FIRST), otherwise: .afterLast)
        case .atKey where isInPlace: return try arrive(mdb_cursor_get(handle.pointer, &key, &value, MDB_NEXT), otherwise: .afterLast)
        case .atKey:
            key = MDB_val(kept.bytes)
            var code = mdb_cursor_get(handle.pointer, &key, &value, MDB_SET_RANGE)
            if code == MDB_SUCCESS, compareBytes(key.bytes, kept.bytes) == 0 {
                code = mdb_cursor_get(handle.pointer, &key, &value, MDB_NEXT)
            }
            return try arrive(code, otherwise: .afterLast)
        }
    }

    func previous() throws -> Bool {
        let isInPlace = try prepare()
        switch position {
        case .beforeFirst: return false
        case .afterLast: return try arrive(mdb_cursor_get(handle.pointer, &key, &value, MDB_LAST), otherwise: .beforeFirst)
        case .atKey where isInPlace:
            return try arrive(mdb_cursor_get(handle.pointer, &key, &value, MDB_PREV), otherwise: .beforeFirst)
        case .atKey: return try arrive(owner.last(below: kept.bytes, handle.pointer, &key, &value), otherwise: .beforeFirst)
        }
    }

    func withEntry(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws -> Bool {
        let isInPlace = try prepare()
        guard position == .atKey else { return false }
        if !isInPlace {
            // The place is not marked as found again: when the entry is gone, LMDB's cursor has none.
            key = MDB_val(kept.bytes)
            let code = mdb_cursor_get(handle.pointer, &key, &value, MDB_SET_KEY)
            if code == MDB_NOTFOUND {
                generation = -1
                return false
            }
            if code != MDB_SUCCESS { throw owner.fail(code, doing: "read an entry") }
        }
        owner.core.pointee.lending += 1
        defer { owner.core.pointee.lending -= 1 }
        try body(key.bytes.bytes, value.bytes.bytes)
        return true
    }

    /// Checks that the cursor may be used; whether LMDB's cursor still is where this one was left.
    @inline(__always)
    private func prepare() throws -> Bool {
        if !isWriting {
            try owner.check()
            return true
        }
        _ = try owner.dbi(of: keyspace)
        if generation == owner.core.pointee.generation, owner.isUsable(handle) { return true }
        if owner.isUndone(level) { throw owner.state.goneKeyspace }
        try owner.reopen(&handle)
        generation = owner.core.pointee.generation
        return false
    }

    private func arrive(_ code: Int32, otherwise end: Position) throws -> Bool {
        if code == MDB_SUCCESS {
            position = .atKey
            if isWriting { kept.keep(key.bytes) }
            return true
        }
        guard code == MDB_NOTFOUND else { throw owner.fail(code, doing: "move a cursor") }
        position = end
        return false
    }
}
