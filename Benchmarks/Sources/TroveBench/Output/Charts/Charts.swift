import Foundation

/// All pictures of a run.
struct Charts {
    /// A picture of bars: its file's name, and its workloads.
    private static let bars: [(name: String, title: String, workloads: [String])] = [
        ("benchmark", "Trove, its engines and GRDB", ["bulk-insert", "get", "fetch-all", "write-64"]),
        ("objects", "Simple songs: BNRPersistence's benchmark, live objects too", ["item-insert", "item-fetch", "update-third", "delete-half"]),
        ("searches", "Searches", ["filter-count", "index-equality", "index-range", "text-word"]),
        ("relationships", "Relationships", ["playlist-insert", "playlist-first-song", "tree-insert", "cascade-delete"]),
        ("mixed", "Single operations, a transaction each: YCSB", MixedWork.allCases.map { "mixed-\($0.rawValue)" }),
        ("documents", "Documents with six indexes", DocumentInsert.batches.map { "document-insert-\($0)" }),
    ]

    let results: ResultsFile

    /// The pictures that the run has results for, as SVG, by the names of their files.
    var pictures: [(name: String, svg: String)] {
        var pictures = Self.bars.compactMap { set in
            BarChart(results, title: set.title, workloads: set.workloads).map { (set.name, $0.svg) }
        }
        if let growth = GrowthChart(results) { pictures.append(("growth", growth.svg)) }
        return pictures
    }

    /// Writes `NAME.svg` for each picture, and `NAME.png` when there is a program that makes it.
    ///
    /// - Returns: What was written, or why it was not, in words.
    func write(to directory: String) throws -> [String] {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let pictures = pictures
        if pictures.isEmpty { return ["no chart: the run has none of the workloads that are drawn"] }
        let converts = ChildProcess.firstLine("rsvg-convert", "--version") != nil
        var report: [String] = []
        for (name, svg) in pictures {
            let path = "\(directory)/\(name)"
            try Data(svg.utf8).write(to: URL(fileURLWithPath: "\(path).svg"))
            report.append("\(path).svg")
            guard converts else { continue }
            // Twice as large as the SVG says, for screens with fine dots.
            _ = try ChildProcess.output(
                of: URL(fileURLWithPath: "/usr/bin/env"), ["rsvg-convert", "--zoom", "2", "--output", "\(path).png", "\(path).svg"])
            report.append("\(path).png")
        }
        if !converts { report.append("no PNG: rsvg-convert is not installed (the package librsvg2-bin has it)") }
        return report
    }
}

extension ResultsFile {
    /// The contestants that took part, in the order of the list.
    var contestants: [any Contestant] {
        Contestants.all.filter { contestant in summaries.contains { $0.contestant == contestant.name } }
    }

    /// The median time of one operation, in seconds.
    func secondsEach(_ contestant: any Contestant, _ workload: any Workload) -> Double? {
        summaries.first { $0.contestant == contestant.name && $0.workload == workload.name }?.secondsEach.median
    }

    /// What a picture has to say of the run below it.
    func caption(_ objects: String, _ axes: String, of workloads: [any Workload]) -> [String] {
        let repeats = Measurement.repeats(measurements, of: workloads).map(Figures.repeats) ?? ""
        return [
            "\(objects), \(durability.rawValue) commits, \(repeats); \(environment.date), commit \(environment.commit).",
            "\(environment.machine); \(environment.system), \(environment.fileSystem).",
            "\(environment.versionText). \(axes)",
        ]
    }
}
