import ArgumentParser
import Foundation

/// Runs workloads and writes the results.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Runs the workloads and prints a table of medians.",
        discussion: """
            Without options it runs everything five times: a million objects, 250,000 where there are many workloads, fewer where a benchmark that they \
            are taken from has fewer, see `list`; that takes more than an hour and 12 GB of disk. `--plan` tells what a run would measure, how often, and \
            about how long it would take.

            With --minutes everything is measured once, as far as there is time, and then again, what tells most first; what was left out, and how \
            often the rest was measured, is in the output. --continue adds to the repeats of an earlier run. Close other programs first: what runs beside it is in the figures.

            The table goes to the standard output, progress to the standard error. The command ends with code 1 when a \
            contestant fails or reads back other objects than it stored.
            """)

    @Option(help: ArgumentHelp("Only contestants on this engine: lmdb, sqlite, tokyo-cabinet, memory. May be repeated."))
    var engine: [EngineName] = []

    @Option(help: ArgumentHelp("Only this contestant; see `list`. May be repeated.", valueName: "name"))
    var contestant: [String] = []

    @Option(help: ArgumentHelp("Only this workload; see `list`. May be repeated; a name that ends with - stands for all that begin with it.", valueName: "name"))
    var workload: [String] = []

    @Option(help: ArgumentHelp("The number of objects. (default: 1000000, or what is usual; with --quick 20000)", valueName: "number"))
    var count: Int?

    @Option(help: ArgumentHelp("How often each is measured; the median counts. (default: 5; with --quick 3)", valueName: "number"))
    var `repeat`: Int?

    @Option(help: ArgumentHelp("Begin nothing that would probably end after so many minutes.", valueName: "number"))
    var minutes = 600.0

    @Option(help: "What commits survive: durable (power loss), buffered (a crash of the process) or relaxed.")
    var durability = DurabilityName.durable

    @Flag(help: "Fewer workloads, objects and repeats: a few minutes.")
    var quick = false

    @Flag(help: "Only print what would be measured, and about how long it would take.")
    var plan = false

    @Flag(name: .customLong("continue"), help: "Add to the repeats in the file of --json, which must be of the same commit, machine and numbers.")
    var continues = false

    @Option(help: ArgumentHelp("The packages of catalogue-import, JSON lines. (default: the sample of the demo)", valueName: "file"))
    var catalogue: String?

    @Option(help: ArgumentHelp("Where stores are made: on the disk to be measured, not in a file system in memory.", valueName: "path"))
    var directory: String?

    @Option(help: ArgumentHelp("Also write all measurements as JSON.", valueName: "file"))
    var json: String?

    @Option(
        help: ArgumentHelp(
            "Also write the tables. In a file that has the lines '\(MarkdownFile.begin)' and '\(MarkdownFile.end)', only what is between is replaced.",
            valueName: "file"))
    var markdown: String?

    @Option(help: ArgumentHelp("Also write one small table of the main workloads, between the same lines of this file.", valueName: "file"))
    var summary: String?

    @Option(help: ArgumentHelp("Also draw the charts; see `chart`.", valueName: "directory"))
    var charts: String?

    func validate() throws {
        if let count, !(1_000...100_000_000).contains(count) { throw ValidationError("--count is from 1,000 to 100,000,000") }
        if let `repeat`, !(1...1_000).contains(`repeat`) { throw ValidationError("--repeat is from 1 to 1,000") }
        guard minutes > 0, minutes <= 10_000 else { throw ValidationError("--minutes is more than 0, at most 10,000") }
        if continues && json == nil { throw ValidationError("--continue needs --json FILE, the file to be continued") }
    }

    func run() throws {
        try Found.checkNames()
        // All that may be wrong is found before the first measurement, not after the last.
        for file in [json, markdown, summary].compactMap({ $0 }) { try OutputFile.check(file) }
        for file in [markdown, summary].compactMap({ $0 }) { try MarkdownFile(path: file).check() }
        if let charts { try FileManager.default.createDirectory(atPath: charts, withIntermediateDirectories: true) }
        let plan = try makePlan()
        let environment = RunEnvironment.current(directory: plan.directory)
        let earlier = try earlierResults(plan, environment)
        if self.plan {
            print(PlanReport(plan.schedule(after: earlier), plan).text)
            return
        }
        plan.removeLeftovers(Self.report)
        try plan.checkSpace()
        func results(_ outcomes: [Outcome], _ schedule: Schedule, isChecked: Bool) -> Results {
            Results(plan: plan, environment: environment, outcomes: outcomes, schedule: schedule, earlier: earlier, isChecked: isChecked)
        }
        let runner = Runner(plan: plan, earlier: earlier, progress: Self.report) { outcomes, schedule in
            // So that a run that is broken off can be continued.
            if let json { try ResultsFile(results(outcomes, schedule, isChecked: false)).write(to: json) }
        }
        let (outcomes, schedule) = try runner.run()
        Self.report("checking what was found")
        let results = results(outcomes, schedule, isChecked: true)
        Self.report("")
        if let json { try ResultsFile(results).write(to: json) }
        let table = MarkdownReport(results).text
        print(table)
        if let markdown { try MarkdownFile(path: markdown).write(table) }
        if let summary { try MarkdownFile(path: summary).write(SummaryReport(results).text) }
        if let charts { try Charts(results: ResultsFile(results)).write(to: charts).forEach(Self.report) }
        if !results.problems.isEmpty { throw ExitCode.failure }
    }

    /// The results that are to be continued; nil when there are none yet.
    private func earlierResults(_ plan: RunPlan, _ environment: RunEnvironment) throws -> ResultsFile? {
        guard continues, let json, FileManager.default.fileExists(atPath: json) else { return nil }
        let earlier = try ResultsFile(path: json)
        let differences = environment.differences(from: earlier.environment)
            + (earlier.scale == plan.scale ? [] : ["the number of objects"]) + (earlier.durability == plan.durability ? [] : ["the durability"])
        guard differences.isEmpty else {
            throw BenchmarkError("cannot continue \(json), because \(differences.joined(separator: ", ")) differ; without --continue a run begins anew")
        }
        return earlier
    }

    private func makePlan() throws -> RunPlan {
        let chosen = try contestant.isEmpty ? Contestants.all : contestant.map(Contestants.named)
        let contestants = chosen.filter { engine.isEmpty || engine.contains($0.engine) }
        guard !contestants.isEmpty else {
            throw BenchmarkError("none of these contestants is on \(engine.map(\.title).joined(separator: " or ")); see 'trove-bench list'")
        }
        let workloads = try workload.isEmpty ? (quick ? Workloads.quick : Workloads.all) : workload.flatMap(Workloads.matching)
        let parent = directory ?? FileManager.default.temporaryDirectory.path
        try OutputFile.checkDirectory(parent)
        let plan = RunPlan(
            contestants: contestants, workloads: workloads, scale: Scale(count: count ?? (quick ? 20_000 : 1_000_000), isUsual: count == nil),
            repeats: `repeat` ?? (quick ? 3 : 5), minutes: minutes, durability: durability, catalogue: try catalogueFile(workloads),
            directory: "\(parent)/\(RunPlan.directoryPrefix)\(ProcessInfo.processInfo.processIdentifier)")
        guard !plan.stages.isEmpty else {
            throw BenchmarkError("nothing to measure: these contestants take part in none of these workloads, or --count is too small; see 'trove-bench list'")
        }
        return plan
    }

    private func catalogueFile(_ workloads: [any Workload]) throws -> String {
        let sample = RunEnvironment.package.appending(path: "../Examples/PackageCatalogue/PackageCatalogueKit/Data/packages.jsonl").standardized.path
        let file = catalogue ?? sample
        guard FileManager.default.isReadableFile(atPath: file) || !workloads.contains(where: { $0 is CatalogueImport }) else {
            throw BenchmarkError("cannot read the packages of catalogue-import, \(file); name a file of JSON lines with --catalogue")
        }
        return file
    }

    /// On a terminal, progress stays in one line.
    private static func report(_ text: String) {
        let isTerminal = isatty(2) != 0
        FileHandle.standardError.write(Data((isTerminal ? "\r\u{1B}[K\(text)" : "\(text)\n").utf8))
    }
}
