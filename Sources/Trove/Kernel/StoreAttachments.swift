import Synchronization

/// What layers above the kernel keep with an open store, one of each type.
final class StoreAttachments: Sendable {
    private let values = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    /// The attachment of a type; the first call makes it.
    func attachment<Value: AnyObject & Sendable>(_ make: () -> Value) -> Value {
        values.withLock { values in
            if let value = values[ObjectIdentifier(Value.self)] as? Value { return value }
            let value = make()
            values[ObjectIdentifier(Value.self)] = value
            return value
        }
    }

    /// Those that are told of commits of which nobody knows what they changed.
    var unknownCommitListeners: [any UnknownCommitListener] { values.withLock { $0.values.compactMap { $0 as? any UnknownCommitListener } } }

    /// Those that are told of records that are written again.
    var rewriteListeners: [any RewriteListener] { values.withLock { $0.values.compactMap { $0 as? any RewriteListener } } }
}

/// Is told of records that a pass over a model writes again in the present layout, with the values they had: what has read them before has nothing new to read.
protocol RewriteListener: Sendable {
    /// Looks at what has become of records.
    ///
    /// - Parameter replaced: their whole keys, and the versions, ``RecordChecksum/version(of:)``, of what they were.
    /// - Returns: what is to be done when the transaction is committed.
    func noteRewritten(_ replaced: [(key: [UInt8], version: UInt64)], of type: any Model.Type, in transaction: ReadTransaction) throws -> () -> Void
}
