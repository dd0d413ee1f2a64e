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
            let old = try transaction.recordImage(bytes, key: key, binding)
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
        return try bytes.flatMap { try transaction.recordImage(asWritten: $0, key: key) }
    }

}
