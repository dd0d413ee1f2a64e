import ArgumentParser
import Foundation

/// Runs workloads and writes the results.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Runs the workloads and prints a table of medians.",
        discussion: """
            Without options it runs everything five times: a million objects, 250,000 where there are many workloads, fewer where a benchmark that they \
            are taken from has fewer, see `list`; 12 GB of disk. The figures of the project's pages are made with

              trove-bench run --minutes 28 --markdown docs/performance.md --charts docs/images --json Benchmarks/results/full.json

            which does as many of the repeats as fit. Close other programs first: what runs beside it is in the figures.

            The table goes to the standard output, progress to the standard error. The command ends with code 1 when a \
            contestant fails or reads back other objects than it stored.
            """)

    @Option(help: ArgumentHelp("Only contestants on this engine: lmdb, sqlite, tokyo-cabinet, memory. May be repeated."))
    var engine: [EngineName] = []

    @Option(help: ArgumentHelp("Only this contestant; see `list`. May be repeated.", valueName: "name"))
    var contestant: [String] = []

    @Option(help: ArgumentHelp("Only this workload; see `list`. May be repeated.", valueName: "name"))
    var workload: [String] = []

    @Option(help: ArgumentHelp("The number of objects. (default: 1000000, or what is usual; with --quick 20000)", valueName: "number"))
    var count: Int?

    @Option(help: ArgumentHelp("How often each is measured; the median counts. (default: 5; with --quick 3)", valueName: "number"))
    var `repeat`: Int?

    @Option(help: ArgumentHelp("Begin no repeat that would end after so many minutes; the first is always done.", valueName: "number"))
    var minutes = 600.0

    @Option(help: "What commits survive: durable (power loss), buffered (a crash of the process) or relaxed.")
    var durability = DurabilityName.durable

    @Flag(help: "Fewer workloads, objects and repeats: three minutes.")
    var quick = false

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

    @Option(help: ArgumentHelp("Also draw the charts; see `chart`.", valueName: "directory"))
    var charts: String?

    func validate() throws {
        if let count, !(1_000...100_000_000).contains(count) { throw ValidationError("--count is from 1,000 to 100,000,000") }
        if let `repeat`, !(1...1_000).contains(`repeat`) { throw ValidationError("--repeat is from 1 to 1,000") }
    }

    func run() throws {
        var plan = try plan()
        let environment = RunEnvironment.current(directory: plan.directory)
        let (outcomes, repeats) = try Runner(plan: plan, progress: Self.report).run()
        Self.report(repeats < plan.repeats ? "\(repeats) of \(plan.repeats) repeats in \(minutes) minutes" : "")
        plan.repeats = repeats
        let results = Results(plan: plan, environment: environment, outcomes: outcomes)
        let table = MarkdownReport(results).text
        print(table)
        if let json { try ResultsFile(results).write(to: json) }
        if let markdown { try MarkdownFile(path: markdown).write(table) }
        if let charts { try Charts(results: ResultsFile(results)).write(to: charts).forEach(Self.report) }
        if !results.problems.isEmpty { throw ExitCode.failure }
    }

    private func plan() throws -> RunPlan {
        let chosen = try contestant.isEmpty ? Contestants.all : contestant.map(Contestants.named)
        let contestants = chosen.filter { engine.isEmpty || engine.contains($0.engine) }
        guard !contestants.isEmpty else { throw ValidationError("no contestant is on this engine") }
        let workloads = try workload.isEmpty ? (quick ? Workloads.quick : Workloads.all) : workload.map(Workloads.named)
        let sample = RunEnvironment.package.appending(path: "../Examples/PackageCatalogue/PackageCatalogueKit/Data/packages.jsonl").path
        let parent = directory ?? FileManager.default.temporaryDirectory.path
        return RunPlan(
            contestants: contestants, workloads: workloads, scale: Scale(count: count ?? (quick ? 20_000 : 1_000_000), isUsual: count == nil),
            repeats: `repeat` ?? (quick ? 3 : 5), minutes: minutes, durability: durability, catalogue: catalogue ?? sample,
            directory: "\(parent)/trove-bench-\(ProcessInfo.processInfo.processIdentifier)")
    }

    /// On a terminal, progress stays in one line.
    private static func report(_ text: String) {
        let isTerminal = isatty(2) != 0
        FileHandle.standardError.write(Data((isTerminal ? "\r\u{1B}[K\(text)" : "\(text)\n").utf8))
    }
}
