/// What an inverted index holds and where: the common ground of full-text and substring indexes.
///
/// It takes three keyspaces: its postings, its documents by number, and the numbers by record key.
struct InvertedIndex: Sendable, Hashable {
    /// How terms are made of texts.
    enum Terms: Sendable, Hashable {
        case words(FullTextOptions)
        /// Every three scalars in a row of the folded text.
        case trigrams
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
        case .trigrams:
            text = "trigrams \(fieldCount)"
        }
        return Checksum.hash(Array(text.utf8), seed: UInt64(FullTextFormat.analysis))
    }

    /// An error that tells of damage.
    func corrupt(_ reason: String) -> TroveError { .corruptIndex(model: model, index: title, reason: reason) }
}
