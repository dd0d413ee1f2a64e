import TroveStorage

/// What can go wrong with the keys of a sealed store.
///
/// Damage and tampering are ``StorageError/corrupt(_:)``, as on every engine, and all else that an engine reports stays what it is.
public enum SealedStoreError: Error, Sendable, Hashable {
    /// The store is sealed with another key. Nothing of it was read but the record of its keys.
    case wrongKey(StorageError.Details)
    /// No store can be sealed with such a key: a raw key that has not 256 bits, an empty passphrase, a cost out of range.
    case invalidKey(StorageError.Details)
    /// The store is not encrypted.
    case notSealed(StorageError.Details)
    /// The store is older than it was: somebody has put an earlier copy in its place. Or it is not the store that was expected.
    case rolledBack(StorageError.Details)
    /// The key is the store's only one, so nobody could open it without.
    case lastKey(StorageError.Details)
    /// The store has as many keys as it can.
    case tooManyKeys(StorageError.Details)

    /// The engine's name, the path and the message.
    public var details: StorageError.Details {
        switch self {
        case .wrongKey(let details), .invalidKey(let details), .notSealed(let details), .rolledBack(let details), .lastKey(let details),
            .tooManyKeys(let details):
            details
        }
    }

    /// The case's name, such as `wrongKey`.
    public var name: String {
        switch self {
        case .wrongKey: "wrongKey"
        case .invalidKey: "invalidKey"
        case .notSealed: "notSealed"
        case .rolledBack: "rolledBack"
        case .lastKey: "lastKey"
        case .tooManyKeys: "tooManyKeys"
        }
    }
}

extension SealedStoreError: CustomStringConvertible {
    public var description: String { "\(details.engine), \(details.path): \(details.message) [\(name)]" }
}
