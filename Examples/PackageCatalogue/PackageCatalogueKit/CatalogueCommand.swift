import ArgumentParser
import Foundation

/// Loads the package index of a Linux distribution into every engine and shows that all behave alike.
package struct CatalogueCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "PackageCatalogue",
        abstract: "Loads a package index into Trove on each engine, and shows and checks what a store does.",
        discussion: """
            On each engine it imports the file, reads it back, follows dependencies both ways, searches, edits, deletes, \
            rolls back, closes, opens again, verifies, and copies to the next engine. Every answer is checked; when one is wrong the exit status is not 0.
            """)

    @Argument(
        help: "A JSON-lines file with a package in each line, plain or packed as .xz or .gz. Without one, the sample that comes with the demo is used.",
        completion: .file())
    var file: String?

    @Option(name: .long, help: "An engine to run on; may be repeated. Without it, all run.")
    var engine: [EngineChoice] = []

    @Option(name: .long, help: "A new or empty directory to keep the stores in. Without it, they are removed in the end.")
    var keep: String?

    package init() {}

    package func run() async throws {
        let console = Console()
        let survey = try await ProgressBar.show("Checking the file", on: console) { bar in
            try CatalogueSurvey(path: file ?? Self.sample()) { try bar.update($0, of: nil) }
        }
        try console.paragraph(
            "", "\(survey.count.packages) in \(file ?? "the sample"), checksum \(survey.checksum)")
        #if DEBUG
        try console.paragraph("", "This build is not optimised, so the times are several times what they are in a release build: make demo RELEASE=1.")
        #endif

        let directory = try StoreDirectory(kept: keep)
        let reports: [EngineReport]
        do {
            reports = try await runEngines(survey, directory, console)
        } catch {
            try directory.removeIfTemporary()
            throw error
        }
        try directory.removeIfTemporary()
        try conclude(reports, console)
        if !directory.isTemporary { try console.line("The stores are in \(directory.path).") }
    }

    private func runEngines(
        _ survey: CatalogueSurvey, _ directory: StoreDirectory, _ console: Console
    ) async throws -> [EngineReport] {
        var reports: [EngineReport] = []
        for engine in EngineChoice.allCases where self.engine.isEmpty || self.engine.contains(engine) {
            let demo = CatalogueDemo(engine: engine, survey: survey, directory: directory, console: console, showsAnswers: reports.isEmpty)
            reports.append(try await demo.run())
        }
        return reports
    }

    /// Compares the engines with each other: each has been compared with the file before.
    private func conclude(_ reports: [EngineReport], _ console: Console) throws {
        try console.heading("Summary")
        var table = ReportTable("Engine", "Objects", "Stored/s", "Read/s", "Followed/s", "File")
        for report in reports {
            table.add(
                report.engine.title, report.checksum.count.grouped, report.storing.rate, report.reading.rate, report.lookup.rate,
                report.engine.isPersistent ? report.fileSize.asByteCount : "–")
        }
        for line in table.lines { try console.line(line) }
        for (report, next) in zip(reports, reports.dropFirst()) {
            guard report.checksum == next.checksum else {
                throw Disagreement(engine: next.engine.title, finding: "it has other contents than \(report.engine.title)")
            }
            guard report.findings == next.findings else {
                throw Disagreement(engine: next.engine.title, finding: "it gave other answers than \(report.engine.title)")
            }
        }
        try console.line()
        let engines = reports.map(\.engine.title).joined(separator: ", ")
        try console.paragraph("✓ ", "Everything agreed, object by object and answer by answer: the file, every store (\(engines)) and every copy.")
    }

    /// The sample that is built into the demo.
    private static func sample() throws -> String {
        guard let url = Bundle.module.url(forResource: "packages", withExtension: "jsonl") else {
            throw CatalogueError.noSuchFile(path: "packages.jsonl")
        }
        return url.path
    }
}
