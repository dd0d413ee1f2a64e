import TroveStorage

/// The engine's name and the path of a store, for errors.
struct Place: Sendable {
    let engine: String
    let path: String

    init(_ backend: any StorageBackend) {
        engine = backend.capabilities.engine
        path = backend.path
    }

    func details(_ message: String) -> StorageError.Details { .init(engine: engine, path: path, message: message) }

    /// The error for bytes that are not those that were sealed.
    func corrupt(_ what: String) -> StorageError {
        .corrupt(details("the sealed store is damaged or was tampered with: \(what); restore a backup"))
    }
}
