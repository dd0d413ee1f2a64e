/// What a context's pending changes did to the records of a transaction that shows them.
struct PendingChanges {
    private let changes: [ObjectKey: RecordChange]

    init(_ changes: [RecordChange], _ classes: [String: any LiveModel.Type]) {
        self.changes = Dictionary(
            changes.compactMap { change in
                classes[change.modelName].map { (ObjectKey(ObjectIdentifier($0), change.key), change) }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The change of a record; nil when it is as in the store.
    func change(of key: ObjectKey) -> RecordChange? { changes[key] }
}
