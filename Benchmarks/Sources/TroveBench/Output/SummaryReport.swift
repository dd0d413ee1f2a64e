/// One small table of the main workloads, for a page that tells of more than speed.
struct SummaryReport {
    private static let workloads = ["bulk-insert", "get-each", "fetch-all", "index-equality", "write-1", "write-64"]

    private let results: Results

    init(_ results: Results) {
        self.results = results
    }

    var text: String {
        let workloads = Self.workloads.compactMap { name in results.plan.workloads.first { $0.name == name } }
        let contestants = results.plan.contestants.filter { contestant in
            contestant.isPersistent && workloads.contains { results.secondsEach(contestant.name, $0.name) != nil }
        }
        guard !contestants.isEmpty else { return "The run has none of the main workloads." }
        let rows = contestants.map { contestant in
            let cells = workloads.map { workload in
                results.secondsEach(contestant.name, workload.name).map { Figures.result($0, workload.unit) } ?? "–"
            }
            return "| \(contestant.title) | \(cells.joined(separator: " | ")) |"
        }
        let header = [
            "| | " + workloads.map(\.title).joined(separator: " | ") + " |",
            "|---|" + workloads.map { _ in "---:|" }.joined(),
        ]
        let environment = results.environment
        let counts = Set(workloads.compactMap { $0.scale(results.plan.scale)?.count }).sorted().map { Figures.count(Double($0)) }.joined(separator: " or ")
        let repeats = results.repeats(of: workloads).map(Figures.repeats) ?? ""
        return (header + rows).joined(separator: "\n") + """


            \(counts) objects, \(results.plan.durability.rawValue) commits, \(repeats); times are those of one operation. \(environment.machine), \
            \(environment.fileSystem); \(environment.versionText); \(environment.date), commit \(environment.commit).
            """
    }
}
