import RawEngines

/// An open store of documents of the C program on SQLite, with native columns and indexes.
///
/// `@unchecked Sendable`: the engine's handle has no lock, and a workload calls it from one task at a time.
final class RawDocumentStore: DocumentStore, @unchecked Sendable {
    private let store: OpaquePointer

    init(path: String, _ place: StorePlace) throws {
        var store: OpaquePointer?
        try RawError.check(raw_documents_message, raw_documents_open(path, raw_durability(UInt32(place.durability.rawValue)), &store))
        guard let store else { throw BenchmarkError("the engine gave no handle") }
        self.store = store
    }

    func insertion(count: Int, batch: Int) throws -> () throws -> Void {
        let texts = TextArena()
        let documents = (0..<count).map { Self.document($0, texts) }
        return {
            try withExtendedLifetime(texts) {
                try documents.withUnsafeBufferPointer { documents in
                    for first in stride(from: 0, to: count, by: batch) {
                        let code = raw_documents_insert(
                            self.store, documents.baseAddress.map { $0 + first }, min(batch, count - first), Int64(first) + 1)
                        try RawError.check(raw_documents_message, code)
                    }
                }
            }
        }
    }

    private static func document(_ number: Int, _ texts: TextArena) -> raw_document {
        raw_document(
            name: texts.add(DocumentData.name(number)), city: texts.add(DocumentData.city(number)), kind: texts.add(DocumentData.kind(number)),
            year: Int64(DocumentData.year(number)), size: Int64(DocumentData.size(number)), price: DocumentData.price(number))
    }

    func documents(like number: Int) throws -> Tally {
        let texts = TextArena()
        var document = Self.document(number, texts)
        return try withExtendedLifetime(texts) {
            var tally = raw_tally()
            try RawError.check(raw_documents_message, raw_documents_find(store, &document, &tally))
            return Tally(tally)
        }
    }

    func count() throws -> Int {
        var count: Int64 = 0
        try RawError.check(raw_documents_message, raw_documents_count(store, &count))
        return Int(count)
    }

    func close() throws { try RawError.check(raw_documents_message, raw_documents_close(store)) }
}
