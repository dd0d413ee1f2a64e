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
        documents.removeAll(keepingCapacity: true)
        position = 0
        _ = try cursor.withEntry { key, value in
            guard let block = key.withUnsafeBytes(DocumentKey.recordKeyBlock) else { return }
            let base = block * FullTextFormat.keyBlockSize
            try RecordKeyBlock.forEach(value, key: [UInt8](copying: key), context.index) { slot, _ in documents.append(base + UInt64(slot)) }
        }
    }
}
