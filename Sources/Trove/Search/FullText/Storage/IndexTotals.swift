/// What an index knows of all its documents together.
struct IndexTotals: Sendable, Equatable {
    /// The number of documents.
    var documentCount = 0
    /// The number the next new document gets. Numbers are not used again.
    var nextNumber: UInt64 = 0
    /// The words of all documents.
    var wordCount = 0
    /// Whether documents are in the order of their record keys, so that neither has to be looked up to order by the other.
    var isOrderedByKey = true
    /// The record key of the document with the highest number so far.
    var lastKey: [UInt8] = []

    static let key: [UInt8] = [0]

    init() {}

    /// The totals of an index; those of an empty one where it has none.
    ///
    /// - Throws: ``TroveError/corruptIndex(model:index:reason:)``, also when the index was built by another definition.
    static func load(_ index: InvertedIndex, _ reader: any StorageReader, _ documents: Keyspace) throws -> IndexTotals {
        try reader.withValue(of: key.span.bytes, in: documents) { try IndexTotals($0, index) } ?? IndexTotals()
    }

    private init(_ value: RawSpan, _ index: InvertedIndex) throws {
        self = try value.withUnsafeBytes { value in
            guard let rest = Self.key.withUnsafeBytes({ FullTextFormat.checked(value, key: $0) }), rest.count > 10 else {
                throw index.corrupt("its totals do not fit their checksum; rebuild the index")
            }
            let isCurrent = rest[0] == FullTextFormat.version && rest[1] == FullTextFormat.analysis
            guard isCurrent, rest.loadUnaligned(fromByteOffset: 2, as: UInt64.self) == index.fingerprint.littleEndian else {
                throw index.corrupt("it was built by another definition; rebuild the index")
            }
            var offset = 10
            guard let count = Varint.read(rest, &offset), let next = Varint.read(rest, &offset), let words = Varint.read(rest, &offset),
                offset < rest.count, count <= next, words <= UInt64(Int.max), count <= UInt64(Int.max)
            else { throw index.corrupt("its totals are none; rebuild the index") }
            var totals = IndexTotals()
            totals.documentCount = Int(count)
            totals.nextNumber = next
            totals.wordCount = Int(words)
            totals.isOrderedByKey = rest[offset] == 1
            totals.lastKey = [UInt8](rest[(offset + 1)...])
            return totals
        }
    }

    func save(_ index: InvertedIndex, _ writer: any StorageWriter, _ documents: Keyspace) throws {
        var value = ByteWriter()
        value.append(UInt32(0))
        value.append(FullTextFormat.version)
        value.append(FullTextFormat.analysis)
        value.append(index.fingerprint.littleEndian)
        value.append(varint: UInt64(documentCount))
        value.append(varint: nextNumber)
        value.append(varint: UInt64(wordCount))
        value.append(UInt8(isOrderedByKey ? 1 : 0))
        lastKey.withUnsafeBytes { value.append($0) }
        try value.sealAndPass(Self.key) { try writer.put(Self.key.span.bytes, $0, in: documents) }
    }
}
