import Trove
import TroveCrypto

/// Where the keys are of a store that is encrypted, or that has encrypted properties.
struct StoreKeys {
    /// The key of the store; nil when no option says.
    var store: KeySource?
    /// The key of its encrypted properties; nil when no option says.
    var fields: KeySource?

    /// The same keys, of those that are missing here what `others` have.
    func filled(from others: StoreKeys?) -> StoreKeys { StoreKeys(store: store ?? others?.store, fields: fields ?? others?.fields) }

    /// The key of the store in an engine; nil where the store is not encrypted.
    ///
    /// A person at a terminal is asked for a passphrase that no option has.
    ///
    /// - Parameters:
    ///   - path: what the store is called.
    ///   - allowsPlain: whether a key is passed over that the store does not need, since it is another store's.
    /// - Throws: ``CommandError/needsKey(path:)``; ``CommandError/isNotEncrypted(path:)``; what the key's source and the store throw.
    func key(of engine: any StorageBackend, named path: String, allowsPlain: Bool) throws -> StoreKey? {
        guard try EncryptedBackend.isEncrypted(engine) else {
            if store != nil, !allowsPlain { throw CommandError.isNotEncrypted(path: path) }
            return nil
        }
        guard store != nil || Passphrase.canAsk else { throw CommandError.needsKey(path: path) }
        return try (store ?? .passphraseFile("-")).key(for: path)
    }

    /// The key of the encrypted properties of the store on a backend; nil when no option has one.
    ///
    /// - Parameter isNew: whether the store is made, and given the key.
    /// - Throws: ``CommandError/hasNoEncryptedProperties(path:)``, since a store would be given keys when it is opened with some.
    func fieldKey(of backend: any StorageBackend, named path: String, isNew: Bool, allowsPlain: Bool) throws -> StoreKey? {
        guard let fields else { return nil }
        if isNew { return try fields.key(for: "the encrypted properties of \(path)", isNew: true) }
        guard try FieldKeys.areUsed(in: backend) else {
            if allowsPlain { return nil }
            throw CommandError.hasNoEncryptedProperties(path: path)
        }
        return try fields.key(for: "the encrypted properties of \(path)")
    }
}
