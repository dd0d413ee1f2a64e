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
    var findings: IndexFindings { get }
}

/// The disagreements of an index with the records, counted as they come.
final class IndexFindings {
    /// How many are told one by one.
    private static let most = 100

    private(set) var damage: IndexDamage
    /// What tells how ids are shown.
    let model: ModelBinding?
    /// The first ones: the engine's key of the record, and what is the matter.
    private(set) var told: [(key: [UInt8], reason: String)] = []

    init(_ binding: IndexBinding, _ transaction: ReadTransaction) throws {
        damage = IndexDamage(model: binding.modelName, index: binding.schema.name)
        model = try transaction.namedModel(binding.modelName)
    }

    /// The id of a record, for a message.
    func shownID(_ key: [UInt8]) -> String { model?.shownID(key) ?? StoredRecord.text(of: key) }

    func note(_ kind: WritableKeyPath<IndexDamage, Int>, _ key: [UInt8], _ reason: @autoclosure () -> String) {
        damage[keyPath: kind] += 1
        if told.count < Self.most { told.append((key, reason())) }
    }
}

extension IndexBinding {
    /// What compares the index with the records.
    func checker(_ transaction: ReadTransaction) throws -> any IndexChecker {
        if let inverted = try invertedIndex() { return try WordIndexChecker(self, inverted, transaction) }
        return try OrderedIndexChecker(self, transaction)
    }
}

/// The disagreement of an index with the records, as ``ObjectStore/verify(progress:)`` found it.
///
/// ``ObjectStore/rebuildIndexes(of:progress:)`` mends it.
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

    var total: Int { missing + stale + wrong }
}

/// Compares an index of words or trigrams with the records.
final class WordIndexChecker: IndexChecker {
    let findings: IndexFindings
    private let binding: IndexBinding
    private let verifier: InvertedIndexVerifier

    init(_ binding: IndexBinding, _ inverted: InvertedIndex, _ transaction: ReadTransaction) throws {
        self.binding = binding
        let findings = try IndexFindings(binding, transaction)
        self.findings = findings
        verifier = try InvertedIndexVerifier(inverted, transaction.reader, watch: transaction.watch) { findings.note($0) }
    }

    func check(_ record: RecordView) throws {
        try verifier.check(record.key.bytes, binding.texts(of: record))
    }

    func finish(_ advance: () throws -> Void) throws { try verifier.finish(advance) }
}

extension IndexFindings {
    fileprivate func note(_ difference: IndexDifference) {
        switch difference {
        case .missing(let key): note(\.missing, key, "it lacks the words of \(shownID(key))")
        case .stale(let key): note(\.stale, key, "it has words of \(shownID(key)), which is gone or damaged")
        case .wrong(let key, let reason): note(\.wrong, key, "it has other words of \(shownID(key)) than there are: \(reason)")
        case .damaged(let reason): note(\.wrong, [], reason)
        }
    }
}
