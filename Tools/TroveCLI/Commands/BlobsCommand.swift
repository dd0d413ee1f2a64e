import ArgumentParser
import Foundation
import Trove
import TroveStoreTools

/// What stands for standard input or output in the place of a file. A file of that name is `./-`.
let standardStream = "-"

struct BlobsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "blobs", abstract: "Lists, reads, stores and removes blobs, of any size.",
        discussion: "Example: trove blobs list music.store",
        subcommands: [BlobsListCommand.self, BlobsGetCommand.self, BlobsPutCommand.self, BlobsRemoveCommand.self], defaultSubcommand: BlobsListCommand.self)
}

struct BlobsListCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists blobs with their sizes and SHA-256.", discussion: "Example: trove blobs list music.store")

    @OptionGroup var argument: StoreArgument
    @OptionGroup var options: OutputOptions

    func answer(on output: Output) throws {
        try argument.read { store in
            let sheet = options.sheet(["name", "size", "sha256"].map { Column($0) }, on: output)
            let names = try store.blobNames()
            for name in names {
                guard let info = try store.blobInfo(named: name) else { continue }
                try sheet.add([.string(name), .int(Int64(info.size)), .string(info.sha256Text)])
            }
            try sheet.finish()
            if names.isEmpty { throw ExitStatus.negative }
        }
    }
}

struct BlobsGetCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Writes a blob into a new file or to standard output.",
        discussion: "Example: trove blobs get music.store cover cover.bin")

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The blob's name.")
    var name: String
    @Argument(help: "The file to make; standard output without one, or as '-'.", completion: .file())
    var file: String?

    func answer(on output: Output) throws {
        try argument.read { store in
            guard try store.blobInfo(named: name) != nil else { throw CommandError.noSuchBlob(name: name) }
            if let file, file != standardStream {
                try CommandError.checkDestination(file)
                return try store.saveBlob(named: name, to: file)
            }
            try store.forEachBlobChunk(named: name) { piece in try piece.withUnsafeBytes { try output.write($0) } }
        }
    }
}

struct BlobsPutCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Stores a file, or standard input, as a blob.",
        discussion: "Example: trove blobs put music.store sleeve cover.bin --write")

    private static let pieceSize = 1 << 20

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The blob's name.")
    var name: String
    @Argument(help: "The file; standard input without one, or as '-'.", completion: .file())
    var file: String?
    @OptionGroup var permission: WriteFlag

    func validate() throws {
        guard file == nil || file == standardStream, argument.readsStandardInput, !TypedInput.isThere else { return }
        throw ValidationError("standard input cannot have both the passphrase and the blob; name a file for one of them")
    }

    func answer(on output: Output) throws {
        let info = try permission.change(argument, command: "blobs put") { store in
            if let file, file != standardStream { return try store.setBlob(contentsOf: file, named: name) }
            return try storeInput(in: store)
        }
        try output.line("\(info.size.grouped) bytes, SHA-256 \(info.sha256Text)")
    }

    /// Stores what standard input has. An error of reading it stores nothing.
    private func storeInput(in store: ObjectStore) throws -> BlobInfo {
        try ShellSession.checkInput()
        let file = FileManager.default.temporaryDirectory.appending(path: "trove-\(UUID().uuidString)")
        defer { removeInput(file) }
        guard FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw CommandError.unreadable(path: file.path, reason: "it could not be made")
        }
        let copy = try FileHandle(forWritingTo: file)
        while let piece = try FileHandle.standardInput.read(upToCount: Self.pieceSize), !piece.isEmpty { try copy.write(contentsOf: piece) }
        try copy.close()
        return try store.setBlob(contentsOf: file.path, named: name)
    }

    private func removeInput(_ file: URL) {
        do {
            try FileManager.default.removeItem(at: file)
        } catch {
            // It lies in the directory that the system empties.
            return
        }
    }
}

struct BlobsRemoveCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes a blob.", discussion: "Example: trove blobs remove music.store sleeve --write")

    @OptionGroup var argument: StoreArgument
    @Argument(help: "The blob's name.")
    var name: String
    @OptionGroup var permission: WriteFlag

    func answer(on output: Output) throws {
        let wasThere = try permission.change(argument, command: "blobs remove") { try $0.deleteBlob(named: name) }
        if !wasThere { throw CommandError.noSuchBlob(name: name) }
    }
}
