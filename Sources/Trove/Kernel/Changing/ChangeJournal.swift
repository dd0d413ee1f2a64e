/// What a write transaction made of one record: its bytes before and after.
struct RecordChange: Sendable, Hashable {
    /// The name of the record's model.
    let modelName: String
    /// The whole key: the id's ``StorableKey/keyBytes``.
    let key: [UInt8]
    /// The record as it was, in the layout it had; nil when there was none.
    let before: [UInt8]?
    /// The record as it is now; nil when it was removed.
    var after: [UInt8]?
    /// The record whose change or deletion a rule or an inverse went on from to change this one; nil when it was changed itself.
    var cause: AnyReference?

    /// What refers to the record.
    var reference: AnyReference { AnyReference(modelName: modelName, keyBytes: key) }
}

/// Takes down every record that a write transaction changes, whatever caused it: a save, a deletion, a rule, an inverse.
///
/// What a savepoint takes back is taken back here too. A journal belongs to one call of ``StoreCore/write(_:journal:_:)`` or
/// ``WriteTransaction/withJournal(_:_:)``, which may run its closure more than once and empties the journal each time; it is read after the closure has
/// ended, or inside it.
///
/// It is `@unchecked Sendable` because one thread after the other uses it: that of the transaction, and when this has ended whoever waited for it.
/// What each change uses is not checked for exclusive access, which takes longer than the access: no code of others runs meanwhile.
final class ChangeJournal: @unchecked Sendable {
    /// A change that was taken down.
    enum Entry {
        /// The one that its maker knows by this number, and all about it.
        case numbered(Int)
        // Kept apart, since most journals of many entries have none.
        indirect case change(RecordChange)
    }

    /// Keeps the annexes that changes remove; nil where nobody needs them.
    var annexes: AnnexTable?

    /// The engine's keys of the two records that have met in a unique index last, whose change failed.
    var conflict: (recordKey: [UInt8], otherKey: [UInt8])?

    /// One change after the other; a record that changes twice is there twice.
    @exclusivity(unchecked) private(set) var entries: [Entry] = []
    /// The number by which its maker knows the change that is made now; nil for others, of which the records are taken down.
    @exclusivity(unchecked) fileprivate(set) var number: Int?

    /// What the change that is made now follows from; nil for one that is made for its own sake.
    fileprivate(set) var cause: AnyReference?

    /// How far the journal has come, for ``rollBack(to:)``.
    var mark: Int { entries.count }

    /// Makes a change of which only its number has to be taken down.
    func numbering<Result>(_ number: Int, _ body: () throws -> Result) rethrows -> Result {
        self.number = number
        defer { self.number = nil }
        return try body()
    }

    /// Makes a change that follows from that of another record.
    func causing<Result>(_ cause: AnyReference?, _ body: () throws -> Result) rethrows -> Result {
        let outer = self.cause
        self.cause = cause
        defer { self.cause = outer }
        return try body()
    }

    /// The records that are not as they were, in the order in which they were first changed, those of numbered changes left out.
    var changes: [RecordChange] { records.filter { $0.before != $0.after } }

    /// The records that were written, in that order, those that are as they were among them.
    var records: [RecordChange] {
        struct Name: Hashable {
            let modelName: String
            let key: [UInt8]
        }
        var places: [Name: Int] = [:]
        var changes: [RecordChange] = []
        for case .change(let change) in entries {
            let name = Name(modelName: change.modelName, key: change.key)
            if let place = places[name] {
                changes[place].after = change.after
                changes[place].cause = changes[place].cause ?? change.cause
            } else {
                places[name] = changes.count
                changes.append(change)
            }
        }
        return changes
    }

    func append(_ entry: Entry) { entries.append(entry) }

    /// Forgets what was taken down since a mark.
    func rollBack(to mark: Int) { entries.removeSubrange(mark...) }

    func removeAll() {
        entries.removeAll()
        conflict = nil
    }
}

/// Takes the changes of one model's records down in a transaction's journal.
final class JournalListener: ChangeListener {
    private let journal: ChangeJournal
    private let modelName: String
    private unowned let transaction: WriteTransaction
    /// The change noted last.
    private var noted: ChangeJournal.Entry?

    init(_ journal: ChangeJournal, _ modelName: String, _ transaction: WriteTransaction) {
        self.journal = journal
        self.modelName = modelName
        self.transaction = transaction
    }

    /// Whether the change that is made now is taken down by its number.
    var isNumbering: Bool { journal.number != nil }

    /// Takes down the number of a change that was made.
    func appendNumber() {
        if let number = journal.number { journal.append(.numbered(number)) }
    }

    func note(_ change: RecordTransition) throws {
        if let number = journal.number { return noted = .numbered(number) }
        let (before, after) = (change.oldBytes.map { [UInt8]($0) }, change.newBytes.map { [UInt8]($0) })
        let key = try (change.newBytes ?? change.oldBytes).map { try transaction.wholeKey(change.key, of: $0) } ?? [UInt8](change.key)
        noted = .change(RecordChange(modelName: modelName, key: key, before: before, after: after, cause: journal.cause))
    }

    func accept() {
        if let entry = noted.take() { journal.append(entry) }
    }

    func undo() { noted = nil }

    func noteRemovalOfAll(in records: Keyspace) throws {
        try transaction.reader.scan(in: records) { key, record in
            let key = try key.withUnsafeBytes { key in try record.withUnsafeBytes { try transaction.wholeKey(key, of: $0) } }
            journal.append(.change(RecordChange(modelName: modelName, key: key, before: [UInt8](copying: record), after: nil)))
            return .next
        }
    }
}
