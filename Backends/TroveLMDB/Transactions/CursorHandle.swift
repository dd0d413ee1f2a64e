import CLMDB

/// An LMDB cursor and the level of savepoints it was opened in: 0 outside any, and a number of its own for each savepoint.
struct CursorHandle {
    let pointer: OpaquePointer
    let dbi: MDB_dbi
    let level: Int
}
