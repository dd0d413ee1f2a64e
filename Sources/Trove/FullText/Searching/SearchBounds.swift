/// At most how many documents a query finds: told from the last block of each word alone, which counts the documents of all.
struct SearchBounds {
    private let context: SearchContext
    private let keyspace: Keyspace
    /// Its memory serves one word after the other.
    private let block: PostingBlock

    /// Fails when the index has no documents yet.
    init?(_ context: SearchContext) {
        guard let keyspaces = context.keyspaces else { return nil }
        self.context = context
        keyspace = keyspaces.postings
        block = PostingBlock(context.index)
    }

    private var all: Int { context.totals.documentCount }

    func count(of query: AnalyzedQuery) throws -> Int {
        switch query {
        case .words(let elements, _):
            return try least(elements) { try $0.isPrefix ? count(ofPrefix: $0.term) : count(of: $0.term) }
        case .all(let parts):
            return try least(parts, count)
        case .any(let parts):
            var sum = 0
            for part in parts where sum < all { sum += try count(of: part) }
            return min(sum, all)
        case .not: return all
        case .nothing: return 0
        }
    }

    /// How many documents hold a term, in whatever field.
    func count(of term: [UInt8]) throws -> Int {
        try context.watch?.look()
        var key = PostingKey()
        term.withUnsafeBufferPointer { key.setTail(of: $0) }
        return try block.load(key.bytes, context.reader, keyspace) ? block.total : 0
    }

    /// The least count of some parts, all of which have to be there.
    func least<Part>(_ parts: [Part], _ count: (Part) throws -> Int) throws -> Int {
        var least = all
        for part in parts where least > 0 { least = min(least, try count(part)) }
        return least
    }

    /// Goes from one term's last block to the next one's, past the blocks between.
    private func count(ofPrefix prefix: [UInt8]) throws -> Int {
        if let known = context.prefixBounds[prefix] { return known }
        let cursor = try context.reader.cursor(in: keyspace)
        var key = PostingKey()
        var sum = 0
        var isThere = try cursor.seek(to: prefix.span.bytes)
        while isThere, sum < all {
            try context.watch?.look()
            var isTail = false
            var isOne = false
            _ = try cursor.withEntry { found, value in
                try found.withUnsafeBytes { bytes in
                    isOne = bytes.starts(with: prefix)
                    guard isOne else { return }
                    guard let parts = PostingKey.parts(of: bytes) else { throw block.damaged("has a key that is not valid") }
                    UnsafeRawBufferPointer(rebasing: bytes[..<parts.termCount]).withMemoryRebound(to: UInt8.self) { key.setTail(of: $0) }
                    isTail = parts.bound == .max
                }
                guard isTail else { return }
                try block.load(key: found, value: value)
                sum += block.total
            }
            guard isOne else { break }
            isThere = try isTail ? cursor.next() : cursor.seek(to: key.bytes.span.bytes)
        }
        context.prefixBounds[prefix] = min(sum, all)
        return min(sum, all)
    }
}
