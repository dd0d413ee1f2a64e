/// Tells a store's delegates and readers of commits the changes of one model's records.
final class AudienceListener: ChangeListener {
    private let notes: ChangeNotes
    private let modelName: String
    /// The model; nil when the program does not have it.
    private let binding: ModelBinding?
    private unowned let transaction: WriteTransaction
    /// What was noted and is not accepted: one change, or the deletions of all records.
    private var noted: [ObjectChange] = []

    init(_ notes: ChangeNotes, _ modelName: String, _ binding: ModelBinding?, _ transaction: WriteTransaction) {
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
        do {
            try notes.willChange(change)
        } catch {
            transaction.noteRefusal(error)
            throw error
        }
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
