import Trove

/// Documents on any of Trove's engines.
final class TroveDocumentStore: DocumentStore {
    private let store: ObjectStore

    init(_ backend: any StorageBackend, durability: Durability) throws {
        store = try ObjectStore(backend, durability: durability, models: IndexedDocument.self)
    }

    func insertion(count: Int, batch: Int) throws -> () throws -> Void {
        let documents = (0..<count).map(IndexedDocument.init(number:))
        return {
            for first in stride(from: 0, to: count, by: batch) { try self.store.save(documents[first..<min(first + batch, count)]) }
        }
    }

    func count() throws -> Int { try store.fetch(IndexedDocument.self).count() }

    func close() throws { try store.close() }
}
