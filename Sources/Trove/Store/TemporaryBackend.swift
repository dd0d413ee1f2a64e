import Foundation
import Synchronization
import TroveBackendKit

/// A backend whose files lie in a directory of their own, which goes with it.
final class TemporaryBackend: ForwardingBackend {
    let wrappedBackend: any StorageBackend
    private let directory: URL
    private let remove: @Sendable (URL) throws -> Void
    /// Whether the directory is gone. The lock is held while it is removed, which one thread does.
    private let isRemoved = Mutex(false)
    private let process = ForkMark()

    /// - Parameters:
    ///   - remove: removes a directory with all that is in it.
    ///   - open: opens the backend at a path where there is nothing yet.
    init(
        removingWith remove: @escaping @Sendable (URL) throws -> Void = { try FileManager.default.removeItem(at: $0) },
        _ open: (_ path: String) throws -> any StorageBackend
    ) throws {
        self.remove = remove
        directory = FileManager.default.temporaryDirectory.appending(path: "trove-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        do {
            wrappedBackend = try open(directory.appending(path: "store").path)
        } catch {
            // Why there is no store is what the caller has to know; the system clears its directory of temporary files some day.
            do { try remove(directory) } catch {}
            throw error
        }
    }

    deinit {
        // Nobody is left to tell of a failure; the system clears its directory of temporary files some day.
        do { try close() } catch {}
    }

    /// Closes the backend and removes its files. When they cannot be removed, the backend is closed all the same, and the next call tries again.
    ///
    /// - Throws: what closing throws; ``StorageError/inputOutput(_:)`` when the files stay.
    func close() throws {
        try wrappedBackend.close()
        // The files are those of the process that made them, not of its forked child.
        if process.isInherited { return }
        try isRemoved.withLock { isRemoved in
            if isRemoved { return }
            do {
                try remove(directory)
            } catch CocoaError.fileNoSuchFile {
                // The system was here before.
            } catch {
                throw StorageError.inputOutput(
                    .init(
                        engine: capabilities.engine, path: path,
                        message: "the store is closed, but its temporary files remain (\(FileFailure.reason(of: error))); "
                            + "close it again, or remove \(directory.path)"))
            }
            isRemoved = true
        }
    }
}

extension ObjectStore {
    /// Opens a store in files that are removed when it is closed or released: for work that takes more room than memory has.
    ///
    /// ```swift
    /// let store = try ObjectStore(temporary: { try SQLiteBackend(path: $0) }, models: Song.self)
    /// ```
    ///
    /// The files lie in the system's directory for temporary ones. Those of a program that ends without closing the store
    /// stay there until the system removes them.
    ///
    /// - Parameters:
    ///   - open: opens the backend at the path it is given.
    ///   - durability: what a commit survives unless the call says otherwise; since nobody will open the files again, a process crash is enough.
    ///   - models: every model the program uses with this store.
    /// - Throws: what `open` and opening a store throw.
    public convenience init(
        temporary open: (_ path: String) throws -> any StorageBackend, durability: Durability = .relaxed, models: any Model.Type...
    ) throws {
        try self.init(temporary: open, durability: durability, models: models)
    }

    /// Opens a store in temporary files, with a list of models.
    public convenience init(
        temporary open: (_ path: String) throws -> any StorageBackend, durability: Durability = .relaxed, models: [any Model.Type]
    ) throws {
        try self.init(TemporaryBackend(open), durability: durability, models: models)
    }
}
