/// Compares one index with the records.
protocol IndexChecker: AnyObject {
    /// Compares what the index has of a record.
    func check(_ record: RecordView) throws

    /// Looks for what the index has beyond the records that were checked, which were all; calls `advance` with each entry it reads.
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
