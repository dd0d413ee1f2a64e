import Foundation
import TroveStorage

/// The way to open and remove stores of one engine, for ``BackendSpecification``.
///
/// ```swift
/// let sqlite = BackendFactory(name: "SQLite") { path in try SQLiteBackend(path: path) }
/// ```
public struct BackendFactory: Sendable, CustomStringConvertible {
    /// In another process: opens the store at `path`, adds so many entries to the keyspace with the name, which it creates, and closes the store.
    /// Returns nil, or the ``StorageError/name`` of the error when the engine refused; throws when the process itself failed.
    public typealias FillInAnotherProcess = @Sendable (_ path: String, _ keyspace: String, _ entries: Int) throws -> String?

    /// The place of stores.
    public enum Kind: Sendable, Hashable {
        /// In memory: gone when the last backend on it is closed.
        case inMemory
        /// In a file at the path.
        case files
        /// On a server, where the path is a name.
        case server
    }

    /// The engine's name in test reports.
    public let name: String

    /// The place of stores. Cases about files run for ``Kind/files`` only.
    public let kind: Kind

    /// Whether a store survives closing and opening again; false in memory.
    public var isPersistent: Bool { kind != .inMemory }

    /// Opens the store at `path`, created when there is none. An engine without files uses the path as a name: no two runs have the same.
    public let open: @Sendable (_ path: String) throws -> any StorageBackend

    /// Opens the store at `path` with a limit on the wait for another writer. It is nil when the engine's initializer has no such argument; the cases about the
    /// timeout then fail.
    public let openWithTimeout: (@Sendable (_ path: String, _ timeout: Duration) throws -> any StorageBackend)?

    /// Opens the store at `path` for reading only, as the engine's options ask for it. It is nil where ``StorageCapabilities/opensReadOnly`` is
    /// false; otherwise the cases about it then fail.
    public let openReadOnly: (@Sendable (_ path: String) throws -> any StorageBackend)?

    /// Uses a store in another process. It is nil when there is no program to start; the cases about other processes then fail. Only asked for
    /// where ``isPersistent`` is true.
    public let fillInAnotherProcess: FillInAnotherProcess?

    /// Removes the closed store at `path`; does nothing when there is none. It is called for every store and every
    /// copy that a case or a random program made.
    public let destroy: @Sendable (_ path: String) throws -> Void

    /// Creates a factory for one engine.
    ///
    /// - Parameter destroy: nil for an engine whose files are at the path, or beside it with names that go on from the path's by `-`, `.` or `_`, and for
    ///   one in memory. One on a server needs it, or stores are left there.
    public init(
        name: String, kind: Kind = .files,
        openWithTimeout: (@Sendable (_ path: String, _ timeout: Duration) throws -> any StorageBackend)? = nil,
        openReadOnly: (@Sendable (_ path: String) throws -> any StorageBackend)? = nil,
        fillInAnotherProcess: FillInAnotherProcess? = nil,
        destroy: (@Sendable (_ path: String) throws -> Void)? = nil,
        open: @escaping @Sendable (_ path: String) throws -> any StorageBackend
    ) {
        self.name = name
        self.kind = kind
        self.openWithTimeout = openWithTimeout
        self.openReadOnly = openReadOnly
        self.fillInAnotherProcess = fillInAnotherProcess
        self.destroy = destroy ?? Self.removeFiles
        self.open = open
    }

    public var description: String { name }

    /// Removes the file or directory at a path, and those beside it whose names go on from its name by `-`, `.` or `_`, as an engine's other files do.
    private static let removeFiles: @Sendable (String) throws -> Void = { path in
        guard !path.isEmpty else { return }
        let url = URL(fileURLWithPath: path)
        let directory = url.deletingLastPathComponent()
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: directory.path, isDirectory: &isDirectory), isDirectory.boolValue else { return }
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) where name.hasPrefix(url.lastPathComponent) {
            guard name.dropFirst(url.lastPathComponent.count).first.map({ "-._".contains($0) }) ?? true else { continue }
            try FileManager.default.removeItem(at: directory.appendingPathComponent(name))
        }
    }
}
