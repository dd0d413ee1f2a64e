/// Compares one index with the records.
protocol IndexChecker: AnyObject {
    /// Compares what the index has of a record.
    ///
    /// - Throws: `CancellationError`; an error of the engine; what reading a damaged record throws.
    func check(_ record: RecordView) throws

    /// Looks for what the index has beyond the records that were checked, which were all; calls `advance` once for each entry that it reads
    /// to find that out.
    func finish(_ advance: () throws -> Void) throws

    /// How the index disagrees with the records.
    var damage: IndexDamage { get }

    /// The first disagreements: the engine's key of the record, and what is the matter.
    var findings: [(key: [UInt8], reason: String)] { get }
}

extension IndexBinding {
    /// What compares the index with the records.
    func checker(_ transaction: ReadTransaction) throws -> any IndexChecker {
        if let inverted = try invertedIndex() { return try WordIndexChecker(self, inverted, transaction) }
        return try OrderedIndexChecker(self, transaction)
    }
}

/// The disagreement of an index with the records, as ``ObjectStore/verify(progress:)-swift.method`` found it.
///
/// ``ObjectStore/rebuildIndexes(of:progress:)-swift.method`` mends it.
public struct IndexDamage: Sendable, Hashable, CustomStringConvertible {
    /// The name of the model.
    public let model: String
    /// The name of the index.
    public let index: String
    /// The number of entries that records should have and do not have.
    public internal(set) var missing = 0
    /// The number of entries whose records are gone or have other values.
    public internal(set) var stale = 0
    /// The number of entries with wrong content; counts, sums and statistics are included.
    public internal(set) var wrong = 0

    public var description: String {
        "the index '\(index)' of \(model): \(missing) entries missing, \(stale) stale, \(wrong) wrong"
    }

    var isNone: Bool { missing + stale + wrong == 0 }
}

/// Compares an index of words or trigrams with the records.
final class WordIndexChecker: IndexChecker {
    var damage: IndexDamage { found.damage }
    var findings: [(key: [UInt8], reason: String)] { found.findings }
    private let binding: IndexBinding
    private let verifier: InvertedIndexVerifier
    private let found: Found

    init(_ binding: IndexBinding, _ inverted: InvertedIndex, _ transaction: ReadTransaction) throws {
        self.binding = binding
        let found = Found(IndexDamage(model: binding.modelName, index: binding.schema.name))
        self.found = found
        verifier = try InvertedIndexVerifier(inverted, transaction.reader, watch: transaction.watch) { found.note($0) }
    }

    func check(_ record: RecordView) throws {
        try verifier.check(record.key.bytes, binding.texts(of: record))
    }

    func finish(_ advance: () throws -> Void) throws { try verifier.finish(advance) }

    /// The disagreements, which are counted as they come.
    private final class Found {
        /// How many are told one by one.
        private static let maxFindings = 100

        private(set) var damage: IndexDamage
        private(set) var findings: [(key: [UInt8], reason: String)] = []

        init(_ damage: IndexDamage) {
            self.damage = damage
        }

        func note(_ difference: IndexDifference) {
            switch difference {
            case .missing(let key): note(\.missing, key, "it lacks the words of \(StoredRecord.text(of: key))")
            case .stale(let key): note(\.stale, key, "it has words of \(StoredRecord.text(of: key)), which is gone or damaged")
            case .wrong(let key, let reason): note(\.wrong, key, "it has other words of \(StoredRecord.text(of: key)) than there are: \(reason)")
            case .damaged(let reason): note(\.wrong, [], reason)
            }
        }

        private func note(_ kind: WritableKeyPath<IndexDamage, Int>, _ key: [UInt8], _ reason: @autoclosure () -> String) {
            damage[keyPath: kind] += 1
            if findings.count < Self.maxFindings { findings.append((key, reason())) }
        }
    }
}
