import Foundation
import Synchronization
import TroveBackendKit

/// A backend whose files lie in a directory of their own, which goes with it.
final class TemporaryBackend: ForwardingBackend {
    let wrappedBackend: any StorageBackend
    private let directory: URL
    private let isClosed = Atomic(false)

    /// - Parameter open: opens the backend at a path where there is nothing yet.
    init(_ open: (_ path: String) throws -> any StorageBackend) throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "trove-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        do {
            wrappedBackend = try open(directory.appending(path: "store").path)
        } catch {
            try FileManager.default.removeItem(at: directory)
            throw error
        }
    }

    deinit {
        // Nobody is left to tell of a failure; the system clears its directory of temporary files some day.
        do { try close() } catch {}
    }

    func close() throws {
        if isClosed.load(ordering: .acquiring) { return }
        try wrappedBackend.close()
        if isClosed.exchange(true, ordering: .acquiringAndReleasing) { return }
        try FileManager.default.removeItem(at: directory)
    }
}

extension ObjectStore {
    /// Opens a store in files that are removed when it is closed or let go of: for work that takes more room than memory has.
    ///
    /// ```swift
    /// let store = try ObjectStore(temporary: { try SQLiteBackend(path: $0) }, models: Song.self)
    /// ```
    ///
    /// The files lie in the system's directory for temporary ones. Those of a program that ends without closing the store stay there until the system removes them.
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

    /// The same with a list of models.
    public convenience init(
        temporary open: (_ path: String) throws -> any StorageBackend, durability: Durability = .relaxed, models: [any Model.Type]
    ) throws {
        try self.init(TemporaryBackend(open), durability: durability, models: models)
    }
}
