/// A backend that hands what it is asked to another one.
protocol BackendWrapper: StorageBackend {
    /// The backend that does the work.
    var base: any StorageBackend { get }
}

extension BackendWrapper {
    var capabilities: StorageCapabilities { base.capabilities }

    var path: String { base.path }

    func read(_ body: (any StorageReader) throws -> Void) throws { try base.read(body) }

    func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws { try base.write(durability, body) }

    func synchronize() throws { try base.synchronize() }

    func backUp(to destination: String) throws { try base.backUp(to: destination) }

    func compact() throws { try base.compact() }

    func checkStructure() throws { try base.checkStructure() }

    func statistics() throws -> StorageStatistics { try base.statistics() }

    func close() throws { try base.close() }
}

/// What may be done with an open store.
public enum StoreAccess: Sendable, Hashable {
    /// All.
    case readWrite
    /// Objects are read, and nothing is changed: whatever would write throws ``StorageError/readOnly(_:)``, opening among it when the models ask for
    /// something that the store does not have, as an index. The engine may write to files of its own beside the store's.
    case readOnly
}

/// A backend that refuses to write.
final class ReadOnlyBackend: BackendWrapper {
    let base: any StorageBackend

    init(_ base: any StorageBackend) { self.base = base }

    func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws { throw refusal }

    func compact() throws { throw refusal }

    private var refusal: StorageError {
        .readOnly(
            .init(
                engine: base.capabilities.engine, path: base.path,
                message: "the store was opened for reading only; open it with access: .readWrite, also when models or indexes are new to it"))
    }
}
