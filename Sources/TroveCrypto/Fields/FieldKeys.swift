import Crypto
import Synchronization
import Trove
import TroveStorage

/// The keys of encrypted properties: what a program gives to a store whose models have properties marked `.encrypted`.
///
/// ```swift
/// let store = try ObjectStore(SQLiteBackend(path: "ward.db"), fieldKeys: FieldKeys(.raw(key)), models: Patient.self)
/// ```
///
/// The store keeps a record of its keys as a store of ``EncryptedBackend`` does: the given one is a root key, which wraps the store's own; that one wraps
/// the data keys with which values are sealed, and the key of blind indexes. Values are sealed with AES-256-GCM, each bound to its place.
///
/// What was unlocked once stays in memory: a record that another program has changed is read without the passphrase's cost. One `FieldKeys` may be given to
/// several stores.
///
/// What is promised and what is not, the format, and how keys are changed: `docs/encryption.md`.
public final class FieldKeys: FieldKeyring {
    private let key: StoreKey
    /// By the stores' identities: however many stores there are, none loses the keys that it has open.
    private let known = Mutex<[[UInt8]: KnownStoreKeys]>([:])

    /// Takes the key that opens the encrypted properties of a store, and that a store gets which has none yet.
    public init(_ key: StoreKey) { self.key = key }

    public func makeKeyRecord() throws -> [UInt8] {
        let (bytes, ring) = try KeyRecord.make(for: key, in: Place(fieldsOf: "a new store"))
        remember(ring.storeKey, of: ring.store)
        return bytes
    }

    /// The keys of a store's record.
    ///
    /// - Throws: ``SealedStoreError/wrongKey(_:)`` before anything but the record was looked at; `corrupt` for one that is damaged; `newerFormat`; what a
    ///   ``RootKeyProvider`` throws.
    public func unlock(_ keyRecord: [UInt8], path: String) throws -> any FieldSealer {
        let place = Place(fieldsOf: path)
        let record = try KeyRecord(keyRecord, in: place)
        return try FieldCipher(keyRecord, record, ring(of: record, in: place), in: place)
    }

    func ring(of record: KeyRecord, in place: Place) throws -> KeyRing {
        if let ring = try known.withLock({ $0[record.store] })?.unlock(record, in: place) { return ring }
        let ring = try record.unlock(with: key, in: place)
        remember(ring.storeKey, of: ring.store)
        return ring
    }

    /// Takes note of a store's key: one that was unlocked, or one that a store is about to get.
    func remember(_ storeKey: SymmetricKey, of store: [UInt8]) { known.withLock { $0[store, default: KnownStoreKeys()].add(storeKey) } }
}

extension FieldKeys: CustomStringConvertible, CustomReflectable {
    /// What kind of key it is; never the key.
    public var description: String { "field keys, opened by \(key)" }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
