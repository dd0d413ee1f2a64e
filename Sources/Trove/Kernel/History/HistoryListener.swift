/// Adds the changes of one model's records to the store's history.
final class HistoryListener: ChangeListener {
    private let history: HistoryWriter
    private let modelName: String
    private let keepsValues: Bool
    /// Whether records of the model may have encrypted fields, whatever the program declares.
    private var isEncrypted = false
    private unowned let transaction: WriteTransaction
    /// What was noted and is not accepted: one change, or the deletions of all records; and where each ends.
    private var noted = ByteWriter(capacity: 256)
    private var ends: [Int] = []

    init(_ history: HistoryWriter, _ modelName: String, keepsValues: Bool, _ transaction: WriteTransaction) {
        self.history = history
        self.modelName = modelName
        self.keepsValues = keepsValues
        self.transaction = transaction
    }

    /// Takes over what the catalogue says: a layout with encrypted fields that no record had any more may come back within a transaction.
    func load(_ table: IndexTable) { isEncrypted = table.hasEncryptedFields(modelName) }

    func note(_ change: RecordTransition) throws {
        forget()
        try add(change.key, change.oldBytes, change.newBytes)
    }

    func accept() throws {
        defer { forget() }
        try noted.withBytes { bytes in
            try bytes.withUnsafeBytes { bytes in
                var start = 0
                for end in ends {
                    try history.append(modelName, UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                    start = end
                }
            }
        }
    }

    func undo() { forget() }

    func discard() { forget() }

    func noteRemovalOfAll(in records: Keyspace) throws {
        forget()
        try transaction.reader.scan(in: records) { key, record in
            try key.withUnsafeBytes { key in try record.withUnsafeBytes { try add(key, $0, nil) } }
            return .next
        }
    }

    private func forget() {
        if ends.isEmpty { return }
        noted.count = 0
        ends.removeAll(keepingCapacity: ends.count == 1)
    }

    private func add(_ key: UnsafeRawBufferPointer, _ old: UnsafeRawBufferPointer?, _ new: UnsafeRawBufferPointer?) throws {
        guard !transaction.isRewriting, let record = new ?? old else { return }
        let kind: ObjectChange.Kind = new == nil ? .deletion : old == nil ? .insertion : .update
        // Two records may be more than the engine takes in one value.
        let isKept = keepsValues && !isEncrypted && (old?.count ?? 0) + (new?.count ?? 0) < StorageLimits.maxValueSize / 2
        let values = isKept ? (old, new) : (nil, nil)
        if key.count > RecordKey.maxWholeSize {
            try transaction.wholeKey(key, of: record).withUnsafeBytes { HistoryChunk.encode(kind, $0, values.0, values.1, into: &noted) }
        } else {
            HistoryChunk.encode(kind, key, values.0, values.1, into: &noted)
        }
        ends.append(noted.count)
    }
}
