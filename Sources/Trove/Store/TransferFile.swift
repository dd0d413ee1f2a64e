import Foundation
import TroveBackendKit

/// A file that a transfer writes: under another name until it is whole.
final class TransferFile {
    private let path: String
    /// The name that the file has now.
    private var currentPath: String
    private let handle: FileHandle
    private var isOpen = true

    /// The error is about a file that is no store.
    private static let noEngine = StorageError.noEngine

    private init(_ path: String, _ partialPath: String, _ handle: FileHandle) {
        self.path = path
        currentPath = partialPath
        self.handle = handle
    }

    /// - Throws: ``StorageError/destinationExists(_:)``, ``StorageError/noSuchDirectory(_:)``, ``StorageError/inputOutput(_:)``.
    static func create(_ path: String) throws -> TransferFile {
        // Unlike fileExists, this tells a link that leads nowhere, too.
        guard (try? FileManager.default.attributesOfItem(atPath: path)) == nil else {
            throw StorageError.destinationExists(.init(engine: noEngine, path: path, message: "a file exists already; remove it, or choose another name"))
        }
        let partialPath = "\(path).\(UUID().uuidString.prefix(8)).partial"
        guard FileManager.default.createFile(atPath: partialPath, contents: nil), let handle = FileHandle(forWritingAtPath: partialPath) else {
            // One that was created and cannot be opened, as when the process has too many files open, is not left behind.
            try? FileManager.default.removeItem(atPath: partialPath)
            guard hasDirectory(path) else {
                throw StorageError.noSuchDirectory(.init(engine: noEngine, path: path, message: "its directory does not exist; create it first"))
            }
            throw StorageError.inputOutput(
                .init(engine: noEngine, path: path, message: "the file cannot be created; check that its directory can be written"))
        }
        return TransferFile(path, partialPath, handle)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        guard let base = bytes.baseAddress else { return }
        try reporting { try handle.write(contentsOf: Data(bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: bytes.count, deallocator: .none)) }
    }

    /// Gives the file its name once all of it is on the disk; then the name is there, too.
    func finish() throws {
        try reporting {
            try handle.synchronize()
            try close()
            try FileManager.default.moveItem(atPath: currentPath, toPath: path)
        }
        currentPath = path
        try StoreFile.synchronizeDirectory(of: path, engine: Self.noEngine)
    }

    private func close() throws {
        guard isOpen else { return }
        isOpen = false
        try handle.close()
    }

    /// Removes what has been written.
    func discard() {
        do {
            try close()
            try FileManager.default.removeItem(atPath: currentPath)
        } catch {
            // It is a file that nobody takes for a whole one, and the error that led here is the one to tell.
        }
    }

    private func reporting(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            throw Self.error(error, path)
        }
    }

    /// Whether the directory is there that a file is in, or is to be in.
    private static func hasDirectory(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        let folder = URL(filePath: path).deletingLastPathComponent().path
        return FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory) && isDirectory.boolValue
    }

    /// The error for what Foundation tells of a file that is read or written.
    static func error(_ error: any Error, _ path: String) -> StorageError {
        let code = FileFailure.code(of: error)
        let details = StorageError.Details(engine: noEngine, path: path, message: FileFailure.reason(of: error), code: code.map { "\($0)" })
        return switch code {
        case EISDIR: .notAFile(details)
        case ENOENT where hasDirectory(path): .notAFile(details)
        case ENOENT, ENOTDIR: .noSuchDirectory(details)
        case EACCES, EPERM: .permissionDenied(details)
        case ENOSPC, EDQUOT, EFBIG: .diskFull(details)
        default: .inputOutput(details)
        }
    }
}
