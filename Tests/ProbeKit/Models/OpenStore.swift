import TestSupport
import Trove

/// A store the probe has open, with the engine below it.
struct OpenStore: Sendable {
    let backend: any StorageBackend
    let objects: ObjectStore

    init(_ engine: Engine, _ path: String, access: StoreAccess = .readWrite, timeout: Duration? = nil) throws {
        backend = try timeout.map { try engine.open(path, timeout: $0) } ?? engine.open(path)
        objects = try ObjectStore(backend, access: access, models: Item.self, Note.self, Account.self, LedgerEntry.self)
    }
}
