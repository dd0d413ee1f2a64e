import ArgumentParser
import Foundation
import Trove

struct CopyCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copies a store into a new file, of the same engine or another.",
        discussion: """
            Everything of one moment, entry by entry, indexes too. A copy that breaks off does not open as a store; --resume begins it again in its file.

            Example: trove copy music.store music.lmdb --engine lmdb
            """)

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The file to make.", completion: .file())
    var target: String
    @Option(help: "The engine of the copy; that of the store without it.")
    var engine: StoreEngine?
    @Flag(help: "Take a file that a copy left that broke off.")
    var resume = false

    func answer(on output: Output) throws {
        let engine = try engine ?? StoreEngine(ofFileAt: argument.store)
        try argument.read { store in
            guard resume || !FileManager.default.fileExists(atPath: target) else { throw CommandError.destinationExists(path: target) }
            let progress = ProgressLine("Copying")
            let backend = try engine.open(target, createsStore: !resume)
            do {
                try store.copy(to: backend) { try progress.update($0) }
            } catch {
                try backend.close()
                throw error
            }
            try backend.close()
        }
    }
}
