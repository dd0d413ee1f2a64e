import ArgumentParser
import Trove
import TroveStoreTools

struct ExportCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes a whole store as JSON lines, into a new file or to standard output.",
        discussion: """
            Objects, bags, blobs and metadata of one moment, a line each; equal stores give equal bytes on every engine. Indexes and the history \
            are not in it; 'trove copy' takes them along. --skip-damaged leaves out what cannot be read.

            Example: trove export music.store music.jsonl
            """)

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The file to make; standard output without one, or as '-'.", completion: .file())
    var file: String?
    @OptionGroup var damage: DamageOptions

    func answer(on output: Output) throws {
        let file = file == standardStream ? nil : file
        if let file { try CommandError.checkDestination(file) }
        let count = try argument.read { store in
            let damaged = try damage.skipDamaged ? DamagedRecords(StoreModels(store)) : nil
            let contents = try ProgressLine.during("Exporting") { progress in
                guard let file else {
                    return try store.exportJSON(into: { try output.write($0) }, progress: { try progress.update($0) }, passingOver: damaged?.passOver)
                }
                return try store.exportJSON(to: file, progress: { try progress.update($0) }, passingOver: damaged?.passOver)
            }
            if file != nil { try output.line(TerminalText.escaped("\(contents)")) }
            return damaged?.count ?? 0
        }
        if count > 0 { throw ExitStatus.damage }
    }
}
