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

    func documents(like number: Int) throws -> Tally {
        let document = IndexedDocument(number: number)
        let all = store.fetch(IndexedDocument.self)
        let (name, city, kind) = (document.name, document.city, document.kind)
        let (year, size, price) = (document.year, document.size, document.price)
        let queries = [
            all.where { $0.name == name }, all.where { $0.city == city }, all.where { $0.kind == kind },
            all.where { $0.year == year }, all.where { $0.size == size }, all.where { $0.price == price },
        ]
        var tally = Tally()
        for query in queries {
            for found in try query.all() { tally.add(title: found.name, seconds: found.size) }
        }
        return tally
    }

    func count() throws -> Int { try store.fetch(IndexedDocument.self).count() }

    func close() throws { try store.close() }
}
