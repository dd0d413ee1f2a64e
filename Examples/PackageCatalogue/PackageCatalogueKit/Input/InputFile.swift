import Foundation

/// An open file, read as it is or through the tool that unpacks it.
final class InputFile {
    /// What the file says, unpacked.
    let contents: FileHandle
    private let path: String
    private let unpacking: (compression: Compression, process: Process, messages: FileHandle)?

    /// - Throws: ``CatalogueError``.
    init(path: String) throws {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw CatalogueError.noSuchFile(path: path)
        }
        if isDirectory.boolValue { throw CatalogueError.unreadable(path: path, reason: "it is a directory") }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw CatalogueError.unreadable(path: path, reason: "you have no permission to read it")
        }
        self.path = path
        if let compression = Compression(of: path) {
            guard let tool = compression.tool else {
                throw CatalogueError.toolMissing(tool: compression.rawValue, path: path)
            }
            let (output, messages) = (Pipe(), Pipe())
            let process = Process()
            process.executableURL = tool
            process.arguments = ["--decompress", "--stdout", "--", path]
            process.standardOutput = output
            process.standardError = messages
            try process.run()
            contents = output.fileHandleForReading
            unpacking = (compression, process, messages.fileHandleForReading)
        } else {
            contents = try FileHandle(forReadingFrom: URL(filePath: path))
            unpacking = nil
        }
    }

    /// Ends a tool that was not read to its end.
    deinit {
        if let process = unpacking?.process, process.isRunning { process.terminate() }
    }

    /// Checks, after the last line, that there was nothing wrong with the compressed file.
    ///
    /// - Throws: ``CatalogueError/unpackingFailed(tool:path:reason:)``.
    func finish() throws {
        guard let (compression, process, messages) = unpacking else { return }
        let message = String(decoding: try messages.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CatalogueError.unpackingFailed(
                tool: compression.rawValue, path: path, reason: message.trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }
}
