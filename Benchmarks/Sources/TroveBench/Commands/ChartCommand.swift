import ArgumentParser

/// Draws the charts of a run.
struct ChartCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chart", abstract: "Draws the charts of a run that was written with `run --json`.",
        discussion: """
            Bars of the main workloads and lines of how cost grows, as SVG, and as PNG where rsvg-convert is installed. Of the charts those are \
            drawn that the run has results for.
            """)

    @Argument(help: "The results of a run, a JSON file.")
    var results: String

    @Option(help: ArgumentHelp("Where to.", valueName: "path"))
    var directory = "."

    func run() throws {
        for line in try Charts(results: ResultsFile(path: results)).write(to: directory) { print(line) }
    }
}
