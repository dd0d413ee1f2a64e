import RawEngines

extension RawContestant {
    static let lmdb = RawContestant(
        .lmdb, fileName: "songs.mdb",
        approach: "mdb_cursor_put with MDB_APPEND, a cursor for the scan, one read transaction that is renewed."
    ) { raw_engine_lmdb() }

    static let sqlite = RawContestant(
        .sqlite, fileName: "songs.sqlite",
        approach: "A WITHOUT ROWID table of keys and values, Trove's pragmas, statements prepared once; a get outside of BEGIN is a transaction."
    ) { raw_engine_sqlite() }

    static let tokyoCabinet = RawContestant(
        .tokyoCabinet, fileName: "songs.tcb",
        approach: "A B+ tree with Trove's tuning, tcbdbput in a transaction, tcbdbget3, a cursor for the scan; no lock. Bulk load without BDBOTSYNC, then tcbdbsync."
    ) { raw_engine_tokyo_cabinet() }
}
