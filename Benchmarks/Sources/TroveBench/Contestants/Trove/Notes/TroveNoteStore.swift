import Trove

/// Documents of a collection on any of Trove's engines.
final class TroveNoteStore: NoteStore {
    private let store: ObjectStore
    private let notes: Documents<ObjectStore>

    init(_ backend: any StorageBackend, durability: Durability) throws {
        store = try ObjectStore(backend, durability: durability, models: [])
        notes = store.documents("notes")
    }

    func insertion(of data: NoteData, batch: Int) throws -> () throws -> Void {
        let documents = try (0..<data.count).map(data.document)
        return {
            for first in stride(from: 0, to: documents.count, by: batch) { try self.notes.save(documents[first..<min(first + batch, documents.count)]) }
        }
    }

    func documents(by authors: [String]) throws -> () throws -> Tally {
        {
            var tally = Tally()
            for author in authors {
                for document in try self.notes.fetch({ $0[DocumentPath(NoteData.authorPath)] == author }).all() {
                    guard case .int(let number)? = document["code"] else { continue }
                    tally.add(answer: Int(number))
                }
            }
            return tally
        }
    }

    func count() throws -> Int { try notes.count() }

    func close() throws { try store.close() }
}
