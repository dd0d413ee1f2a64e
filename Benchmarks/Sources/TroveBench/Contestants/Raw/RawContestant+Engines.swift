import RawEngines

extension RawContestant {
    static let lmdb = RawContestant(
        .lmdb, fileName: "store.mdb",
        approach: """
            mdb_cursor_put with MDB_APPEND, index entries sorted first, a cursor for scans and index ranges, one read \
            transaction that is renewed.
            """
    ) { raw_engine_lmdb() } tracks: { raw_track_engine_lmdb() } items: { raw_item_engine_lmdb() }

    static let sqlite = RawContestant(
        .sqlite, fileName: "store.sqlite",
        approach: """
            A WITHOUT ROWID table of keys and values, index entries, sorted first, among them; Trove's pragmas, statements \
            prepared once; a get outside of BEGIN is a transaction.
            """
    ) { raw_engine_sqlite() } tracks: { raw_track_engine_sqlite() } items: { raw_item_engine_sqlite() }

    static let tokyoCabinet = RawContestant(
        .tokyoCabinet, fileName: "store.tcb",
        approach: """
            A B+ tree with Trove's tuning, index entries, sorted first, among the records; tcbdbput in a transaction, tcbdbget3, a \
            cursor for scans and index ranges; no lock. Bulk load without BDBOTSYNC, then tcbdbsync.
            """
    ) { raw_engine_tokyo_cabinet() } tracks: { raw_track_engine_tokyo_cabinet() } items: { raw_item_engine_tokyo_cabinet() }
}
