import ArgumentParser
import Trove
import TroveStoreTools

struct DiffCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Tells in which records, bags, blobs and metadata two stores differ, of whatever engines.",
        discussion: """
            A row for each property that differs, and for each record, or attribute of a document, that only one store has. The status is 1 when there are differences, and a \
            terminal is told how many records are equal. Indexes are not compared.

            Example: trove diff music.store music.backup
            """)

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The other store's file.", completion: .file())
    var other: String
    @Option(help: "The model or collection to compare, and nothing else; may be repeated.")
    var model: [String] = []
    @OptionGroup var options: OutputOptions

    func answer(on output: Output) throws {
        let sheet = options.sheet(["difference", "model", StoredModel.idName, "property", "first", "second"].map { Column($0) }, on: output)
        var (count, equal) = (0, 0)
        try ProgressLine.during("Comparing") { progress in
            try argument.read(allowsPlain: true) { first in
                try argument.readOther(other) { second in
                    // A view of each store: what others write meanwhile is no difference.
                    try first.read { first in
                        try second.read { second in
                            var comparison = try StoreComparison(first, second, progress) { difference in
                                try sheet.add(difference.row)
                                count += 1
                            }
                            try comparison.run(only: model)
                            equal = comparison.equalRecords
                        }
                    }
                }
            }
        }
        try sheet.finish()
        try output.flush()
        let errors = Output(descriptor: 2)
        if errors.terminal.isTerminal {
            try errors.line("\(equal.grouped) \(equal == 1 ? "record" : "records") equal")
            try errors.flush()
        }
        if count > 0 { throw ExitStatus.negative }
    }
}
