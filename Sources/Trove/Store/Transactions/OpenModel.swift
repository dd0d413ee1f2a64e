/// A model as one transaction has it open.
@usableFromInline struct OpenModel {
    let type: ObjectIdentifier
    let binding: ModelBinding
    /// The keyspace of its records; nil when there is none yet.
    @usableFromInline let keyspace: Keyspace?
    /// The indexes that changes of the model have to keep, in a write transaction; nil when there are none.
    let indexes: ModelIndexes?
    /// Whether its objects are live ones.
    @usableFromInline let isLive: Bool
    /// What most of its records have alike.
    let shape: PlainRecordShape

    init(type: ObjectIdentifier, binding: ModelBinding, keyspace: Keyspace?, indexes: ModelIndexes?) {
        self.type = type
        self.binding = binding
        self.keyspace = keyspace
        self.indexes = indexes
        isLive = binding.isLive
        shape = PlainRecordShape(binding.layout)
    }

    /// The model alone, to read records of it.
    init(_ binding: ModelBinding) {
        self.init(type: binding.type, binding: binding, keyspace: nil, indexes: nil)
    }
}
