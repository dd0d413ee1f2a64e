import CLMDB

/// A cursor that changes of one keyspace go through while they follow each other, so that each begins where the last one was and not at the root of the tree.
///
/// Where each third record is updated, that takes half of the engine's instructions away: LMDB looks first whether the
/// key lies in the page where the cursor is.
struct CursorRun {
    /// How many changes there are before a cursor is opened for those that follow.
    private static let changesBeforeCursor = 2

    private var count = 0
    /// It belongs to the current level of savepoints.
    private var cursor: OpaquePointer?

    /// The cursor for another change; nil while they are few, and where LMDB opens none.
    @inline(__always)
    mutating func next(_ transaction: OpaquePointer, _ dbi: MDB_dbi) -> OpaquePointer? {
        if let cursor { return cursor }
        count += 1
        if count > Self.changesBeforeCursor { mdb_cursor_open(transaction, dbi, &cursor) }
        return cursor
    }

    /// Closes the cursor, because something else happens.
    @inline(__always)
    mutating func end() {
        count = 0
        guard let cursor else { return }
        mdb_cursor_close(cursor)
        self.cursor = nil
    }

    /// Forgets the cursor, which LMDB has freed with the level that it belonged to.
    mutating func forget() { (count, cursor) = (0, nil) }
}
