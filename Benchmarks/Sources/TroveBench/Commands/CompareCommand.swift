import ArgumentParser

/// Sets two runs side by side.
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Compares two runs that were written with `run --json`.",
        discussion: """
            Of everything that both have measured the table has the medians and their ratio: below 1 is faster than before. \
            A change that is larger than the spread of the repeats, no measurement of one run being among those of the \
            other, is marked with *, if both runs have measured it at least three times; one with fewer repeats never is. Read the rest as noise.
            """)

    @Argument(help: "The results of the earlier run, a JSON file.")
    var old: String

    @Argument(help: "The results of the later run, a JSON file.")
    var new: String

    @Flag(help: "Only what has changed by more than the spread.")
    var changed = false

    func run() throws {
        let (old, new) = (try ResultsFile(path: old), try ResultsFile(path: new))
        guard !Comparison.all(old, new).isEmpty else {
            throw BenchmarkError(
                "the two runs have measured nothing in common: compare runs of the same workloads and contestants, such as two of `run --quick`")
        }
        print(ComparisonReport(old: old, new: new, onlyChanges: changed).text)
    }
}
