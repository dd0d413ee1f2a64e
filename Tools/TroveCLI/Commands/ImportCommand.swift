import ArgumentParser
import Foundation
import Trove

struct ImportCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Stores what an export has, in a store that there is or a new one.",
        discussion: """
            What has the same id, key or name is replaced, everything else stays. All of it is one transaction; with --batches what cannot be stored is passed over, \
            told, and makes the status 1.

            Example: trove import copy.store music.jsonl --write --create sqlite
            """)

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The file of JSON lines.", completion: .file())
    var file: String
    @OptionGroup var permission: WriteFlag
    @Option(help: "The engine of the store that is made when there is none at the path.")
    var create: StoreEngine?
    @Flag(help: "Store some megabytes of lines in each transaction, and pass over lines that are refused.")
    var batches = false

    func answer(on output: Output) throws {
        let progress = ProgressLine("Importing")
        let report = try change { store in
            try store.importJSON(from: file, mode: batches ? .inBatches : .allOrNothing) { try progress.update($0.contents.total, of: nil) }
        }
        for line in Self.lines(report) { try output.line(TerminalText.escaped(line)) }
        if report.rejectedLines > 0 { throw ExitStatus.negative }
    }

    private func change<Result>(_ body: (ObjectStore) throws -> Result) throws -> Result {
        guard permission.write else { throw CommandError.needsWrite(command: "import") }
        guard let create, !FileManager.default.fileExists(atPath: argument.store) else {
            return try permission.change(argument.store, command: "import", body)
        }
        let backend = try create.open(argument.store, createsStore: true)
        do {
            return try StoreArgument.with(backend, .readWrite, .durable, body)
        } catch {
            // A store that was made for what cannot be imported is of no use.
            try create.destroy(argument.store)
            throw error
        }
    }

    /// What was stored and what was not. That no program declares the models is nothing to tell here.
    private static func lines(_ report: JSONImportReport) -> [String] {
        var lines = ["\(report.contents)"]
        if report.rejectedLines > 0 { lines.append("refused lines: \(report.rejectedLines)") }
        lines += report.rejections.map { "\($0)" }
        if !report.isComplete { lines.append("the file does not end as a whole export does") }
        return lines
    }
}
