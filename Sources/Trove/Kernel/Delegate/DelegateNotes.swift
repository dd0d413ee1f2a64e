/// What a write transaction has to tell the store's delegate when it is committed.
final class DelegateNotes {
    let delegate: any StoreDelegate
    private var changes: [ObjectChange] = []

    init(_ delegate: any StoreDelegate) { self.delegate = delegate }

    /// How far the notes have come, for ``rollBack(to:)``.
    var mark: Int { changes.count }

    func append(_ change: ObjectChange) {
        changes.append(change)
        delegate.didChange(change)
    }

    /// Forgets what was noted since a mark.
    func rollBack(to mark: Int) { changes.removeSubrange(mark...) }

    /// Tells that the transaction was committed.
    func didCommit() {
        if !changes.isEmpty { delegate.didCommit(changes) }
    }
}

/// Tells the store's delegate the changes of one model's records.
final class DelegateListener: ChangeListener {
    private let notes: DelegateNotes
    private let modelName: String
    /// The model; nil when the program does not have it.
    private let binding: ModelBinding?
    private unowned let transaction: WriteTransaction
    /// The change noted last.
    private var noted: ObjectChange?

    init(_ notes: DelegateNotes, _ modelName: String, _ binding: ModelBinding?, _ transaction: WriteTransaction) {
        self.notes = notes
        self.modelName = modelName
        self.binding = binding
        self.transaction = transaction
    }

    func note(_ change: RecordTransition) throws {
        let kind: ObjectChange.Kind = change.newBytes == nil ? .deletion : change.oldBytes == nil ? .insertion : .update
        noted = try tell(kind, key: [UInt8](change.key), old: try record(change.old), new: try record(change.new))
    }

    func accept() {
        if let change = noted.take() { notes.append(change) }
    }

    func undo() { noted = nil }

    func noteRemovalOfAll(in records: Keyspace) throws {
        var changes: [ObjectChange] = []
        try transaction.reader.scan(in: records) { key, bytes in
            var old: StoredRecord?
            do {
                old = try transaction.storedRecord(bytes, key: key)
            } catch TroveError.corruptRecord {
                // It may be removed all the same.
            }
            changes.append(try tell(.deletion, key: [UInt8](copying: key), old: old, new: nil))
            return .next
        }
        for change in changes { notes.append(change) }
    }

    private func tell(_ kind: ObjectChange.Kind, key: [UInt8], old: StoredRecord?, new: StoredRecord?) throws -> ObjectChange {
        // The engine's key of a long id is a shortened form; the record has the whole.
        let key = (new ?? old)?.key ?? key
        let change = ObjectChange(
            kind: kind, reference: AnyReference(modelName: modelName, keyBytes: key), oldRecord: old, newRecord: new, binding: binding)
        try notes.delegate.willChange(change)
        return change
    }

    private func record(_ view: RecordView?) throws -> StoredRecord? {
        guard let view, let binding else { return nil }
        return try transaction.storedRecord(of: view, OpenModel(binding))
    }
}
