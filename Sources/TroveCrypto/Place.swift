import TroveStorage

/// The engine's name and the path of a store, and what is sealed in it, for errors.
struct Place: Sendable {
    let engine: String
    let path: String
    var purpose = KeyPurpose.store

    init(_ backend: any StorageBackend) {
        engine = backend.capabilities.engine
        path = backend.path
    }

    /// A store with encrypted properties.
    init(fieldsOf path: String, engine: String = "TroveCrypto") { (self.engine, self.path, purpose) = (engine, path, .fields) }

    func details(_ message: String) -> StorageError.Details { .init(engine: engine, path: path, message: message) }

    /// The error for bytes that are not those that were sealed.
    func corrupt(_ what: String) -> StorageError {
        .corrupt(details("\(purpose.subject) is damaged or was tampered with: \(what); restore a backup"))
    }
}
