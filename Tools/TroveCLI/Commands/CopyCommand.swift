import ArgumentParser
import Foundation
import Trove
import TroveCrypto

struct CopyCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copies a store into a new file, of the same engine or another.",
        discussion: """
            Everything of one moment, entry by entry, indexes too. A copy that breaks off does not open as a store; --resume begins it again in its file. With a new key the \
            copy is encrypted; a copy of an encrypted store that is not needs --plain. Damaged records are copied as they are and told, and the status is 4 then.

            Example: trove copy music.store music.lmdb --engine lmdb
            """)

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The file to make.", completion: .file())
    var target: String
    @Option(help: "The engine of the copy; that of the store without it.")
    var engine: StoreEngine?
    @Flag(help: "Take a file that a copy left that broke off.")
    var resume = false
    @Flag(help: "Copy an encrypted store into one that everybody can read.")
    var plain = false
    @OptionGroup(title: "The key of the copy") var newKey: NewKeyOptions

    func answer(on output: Output) throws {
        let engine = try engine ?? StoreEngine(ofFileAt: argument.store)
        try CommandError.checkDestination(target)
        let count = try argument.with(.readOnly) { open in
            guard resume || !FileManager.default.fileExists(atPath: target) else { throw CommandError.destinationExists(path: target) }
            let key = try newKey.key(for: target)
            if open.encryption != nil, key == nil, !plain { throw CommandError.needsPlain(path: argument.store) }
            // What it copies need not be readable.
            let damaged = DamagedRecords(try VerifyCommand.models(of: open.store))
            var backend: any StorageBackend = try engine.open(target, createsStore: !resume)
            do {
                if let key { backend = try EncryptedBackend(backend, key: key) }
                try ProgressLine.during("Copying") { progress in
                    try open.store.copy(to: backend, progress: { try progress.update($0) }, damaged: { damaged.tell($0, "copied as it is") })
                }
            } catch {
                try backend.close()
                throw error
            }
            try backend.close()
            return damaged.count
        }
        if count > 0 { throw ExitStatus.damage }
    }
}
