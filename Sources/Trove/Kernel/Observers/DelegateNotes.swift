import Synchronization

/// The delegate of an open store.
final class DelegateHolder: Sendable {
    private let held = Mutex<(any StoreDelegate)?>(nil)

    var delegate: (any StoreDelegate)? {
        get { held.withLock { $0 } }
        set {
            // The one before is let go outside of the lock: its deinit may write to the store, which asks for the delegate.
            let before = held.withLock { held in
                defer { held = newValue }
                return held
            }
            withExtendedLifetime(before) {}
        }
    }
}

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
    /// What was noted and is not accepted: one change, or the deletions of all records.
    private var noted: [ObjectChange] = []

    init(_ notes: DelegateNotes, _ modelName: String, _ binding: ModelBinding?, _ transaction: WriteTransaction) {
        self.notes = notes
        self.modelName = modelName
        self.binding = binding
        self.transaction = transaction
    }

    func note(_ change: RecordTransition) throws {
        let kind: ObjectChange.Kind = change.newBytes == nil ? .deletion : change.oldBytes == nil ? .insertion : .update
        let (old, new) = (try image(change.old, change.oldBytes, change.key), try image(change.new, change.newBytes, change.key))
        noted = [try tell(kind, change.key, of: change.newBytes ?? change.oldBytes, old, new)]
    }

    func accept() {
        for change in noted { notes.append(change) }
        noted.removeAll(keepingCapacity: noted.count == 1)
    }

    func undo() { noted = [] }

    func discard() { noted = [] }

    func noteRemovalOfAll(in records: Keyspace) throws {
        noted = []
        try transaction.reader.scan(in: records) { key, bytes in
            let old = try imageOfStored(bytes, key: key)
            try key.withUnsafeBytes { key in
                try bytes.withUnsafeBytes { noted.append(try tell(.deletion, key, of: $0, old, nil)) }
            }
            return .next
        }
    }

    private func tell(
        _ kind: ObjectChange.Kind, _ key: UnsafeRawBufferPointer, of record: UnsafeRawBufferPointer?, _ old: RecordImage?, _ new: RecordImage?
    ) throws -> ObjectChange {
        let key = try record.map { try transaction.wholeKey(key, of: $0) } ?? [UInt8](key)
        let change = ObjectChange(
            kind: kind, reference: AnyReference(modelName: modelName, keyBytes: key), old: old, new: new, binding: binding)
        try notes.delegate.willChange(change)
        return change
    }

    /// A record of which the pipeline has the view, or only the bytes when the program does not have the model; nil when nobody can read it.
    private func image(_ view: RecordView?, _ bytes: UnsafeRawBufferPointer?, _ key: UnsafeRawBufferPointer) throws -> RecordImage? {
        if let binding { return view.map { RecordImage($0, binding, transaction) } }
        guard let bytes, let layout = try transaction.layout(of: bytes, key: key) else { return nil }
        return RecordImage(bytes: [UInt8](bytes), layout: layout, annexes: transaction.annexes(of: layout), names: try transaction.presentNames(in: layout))
    }

    /// A stored record, in the model's current layout; nil when nobody can read it, for it may be removed all the same.
    private func imageOfStored(_ record: RawSpan, key: RawSpan) throws -> RecordImage? {
        guard let binding else {
            return try record.withUnsafeBytes { record in try key.withUnsafeBytes { try image(nil, record, $0) } }
        }
        var found: RecordImage?
        do {
            try transaction.withRecordView(record, key: key, OpenModel(binding)) { found = RecordImage($0, binding, transaction) }
        } catch let error as StorageError {
            throw error
        } catch {
            return nil
        }
        return found
    }
}

extension RecordImage {
    fileprivate init(_ view: RecordView, _ binding: ModelBinding, _ transaction: ReadTransaction) {
        self.init(bytes: [UInt8](view.bytes), layout: binding.layout, annexes: transaction.annexes(of: binding.layout))
    }
}

extension WriteTransaction {
    /// The delegate that is told of this transaction's changes.
    package var delegate: (any StoreDelegate)? { delegateNotes?.delegate }

    /// Tells another delegate of this transaction's changes than the store's. Of a transaction that has changed nothing yet: a model that was
    /// changed before goes on telling the one before.
    package func setDelegate(_ delegate: any StoreDelegate) { replaceDelegate(DelegateNotes(delegate)) }
}
