import Foundation

/// The results as Markdown tables.
struct MarkdownReport {
    private let results: Results

    init(_ results: Results) {
        self.results = results
    }

    var text: String {
        [problems, heading, matrix, targets, details].filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private var problems: String {
        results.problems.map { "**Problem**: \($0)" }.joined(separator: "\n\n")
    }

    private var heading: String {
        let environment = results.environment
        let plan = results.plan
        let versions = environment.versions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return """
            \(Figures.count(Double(plan.scale.count))) objects: \(objects); medians of \(plan.repeats), \
            \(plan.durability.rawValue) commits, \(environment.date), commit \(environment.commit).
            \(environment.machine); \(environment.system), \(environment.fileSystem); \(environment.swift); \(versions).
            """
    }

    private var objects: String {
        StoreFamily.allCases.filter { family in results.plan.workloads.contains { $0.family == family } }.map { family in
            switch family {
            case .songs: "songs {id, title, artist, year, rating, duration}"
            case .tracks: "tracks {id, title, artist, label, year, plays, rating, duration}"
            case .titles: "titles {id, title, seconds}"
            case .playlists: "songs {id, title, seconds} and a hundredth as many playlists {id, name, 100 songs}"
            case .tree: "a tree {id, name, nodes} of nodes {id, title, seconds}"
            }
        }.joined(separator: ", ")
    }

    /// Who against what, a table for each family: medians, and how many times that of the C program.
    private var matrix: String {
        let tables = StoreFamily.allCases.compactMap { family -> String? in
            let workloads = results.plan.workloads.filter { $0.family == family }
            return workloads.isEmpty ? nil : table(of: workloads)
        }
        return tables.joined(separator: "\n\n") + """


            Medians: the time of one operation, or operations a second. In brackets: how many times the time of the C program on the same
            engine; for GRDB of the one on columns, where that takes part.
            """
    }

    private func table(of workloads: [any Workload]) -> String {
        var lines = [
            "| | " + workloads.map(\.title).joined(separator: " | ") + " |",
            "|---|" + workloads.map { _ in "---:|" }.joined(),
        ]
        for contestant in results.plan.contestants {
            guard workloads.contains(where: { contestant.reasonAgainst($0) == nil }) else { continue }
            let cells = workloads.map { cell(contestant, $0) }
            lines.append("| \(contestant.title) | \(cells.joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n")
    }

    private func cell(_ contestant: any Contestant, _ workload: any Workload) -> String {
        if contestant.reasonAgainst(workload) != nil { return "–" }
        guard let own = results.secondsEach(contestant.name, workload.name) else { return "failed" }
        let text = Figures.result(own, workload.unit)
        guard let floor = results.floor(of: contestant, workload), let least = results.secondsEach(floor.name, workload.name) else { return text }
        return "\(text) (\(Figures.short(own / least)))"
    }

    private var targets: String {
        let results = Targets.results(results)
        guard !results.isEmpty else { return "" }
        let lines = results.map { result in
            let verdict = result.isMet.map { $0 ? "met" : "**missed**" } ?? ""
            return "| \(result.title) | \(result.bound) | \(Figures.short(result.figure))\(result.unit) | \(verdict) |"
        }
        return (["| target | asked | measured | |", "|---|---:|---:|---|"] + lines).joined(separator: "\n")
    }

    private var details: String {
        var lines = [
            "| workload | contestant | median | from | to | processor time | peak memory | engine's cache | files |",
            "|---|---|---:|---:|---:|---:|---:|---:|---:|",
        ]
        for workload in results.plan.workloads {
            for contestant in results.plan.contestants {
                guard let summary = results.summary(contestant.name, workload.name) else { continue }
                let cells = [
                    workload.name, contestant.name,
                    Figures.result(summary.secondsEach.median, workload.unit),
                    Figures.result(summary.secondsEach.minimum, workload.unit),
                    Figures.result(summary.secondsEach.maximum, workload.unit),
                    "\(Figures.short(summary.processorSecondsEach.median * 1e6)) µs",
                    Figures.mebibytes(summary.peakGrowth.maximum),
                    summary.engineCache.map { Figures.mebibytes($0.median) } ?? "",
                    Figures.mebibytes(summary.storeSize.median),
                ]
                lines.append("| \(cells.joined(separator: " | ")) |")
            }
        }
        return lines.joined(separator: "\n")
    }
}
