/// What a write transaction has to tell a store's delegates and readers of commits; it belongs to one transaction.
final class ChangeNotes {
    private(set) var delegates: [any StoreDelegate]
    private let readers: [CommitReader]
    /// The number of the last of the readers that there were when the transaction began.
    private let lastReader: Int
    private let audience: StoreAudience
    private var changes: [ObjectChange] = []
    /// The transaction's place among the commits that readers are told of.
    private var turn: Int?

    init(_ delegates: [any StoreDelegate], _ readers: [CommitReader], upTo lastReader: Int, _ audience: StoreAudience) {
        self.delegates = delegates
        self.readers = readers
        self.lastReader = lastReader
        self.audience = audience
    }

    /// Notes of a transaction that nobody else is told of.
    init(_ delegate: any StoreDelegate, _ audience: StoreAudience) {
        (delegates, readers, lastReader) = ([delegate], [], 0)
        self.audience = audience
    }

    /// Tells one more delegate, before the others.
    func add(_ delegate: any StoreDelegate) { delegates.insert(delegate, at: 0) }

    /// Whether somebody is to be told of a model's changes.
    func concern(_ model: String) -> Bool { !delegates.isEmpty || readers.contains { $0.reads(model) } }

    /// Asks the delegates about a change, which the first of them that throws refuses.
    func willChange(_ change: ObjectChange) throws {
        for delegate in delegates { try delegate.willChange(change) }
    }

    func append(_ change: ObjectChange) {
        changes.append(change)
        for delegate in delegates { delegate.didChange(change) }
    }

    /// How far the notes have come, for ``rollBack(to:)``.
    var mark: Int { changes.count }

    /// Forgets what was noted since a mark.
    func rollBack(to mark: Int) { changes.removeSubrange(mark...) }

    /// Takes the transaction's place among the commits, which are the last thing left of it: no other one can write meanwhile.
    func takeTurn() {
        if !changes.isEmpty, !readers.isEmpty { turn = audience.takeTurn() }
    }

    /// Gives the transaction's place up: it was not committed.
    ///
    /// - Parameter isOpen: whether it may have been all the same.
    func giveUpTurn(isOpen: Bool) {
        if let turn = turn.take() {
            audience.end(turn, isOpen ? .unknown : .failed)
        } else if isOpen, audience.hasReaders {
            audience.noteUnseen(after: lastReader)
        }
    }

    /// Tells that the transaction was committed: first the readers, of whom the delegates' own writes have to wait in line.
    func didCommit() {
        if let turn = turn.take() {
            // Before anything is locked, as there may be many.
            let told = readers.map { (reader: $0, changes: $0.own(of: changes)) }.filter { !$0.changes.isEmpty }
            audience.end(turn, .committed(told, lastReader: lastReader))
        } else if audience.hasReaders {
            audience.noteUnseen(after: lastReader)
        }
        if changes.isEmpty { return }
        for delegate in delegates { delegate.didCommit(changes) }
    }
}
