import TroveBackendKit

/// The access to an open store.
public enum StoreAccess: Sendable, Hashable {
    /// Reading and writing.
    case readWrite
    /// Reading only: whatever would write throws ``StorageError/readOnly(_:)``, opening among it when the models ask for
    /// something that the store does not have, as an index. Where there is no store, opening throws ``StorageError/noSuchStore(_:)``. The engine may write to files
    /// of its own beside the store's, and make an empty file before the store is looked for; `createsStore` of its options says whether.
    case readOnly
}

/// A backend that refuses to write.
final class ReadOnlyBackend: ForwardingBackend {
    let wrappedBackend: any StorageBackend

    init(_ backend: any StorageBackend) { wrappedBackend = backend }

    func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws { throw refusal }

    func compact() throws { throw refusal }

    private var refusal: StorageError {
        .readOnly(
            .init(
                engine: wrappedBackend.capabilities.engine, path: wrappedBackend.path,
                message: "the store was opened for reading only; open it with access: .readWrite, also when models or indexes are new to it"))
    }
}
