/// The documents that a part of a query finds, by ascending number.
///
/// A new iterator is at its first document.
class DocumentIterator {
    /// The document it is at; ``end`` after the last.
    final var document: UInt64 = 0

    static let end = UInt64.max

    /// About how many documents there are, to begin with the fewest.
    var estimate: Int { 0 }

    /// Goes to the next document.
    func next() throws { document = Self.end }

    /// Goes to the first document at or above `target`, which is above the one it is at.
    func advance(to target: UInt64) throws { document = Self.end }

    /// How well the document it is at fits, for its length.
    func score(_ length: LengthNorm) throws -> Double { 0 }

    /// What it adds to the rarity of a phrase that it is a word of.
    var phraseRarity: Double { 0 }

    /// Appends where the words stand in the document it is at, ascending, to `occurrences`.
    func appendOccurrences(to occurrences: inout [UInt64]) throws {}
}

/// No documents.
final class EmptyIterator: DocumentIterator {
    override init() {
        super.init()
        document = Self.end
    }
}

/// All documents of the index.
final class EveryDocumentIterator: DocumentIterator {
    private let context: SearchContext
    private let cursor: any StorageCursor
    /// The documents of the block it is in.
    private var documents: [UInt64] = []
    private var position = 0

    init(_ context: SearchContext, _ keyspace: Keyspace) throws {
        self.context = context
        cursor = try context.reader.cursor(in: keyspace)
        super.init()
        if try cursor.seek(to: DocumentKey.lengths(group: 0).span.bytes) { try load() }
        try settle()
    }

    override var estimate: Int { context.totals.documentCount }

    override func next() throws {
        position += 1
        try settle()
    }

    override func advance(to target: UInt64) throws {
        if documents.last ?? 0 < target {
            documents.removeAll(keepingCapacity: true)
            position = 0
            if try !cursor.seek(to: DocumentKey.recordKeys(block: target / FullTextFormat.keyBlockSize).span.bytes) {
                document = Self.end
                return
            }
            try load()
        }
        while position < documents.count, documents[position] < target { position += 1 }
        try settle()
    }

    private func settle() throws {
        while position >= documents.count {
            guard try cursor.next() else {
                document = Self.end
                return
            }
            try load()
        }
        document = documents[position]
    }

    /// Takes the documents of the entry the cursor is at.
    private func load() throws {
        // Those that others exclude are passed over without a step of the search's own.
        try context.watch?.look()
        documents.removeAll(keepingCapacity: true)
        position = 0
        _ = try cursor.withEntry { key, value in
            guard let block = key.withUnsafeBytes(DocumentKey.recordKeyBlock) else { return }
            let base = block * FullTextFormat.keyBlockSize
            try RecordKeyBlock.forEach(value, key: key, context.index) { slot, _ in documents.append(base + UInt64(slot)) }
        }
    }
}
