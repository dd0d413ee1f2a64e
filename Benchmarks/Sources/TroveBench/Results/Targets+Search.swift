extension Targets {
    /// The figures of searches.
    static let searches: [Target] = filters + queries + inserts + texts + groups

    private static let lmdb = "trove-lmdb", sqlite = "trove-sqlite", tokyoCabinet = "trove-tokyo-cabinet"
    private static let columns = "raw-sqlite-columns", grdb = "grdb-records"

    private static let filters: [Target] = [
        .ratio("Filter and count against SQLite's own, SQLite", "filter-count", sqlite, to: columns, .atMost(1.5)),
        .ratio("Filter and count against SQLite's own, LMDB", "filter-count", lmdb, to: columns, .atMost(1)),
    ]

    private static let queries: [Target] = [
        ("Equality on an index", "index-equality"), ("Range on an index", "index-range"),
    ].flatMap { title, workload -> [Target] in
        [
            .speedup("\(title) over GRDB's records by hand, LMDB", workload, lmdb, over: grdb, .atLeast(5)),
            .speedup("\(title) over GRDB's records by hand, SQLite", workload, sqlite, over: grdb, .atLeast(2)),
            .speedup("\(title) of C over GRDB's records by hand, LMDB", workload, "raw-lmdb", over: grdb, .told),
            .speedup("\(title) of C on columns over GRDB's records by hand", workload, columns, over: grdb, .told),
        ]
    }

    private static let inserts: [Target] = [
        .speedup("Insert with two indexes over GRDB's records by hand, SQLite", "indexed-insert", sqlite, over: grdb, .atLeast(2)),
        .speedup("Insert with two indexes over GRDB's records by hand, LMDB", "indexed-insert", lmdb, over: grdb, .atLeast(4)),
        .speedup(
            "Insert with two indexes over GRDB's records by hand, Tokyo Cabinet", "indexed-insert", tokyoCabinet, over: grdb, .atLeast(1)),
        .ratio("Insert with two indexes against C that sorts, LMDB", "indexed-insert", lmdb, to: "raw-lmdb", .atMost(2)),
        .ratio("Insert with two indexes against C that sorts, SQLite", "indexed-insert", sqlite, to: "raw-sqlite", .atMost(2)),
        .ratio(
            "Insert with two indexes against C that sorts, Tokyo Cabinet", "indexed-insert", tokyoCabinet, to: "raw-tokyo-cabinet",
            .atMost(2)),
    ]

    private static let texts: [Target] = [("LMDB", lmdb), ("SQLite", sqlite), ("Tokyo Cabinet", tokyoCabinet)].flatMap { engine, trove in
        [
            Target(title: "Titles indexed by words a second, \(engine)", bound: .atLeast(100_000), unit: "") {
                $0.secondsEach(trove, "text-insert").map { 1 / $0 }
            },
            Target(title: "A word of 727 titles, \(engine)", bound: engine == "LMDB" ? .atMost(5) : .told, unit: " ms") {
                $0.secondsEach(trove, "text-word").map { $0 * 1e3 }
            },
            .ratio("Two words by rank against FTS5 in C, \(engine)", "text-ranked", trove, to: columns, .atMost(2)),
        ]
    }

    private static let groups: [Target] = [("LMDB", lmdb), ("SQLite", sqlite), ("Tokyo Cabinet", tokyoCabinet)].map { engine, trove in
        Target(title: "Group and count by index, \(engine)", bound: .atMost(1), unit: " ms") {
            $0.secondsEach(trove, "group-count").map { $0 * 1e3 }
        }
    }
}
