/// Keeps inverses in step, deletes orphans and heeds delete rules in one write transaction.
///
/// Saves tell it what they change in relationships that have inverses or own their targets, see ``RelationshipNotes``. What follows from
/// that for other records is done after each save, or at the end of a batch, and orphans are looked at when the transaction ends, or
/// the savepoint in which they came to be.
final class RelationshipKeeper: TransactionFollower {
    /// What is noted of a change.
    enum Noting {
        /// All: a user saves.
        case changes
        /// What is taken out of a relationship that owns it: inverses are being brought in step.
        case orphans
        /// Nothing: a deletion is carried out, of which the plan has all.
        case nothing
    }

    unowned let transaction: WriteTransaction
    /// What the relationships ask of changes, looked up anew before each deletion, which may be the first since the store has bags.
    var rules: RelationshipRules
    /// The records that the notes speak of.
    let records = RecordTable()
    /// What saves changed in relationships that have an inverse, and has not been carried over.
    var changes: [LinkChange] = []
    /// New records of models whose relationships have inverses, at which others may point already.
    var newRecords: [RecordNumber] = []
    /// What was taken out of a relationship that owns it.
    var orphans: [Orphan] = []
    /// Records that no rule deletes: they are as they were before a step that was undone, or after one that was redone.
    var spared: Set<AnyReference> = []
    /// References that cannot be nil, and whose target no longer points back.
    var onesided: [OnesidedReference] = []
    private(set) var noting = Noting.changes
    var isCarryingOver = false

    init(_ transaction: WriteTransaction, _ rules: RelationshipRules) {
        self.transaction = transaction
        self.rules = rules
    }

    /// Whether saves have changed what inverses have to follow.
    var hasUnfinishedWork: Bool { !changes.isEmpty || !newRecords.isEmpty }

    /// Runs `body` with other notes taken.
    func noting<Result>(_ noting: Noting, _ body: () throws -> Result) rethrows -> Result {
        let outer = self.noting
        self.noting = noting
        defer { self.noting = outer }
        return try body()
    }

    /// Forgets the numbers of records when no note has one.
    func forgetRecords() {
        if !hasUnfinishedWork, orphans.isEmpty, onesided.isEmpty { records.removeAll() }
    }

    func endBatch() throws { try carryOver() }

    // MARK: Savepoints

    /// How far the notes had come when a savepoint began.
    struct Mark: FollowerMark {
        let orphans: Int
        let onesided: Int

        /// Before everything.
        static let start = Mark(orphans: 0, onesided: 0)
    }

    /// Begins a savepoint: what was changed before is carried over first.
    func beginSavepoint() throws -> any FollowerMark {
        try carryOver()
        // Those of a save before it in the same transaction.
        spared = []
        return Mark(orphans: orphans.count, onesided: onesided.count)
    }

    /// Forgets what was noted since a savepoint began, which was undone.
    func rollBack(to mark: (any FollowerMark)?) {
        let mark = mark as? Mark ?? .start
        changes.removeAll()
        newRecords.removeAll()
        orphans.removeSubrange(mark.orphans...)
        onesided.removeSubrange(mark.onesided...)
        forgetRecords()
    }
}
