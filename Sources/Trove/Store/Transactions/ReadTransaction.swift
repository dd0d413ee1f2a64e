/// One consistent view of a store, inside the closure of ``ObjectStore/read(_:)-swift.method``.
///
/// ```swift
/// let (count, song) = try store.read { snapshot in
///     (try snapshot.fetch(Song.self).count(), try snapshot.fetch(Song.self, id: id))
/// }
/// ```
///
/// It belongs to the thread that runs the closure. After the closure every method throws
/// ``TroveError/transactionFinished``.
public class ReadTransaction {
    let core: StoreCore
    private let storage: any StorageReader
    private var isFinished = false
    /// Keyspaces looked up so far; a transaction rarely touches more than a few models.
    private var keyspaces: [(binding: ModelBinding, keyspace: Keyspace)] = []

    init(_ core: StoreCore, _ reader: any StorageReader) {
        self.core = core
        storage = reader
    }

    /// The engine's side of the transaction.
    var reader: any StorageReader {
        get throws {
            if isFinished { throw TroveError.transactionFinished }
            return storage
        }
    }

    func finish() { isFinished = true }

    /// The keyspace of a model's records; nil when nothing of it was ever saved.
    func keyspace(of binding: ModelBinding) throws -> Keyspace? {
        if let found = keyspaces.first(where: { $0.binding === binding }) { return found.keyspace }
        guard let keyspace = try reader.keyspace(named: binding.schema.name) else { return nil }
        remember(keyspace, of: binding)
        return keyspace
    }

    func remember(_ keyspace: Keyspace, of binding: ModelBinding) {
        keyspaces.append((binding, keyspace))
    }

    func forgetKeyspaces() { keyspaces.removeAll() }
}
