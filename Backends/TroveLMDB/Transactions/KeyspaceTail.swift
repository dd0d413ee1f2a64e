import CLMDB
import TroveStorage

/// What a write transaction knows of the upper end of a keyspace, so that ascending keys are appended.
///
/// LMDB's append mode skips the search and fills pages instead of halving them: 0.30 µs a record instead of 0.43, and files a third smaller.
struct KeyspaceTail {
    enum Bound {
        case unknown
        case empty
        /// No key of the keyspace is above the one kept. It may have been deleted since.
        case key
    }

    private(set) var bound = Bound.unknown
    private var buffer = KeyBuffer()
    /// How many appends came one after the other.
    var run = 0
    /// The cursor that appends, while nothing but appends happens. It belongs to the current level.
    var cursor: OpaquePointer?

    /// Whether a key is above all there are.
    @inline(__always)
    func isBelow(_ key: UnsafeRawBufferPointer) -> Bool {
        switch bound {
        case .unknown: false
        case .empty: true
        case .key: compareBytes(key, buffer.bytes) > 0
        }
    }

    @inline(__always)
    mutating func raise(to key: UnsafeRawBufferPointer) {
        buffer.keep(key)
        bound = .key
    }

    /// Tells that the keyspace has no entries.
    mutating func becomeEmpty() {
        endRun()
        bound = .empty
    }

    /// Forgets the bound: a rollback may have brought higher keys back.
    mutating func forget() {
        cursor = nil
        run = 0
        bound = .unknown
    }

    /// Ends the appending; another kind of change leaves the cursor's idea of the end outdated.
    @inline(__always)
    mutating func endRun() {
        run = 0
        guard let cursor else { return }
        mdb_cursor_close(cursor)
        self.cursor = nil
    }

    /// Frees the memory. LMDB frees the cursor with the transaction.
    mutating func free() { buffer.free() }
}
