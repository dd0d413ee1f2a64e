@testable import Trove

/// What a full-text or substring index stores.
enum PostingCheck {
    static let index = InvertedIndex(name: "index", model: "Fuzzed", title: "words", terms: .words(FullTextOptions()), fieldCount: 2)
    private static let trigrams = InvertedIndex(name: "index", model: "Fuzzed", title: "parts", terms: .trigrams(ignoring: .case), fieldCount: 1)

    /// An input is a byte for what it is read as, a key with its size, and a value; the checksum is put before it.
    static func run(_ input: inout FuzzInput) throws {
        let kind = input.choice(6)
        let key = input.chunk()
        let value = sealed(input.rest(), key: key)
        switch kind {
        case 0: try checkPostings(key, value, index)
        case 1: try checkPostings(key, value, trigrams)
        case 2:
            _ = try valueOrTypedError("lengths") {
                var block = LengthBlock()
                try block.load(value.span.bytes, key: key, index)
            }
        case 3: _ = try valueOrTypedError("record keys") { try RecordKeyBlock(value.span.bytes, key: key, index) }
        case 4: _ = try valueOrTypedError("a number") { try key.withUnsafeBytes { try DocumentNumber.decode(value.span.bytes, recordKey: $0, index) } }
        default:
            key.withUnsafeBytes { key in
                _ = DocumentKey.recordKeyBlock(key)
                _ = DocumentKey.lengthGroup(key)
            }
            try checkTotals(value.dropFirst(FullTextFormat.checksumSize))
        }
    }

    /// A value behind its checksum.
    static func sealed(_ value: [UInt8], key: [UInt8]) -> [UInt8] {
        let checksum = value.withUnsafeBytes { value in key.withUnsafeBytes { FullTextFormat.checksum(of: value, key: $0) } }
        return withUnsafeBytes(of: checksum.littleEndian) { [UInt8]($0) } + value
    }

    private static func checkPostings(_ key: [UInt8], _ value: [UInt8], _ index: InvertedIndex) throws {
        _ = try valueOrTypedError("a block of postings") {
            let block = PostingBlock(index)
            try block.load(key: key.span.bytes, value: value.span.bytes)
            _ = block.firstIndex(atLeast: 7, from: 0)
            var walk = try PostingWalk(block, keepsCounts: index.keepsCounts, keepsPositions: index.keepsPositions)
            var documents = 0
            var previous: UInt64?
            while !walk.isAtEnd {
                if let previous { try require(walk.document > previous, "documents that do not ascend") }
                previous = walk.document
                documents += 1
                try walk.next { counts, positions in
                    guard !counts.isEmpty else { return }
                    var occurrences = 0
                    PostingWalk.forEachOccurrence(counts, positions, fieldCount: index.fieldCount) { _, _ in occurrences += 1 }
                }
            }
            try require(documents == block.count, "a walk of another length")
        }
    }

    /// The totals of an index are read from its keyspace, so that is where they are put.
    private static func checkTotals(_ rest: ArraySlice<UInt8>) throws {
        let backend = MemoryBackend()
        try backend.write(.relaxed) { writer in
            let documents = try writer.createKeyspace(named: index.documentsName)
            // Version, analysis and definition are those of the index, since they would stop the reader.
            let head = [FullTextFormat.version, FullTextFormat.analysis] + withUnsafeBytes(of: index.fingerprint.littleEndian) { [UInt8]($0) }
            try writer.put(IndexTotals.key, sealed(head + rest, key: IndexTotals.key), in: documents)
            guard let totals = try valueOrTypedError("totals", { try IndexTotals.load(index, writer, documents) }) else { return }
            try totals.save(index, writer, documents)
            try require(try IndexTotals.load(index, writer, documents) == totals, "other totals are read again")
        } as Void
        try backend.close()
    }
}
