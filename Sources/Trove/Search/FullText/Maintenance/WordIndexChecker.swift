/// Compares an index of words or trigrams with the records.
final class WordIndexChecker: IndexChecker {
    /// How many disagreements are told one by one.
    private static let maxFindings = 100

    private(set) var damage: IndexDamage
    private(set) var findings: [(key: [UInt8], reason: String)] = []
    private let binding: IndexBinding
    private let verifier: InvertedIndexVerifier

    init(_ binding: IndexBinding, _ inverted: InvertedIndex, _ transaction: ReadTransaction) throws {
        self.binding = binding
        damage = IndexDamage(model: binding.modelName, index: binding.schema.name)
        verifier = try InvertedIndexVerifier(inverted, transaction.reader)
    }

    func check(_ record: RecordView) throws {
        try verifier.check(record.key.bytes, binding.texts(of: record))
    }

    func finish(_ advance: () throws -> Void) throws {
        for difference in try verifier.finish() {
            switch difference {
            case .missing(let key): find(\.missing, key, "it lacks the words of \(StoredRecord.text(of: key))")
            case .stale(let key): find(\.stale, key, "it has words of \(StoredRecord.text(of: key)), which is gone or damaged")
            case .wrong(let key, let reason): find(\.wrong, key, "it has other words of \(StoredRecord.text(of: key)) than there are: \(reason)")
            case .damaged(let reason): find(\.wrong, [], reason)
            }
        }
    }

    private func find(_ kind: WritableKeyPath<IndexDamage, Int>, _ key: [UInt8], _ reason: String) {
        damage[keyPath: kind] += 1
        if findings.count < Self.maxFindings { findings.append((key, reason)) }
    }
}
