import Trove

/// The engine that a document's file is of: how a backend is opened on a file.
///
/// ```swift
/// let sqlite = DocumentEngine("SQLite") { try SQLiteBackend(path: $0) }
/// let sealed = DocumentEngine("sealed") { try EncryptedBackend(LMDBBackend(path: $0), key: .passphrase(passphrase)) }
/// ```
///
/// The library links no engine; it has what the application gives it.
public struct DocumentEngine: Sendable {
    /// The name, which working copies keep, so that none is opened as another engine's.
    public let name: String
    private let backend: @Sendable (String) throws -> any StorageBackend

    /// - Parameters:
    ///   - name: tells the engine from others of the application.
    ///   - backend: opens the engine on the file at a path, and makes the file where there is none.
    public init(_ name: String, _ backend: @escaping @Sendable (_ path: String) throws -> any StorageBackend) {
        self.name = name
        self.backend = backend
    }

    /// Documents in memory, which have no file until they are saved as another engine's.
    public static let memory = DocumentEngine("memory") { _ in MemoryBackend() }

    func open(_ path: String) throws -> any StorageBackend { try backend(path) }
}
