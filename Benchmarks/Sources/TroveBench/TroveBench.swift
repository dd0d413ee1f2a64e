import ArgumentParser

@main
struct TroveBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trove-bench",
        abstract: "Measures what Trove adds to its engines, and how it stands against others.",
        discussion: """
            Each contestant does the same work on the same objects, with the same durability, and has to read back \
            the same sums. `list` tells who and what; `run` measures; `compare` sets two runs side by side, `chart` draws one.

            The figures of docs/performance.md:  trove-bench run
            A first impression, in minutes:      trove-bench run --quick
            """,
        subcommands: [ListCommand.self, RunCommand.self, CompareCommand.self, ChartCommand.self, MeasureCommand.self])
}
