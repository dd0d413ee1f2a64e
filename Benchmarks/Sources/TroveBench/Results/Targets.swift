/// The figures that Trove has to reach.
enum Targets {
    /// Those that the run has measured.
    static func results(_ results: Results) -> [TargetResult] {
        all.compactMap { target in
            target.figure(results).map { figure in
                switch target.bound {
                case .atMost(let bound):
                    TargetResult(
                        title: target.title, bound: "≤ \(text(bound))\(target.unit)", figure: figure, unit: target.unit, isMet: figure <= bound)
                case .atLeast(let bound):
                    TargetResult(
                        title: target.title, bound: "≥ \(text(bound))\(target.unit)", figure: figure, unit: target.unit, isMet: figure >= bound)
                case .told:
                    TargetResult(title: target.title, bound: "", figure: figure, unit: target.unit, isMet: nil)
                }
            }
        }
    }

    private static func text(_ bound: Double) -> String {
        bound == bound.rounded() ? "\(Int(bound))" : "\(bound)"
    }

    private static let engines: [EngineName] = [.lmdb, .sqlite, .tokyoCabinet]

    private static let all: [Target] = againstC + [fetchAll] + againstGRDB + groupCommit + streaming + searches + relationships

    private static let againstC: [Target] = engines.flatMap { engine -> [Target] in
        let (trove, raw) = ("trove-\(engine.rawValue)", "raw-\(engine.rawValue)")
        let isLMDB = engine == .lmdb
        return [
            .ratio("Bulk insert against C, \(engine.title)", "bulk-insert", trove, to: raw, .atMost(isLMDB ? 2 : 1.5)),
            .ratio("Scan without decoding against C, \(engine.title)", "scan", trove, to: raw, .atMost(2)),
            .ratio("Get and decode against C, \(engine.title)", "get", trove, to: raw, .atMost(isLMDB ? 3 : 2)),
        ]
    }

    private static let fetchAll = Target(title: "Fetch all, LMDB", bound: .atMost(500), unit: " ns") {
        $0.secondsEach("trove-lmdb", "fetch-all").map { $0 * 1e9 }
    }

    private static let againstGRDB: [Target] = [EngineName.sqlite, .lmdb].flatMap { engine -> [Target] in
        let trove = "trove-\(engine.rawValue)"
        return [
            .speedup("Bulk insert over GRDB's records by hand, \(engine.title)", "bulk-insert", trove, over: "grdb-records", .atLeast(3)),
            .speedup("Get over GRDB's records by hand, \(engine.title)", "get", trove, over: "grdb-records", .atLeast(10)),
            .speedup("Bulk insert over GRDB with own SQL, \(engine.title)", "bulk-insert", trove, over: "grdb-statements", .told),
            .speedup("Get over GRDB with own SQL, \(engine.title)", "get", trove, over: "grdb-statements", .told),
        ]
    }

    private static let groupCommit: [Target] = engines.map { engine in
        let trove = "trove-\(engine.rawValue)"
        return Target(
            title: "Rate of 64 tasks over that of 1, \(engine.title)", bound: engine == .tokyoCabinet ? .told : .atLeast(10), unit: "×"
        ) { results in
            guard let one = results.secondsEach(trove, "write-1"), let many = results.secondsEach(trove, "write-64") else { return nil }
            return one / many
        }
    }

    private static let streaming: [Target] = (engines + [.memory]).map { engine in
        Target(title: "Peak memory of streaming, \(engine.title)", bound: .atMost(64), unit: " MiB") {
            $0.summary("trove-\(engine.rawValue)", "stream").map { $0.peakGrowth.maximum / 1_048_576 }
        }
    }
}
