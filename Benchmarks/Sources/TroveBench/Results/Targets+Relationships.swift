extension Targets {
    /// The figures of relationships. Bounds on a whole graph are for 100,000 songs; what was measured with others is brought to that number.
    static let relationships: [Target] = wholeGraphs + againstC + againstGRDB + deletions

    private static let (lmdb, grdb) = ("trove-lmdb", "grdb-records")

    private static func perGraph(_ results: Results, _ workload: String) -> Double? {
        results.secondsEach(lmdb, workload).map { $0 * 100_000 / Double(min(100_000, results.plan.scale.count)) }
    }

    private static let wholeGraphs: [Target] = [
        Target(title: "100,000 songs and 1,000 playlists stored, LMDB", bound: .atMost(1), unit: " s") { perGraph($0, "playlist-insert") },
        Target(title: "First songs of 1,000 playlists, LMDB", bound: .atMost(10), unit: " ms") {
            perGraph($0, "playlist-first-song").map { $0 * 1e3 }
        },
        Target(title: "First songs of 1,000 playlists with the opening, LMDB", bound: .told, unit: " ms") {
            perGraph($0, "playlist-reopen").map { $0 * 1e3 }
        },
    ]

    private static let againstC: [Target] = [
        .ratio("Songs and playlists stored against C, LMDB", "playlist-insert", lmdb, to: "raw-lmdb", .told),
        .ratio("First songs against C, LMDB", "playlist-first-song", lmdb, to: "raw-lmdb", .told),
        .ratio("Nodes deleted against C, LMDB", "cascade-delete", lmdb, to: "raw-lmdb", .told),
    ]

    private static let againstGRDB: [Target] = [
        .speedup("Songs and playlists stored over GRDB's records by hand, LMDB", "playlist-insert", lmdb, over: grdb, .atLeast(10)),
        .speedup("First songs over GRDB, LMDB", "playlist-first-song", lmdb, over: grdb, .atLeast(10)),
        .speedup("Songs and playlists stored over GRDB's records by hand, SQLite", "playlist-insert", "trove-sqlite", over: grdb, .told),
        .speedup("Songs and playlists stored over GRDB with own SQL, LMDB", "playlist-insert", lmdb, over: "grdb-statements", .told),
        .speedup("Nodes deleted over GRDB, LMDB", "cascade-delete", lmdb, over: grdb, .told),
    ]

    private static let deletions: [Target] = [("LMDB", lmdb), ("SQLite", "trove-sqlite"), ("Tokyo Cabinet", "trove-tokyo-cabinet")].map { engine, trove in
        Target(title: "Nodes deleted with their tree a second, \(engine)", bound: engine == "LMDB" ? .atLeast(300_000) : .told, unit: "") {
            $0.secondsEach(trove, "cascade-delete").map { 1 / $0 }
        }
    }
}
