/// What an inverted index holds and where: the common ground of full-text and substring indexes.
///
/// It takes three keyspaces: its postings, its documents by number, and the numbers by record key.
struct InvertedIndex: Sendable, Hashable {
    /// How terms are made of texts.
    enum Terms: Sendable, Hashable {
        case words(FullTextOptions)
        /// Every three scalars in a row of the text without what is ignored, its case among it.
        case trigrams(ignoring: TextFolding)
    }

    /// What the keyspaces' names begin with.
    let name: String
    /// The model and the name of the index, which errors tell.
    let model: String
    let title: String
    let terms: Terms
    let fieldCount: Int
    /// The longest block of postings, in bytes. Below 1,000 no engine moves blocks out of its pages.
    var blockSize = 900

    /// Whether postings tell in which fields and how often a term occurs.
    var keepsCounts: Bool { if case .words = terms { true } else { false } }
    /// Whether postings tell where.
    var keepsPositions: Bool { if case .words(let options) = terms { options.keepsPositions } else { false } }
    /// Whether the length of each document is kept.
    var keepsLengths: Bool { keepsCounts }

    var postingsName: String { name }
    var documentsName: String { name + "/documents" }
    var keysName: String { name + "/keys" }

    /// Tells definitions apart that make different postings.
    var fingerprint: UInt64 {
        let text: String
        switch terms {
        case .words(let options):
            text =
                "words \(options.stemming?.rawValue ?? "-") \(options.ignoresDiacritics) \(options.minimumWordLength) \(options.keepsPositions) \(fieldCount)"
        case .trigrams(let ignoring):
            text = "trigrams \(fieldCount)" + (ignoring.contains(.diacritics) ? " plain" : "")
        }
        return Checksum.hash(Array(text.utf8), seed: UInt64(FullTextFormat.analysis))
    }

    /// An error that tells of damage.
    func corrupt(_ reason: String) -> TroveError { .corruptIndex(model: model, index: title, reason: reason) }
}

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
                offset < rest.count, count <= next, next <= FullTextFormat.numberLimit, words <= FullTextFormat.wordLimit
            else { throw index.corrupt("its totals are not valid; rebuild the index") }
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
