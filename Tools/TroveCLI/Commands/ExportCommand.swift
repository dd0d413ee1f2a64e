import ArgumentParser
import Trove
import TroveStoreTools

struct ExportCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes a whole store as JSON lines, into a new file or to standard output.",
        discussion: """
            Objects, bags, blobs and metadata of one moment, a line each; equal stores give equal bytes on every engine.

            Example: trove export music.store music.jsonl
            """)

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The file to make; standard output without one.", completion: .file())
    var file: String?

    func answer(on output: Output) throws {
        try argument.read { store in
            let contents = try ProgressLine.during("Exporting") { progress in
                guard let file else { return try store.exportJSON(into: { try output.write($0) }, progress: { try progress.update($0) }) }
                return try store.exportJSON(to: file) { try progress.update($0) }
            }
            if file != nil { try output.line(TerminalText.escaped("\(contents)")) }
        }
    }
}
