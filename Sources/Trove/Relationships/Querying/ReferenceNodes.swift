/// Whether nothing points at an object.
///
/// Unchecked: it is used by the run of one query only, in one transaction, which belongs to one thread and outlives the run.
final class UnreferencedNode: FilterNode, @unchecked Sendable {
    private unowned let transaction: ReadTransaction
    private let modelName: String
    /// Each relationship that may point at it takes a look into its index.
    let cost = 10_000

    init(_ binding: ModelBinding, _ transaction: ReadTransaction) {
        self.transaction = transaction
        modelName = binding.schema.name
    }

    func matches(_ record: RecordView) throws -> Bool {
        try !transaction.isReferenced(AnyReference(modelName: modelName, keyBytes: [UInt8](record.wholeKey)))
    }
}

/// Whether one of an object's references points at what is not stored.
///
/// Unchecked for the reason that ``UnreferencedNode`` is.
final class DanglingNode: FilterNode, @unchecked Sendable {
    private unowned let transaction: ReadTransaction
    private let relationships: [RelationshipBinding]
    /// Each reference is looked up.
    let cost = 10_000

    init(_ binding: ModelBinding, _ transaction: ReadTransaction) {
        self.transaction = transaction
        relationships = transaction.core.relationships(of: binding.schema.name)
    }

    func matches(_ record: RecordView) throws -> Bool {
        var isDangling = false
        for relationship in relationships where !isDangling {
            try relationship.forEachTarget(of: record) { target in
                if try !isDangling && !transaction.isStored(target) { isDangling = true }
            }
        }
        return isDangling
    }
}
