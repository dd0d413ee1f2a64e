/// A model as one transaction has it open.
@usableFromInline struct OpenModel {
    let type: ObjectIdentifier
    let binding: ModelBinding
    /// The keyspace of its records; nil when there is none yet.
    @usableFromInline let keyspace: Keyspace?
}
