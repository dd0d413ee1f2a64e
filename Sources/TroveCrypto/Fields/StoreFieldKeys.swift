import Crypto
@_spi(FieldSealing) import Trove
import TroveStorage

/// The record of keys of a store with encrypted properties.
struct StoreFieldKeys: KeyKeeper {
    let store: ObjectStore
    let keyring: FieldKeys
    let place: Place

    /// - Throws: ``SealedStoreError/notSealed(_:)`` when the store was opened without ``FieldKeys``.
    init(_ store: ObjectStore) throws {
        place = Place(fieldsOf: store.path, engine: store.capabilities.engine)
        guard let keyring = store.fieldKeys as? FieldKeys else {
            throw SealedStoreError.notSealed(place.details("the store was opened without keys of encrypted properties; open it with fieldKeys: FieldKeys(…)"))
        }
        (self.store, self.keyring) = (store, keyring)
    }

    func keys() throws -> (record: KeyRecord, ring: KeyRing) { try store.read(keys) }

    func keys(_ transaction: ReadTransaction) throws -> (record: KeyRecord, ring: KeyRing) {
        let record = try record(transaction)
        return (record, try keyring.ring(of: record, in: place))
    }

    private func record(_ transaction: ReadTransaction) throws -> KeyRecord {
        guard let bytes = try transaction.fieldKeyRecord() else {
            throw SealedStoreError.notSealed(place.details("the store has no encrypted properties, so it has no keys for any; mark some with .encrypted"))
        }
        return try KeyRecord(bytes, in: place)
    }

    func prepare(_ storeKey: SymmetricKey, of store: [UInt8]) { keyring.remember(storeKey, of: store) }

    func changeRecord(_ body: (inout KeyRecord, KeyRing) throws -> SymmetricKey) throws {
        try store.write(.durable) { try changeRecord(in: $0, body) }
    }

    func changeRecord(in transaction: WriteTransaction, _ body: (inout KeyRecord, KeyRing) throws -> SymmetricKey) throws {
        let (record, ring) = try keys(transaction)
        _ = try record.change(ring, in: place, body) { bytes in
            try transaction.setFieldKeyRecord(bytes)
            return try self.record(transaction)
        }
    }
}
