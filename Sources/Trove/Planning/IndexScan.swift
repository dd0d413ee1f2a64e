/// Ranges of an index to be read.
struct IndexScan: Sendable {
    let index: IndexBinding
    /// The ranges of the index's keys, ascending, none of them overlapping.
    let ranges: [KeyRange]
    /// The conditions that the ranges come from.
    let conditions: [Filter]
    /// Whether an entry in the ranges may be of a record whose values are outside of them, since its parts were cut.
    let mustRecheck: Bool
    /// How many of the first parts have one value each in all of the ranges.
    let fixedParts: Int
    /// How many values of the first part, on which there is no condition, the ranges go through; 0 when they do not.
    var skipped = 0
    /// The record keys of all entries in the ranges, where the planner has met them when it looked how many they are.
    var found: KeyList?

    /// Whether no object has two entries in the ranges.
    var findsEachOnce: Bool {
        guard let multiple = index.fields.multiplePart else { return true }
        return multiple < fixedParts
    }
}

/// The order that an index gives to results.
struct IndexOrder: Sendable {
    /// Which parts of the index, after the fixed ones, are criteria of the sort: for each the number among the criteria that decide.
    let criteria: [Int]
    let order: ScanOrder
    /// Whether results with equal parts are in the right order once they are ordered by key: no criteria are left.
    let isComplete: Bool
    /// How many of the index's parts give the order, the fixed ones included.
    let partCount: Int
    /// Whether these are all that the index has, so that entries with equal parts come ascending by the record keys in them.
    let usesAllParts: Bool
    /// Whether the entries have whole record keys, whose order is that of the ids.
    let hasShortKeys: Bool

    /// Whether entries of equal parts come as results with equal values of the sort do: ascending by id.
    var keysAreInOrder: Bool { isComplete && usesAllParts && hasShortKeys }
}

/// What is sought in an index of words or trigrams.
struct WordScan: Sendable {
    enum Target: Sendable {
        /// What a full-text query finds.
        case words(FullTextQuery)
        /// What may contain a text; the records have to be checked.
        case part(String)
    }

    let index: IndexBinding
    let target: Target

    /// Calls `body` with the record key of each object found, in any order.
    func forEachKey(_ reader: any StorageReader, _ watch: ReadWatch, _ body: (RawSpan) throws -> ScanStep) throws {
        switch target {
        case .words(let query):
            guard let words = try index.fullTextIndex() else { return }
            try FullTextSearch(index: words, reader: reader, watch: watch).forEachMatch(query, body)
        case .part(let text):
            guard let parts = index.substringIndex else { return }
            // The planner asks only for texts that the index can find.
            _ = try parts.forEachCandidate(containing: text, in: reader, watch, body)
        }
    }

    /// How many objects are found; nil when their records tell.
    func count(_ reader: any StorageReader, _ watch: ReadWatch) throws -> Int? {
        switch target {
        case .words(let query): try index.fullTextIndex().map { try FullTextSearch(index: $0, reader: reader, watch: watch).count(query) } ?? 0
        case .part: nil
        }
    }

    /// At most how many objects are found.
    func estimate(_ reader: any StorageReader, _ watch: ReadWatch) throws -> Int {
        switch target {
        case .words(let query): try index.fullTextIndex().map { try FullTextSearch(index: $0, reader: reader, watch: watch).estimate(query) } ?? 0
        case .part(let text): try index.substringIndex?.estimate(containing: text, in: reader, watch) ?? 0
        }
    }
}

extension WordScan: CustomStringConvertible {
    var description: String {
        switch target {
        case .words(let query): "words '\(query)'"
        case .part(let text): "texts with '\(text)' in them"
        }
    }
}
