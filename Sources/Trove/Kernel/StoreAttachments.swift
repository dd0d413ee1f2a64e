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
}
