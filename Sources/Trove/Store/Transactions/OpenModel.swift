/// A model as one transaction has it open.
@usableFromInline struct OpenModel {
    let type: ObjectIdentifier
    let binding: ModelBinding
    /// The keyspace of its records; nil when there is none yet.
    @usableFromInline let keyspace: Keyspace?
    /// What most of its records have alike.
    let shape: PlainRecordShape

    init(type: ObjectIdentifier, binding: ModelBinding, keyspace: Keyspace?) {
        self.type = type
        self.binding = binding
        self.keyspace = keyspace
        shape = PlainRecordShape(binding.layout)
    }
}
