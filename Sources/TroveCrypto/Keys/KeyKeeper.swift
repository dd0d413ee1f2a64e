import Crypto
import TroveStorage

/// Who keeps a record of keys: a store that is sealed as a whole, or one with encrypted properties. What changes root keys is the same for both.
protocol KeyKeeper {
    var place: Place { get }

    /// The record as it is now, and its keys.
    func keys() throws -> (record: KeyRecord, ring: KeyRing)

    /// Changes the record in a durable transaction, and tries it as it then lies in the engine before that is committed.
    ///
    /// - Parameter body: changes the record and returns the store's key.
    func changeRecord(_ body: (inout KeyRecord, KeyRing) throws -> SymmetricKey) throws

    /// Takes note that the store's key is about to be replaced, so that it is found whatever becomes of the commit.
    ///
    /// - Parameter store: the store's identity.
    func prepare(_ storeKey: SymmetricKey, of store: [UInt8])
}

extension KeyKeeper {
    func addRootKey(_ key: StoreKey) throws {
        let ring = try keys().ring
        try add(key, NewRootKey(key, store: ring.store, in: place), ring)
    }

    func removeRootKey(_ key: StoreKey) throws {
        let record = try keys().record
        let salts = try record.wraps.filter { try $0.open(with: key, store: record.store, in: place) != nil }.map(\.salt)
        guard !salts.isEmpty else { throw SealedStoreError.wrongKey(place.details("the store is not opened by \(key.name), so it cannot be removed")) }
        try changeRecord { record, ring in
            record.wraps.removeAll { salts.contains($0.salt) }
            guard !record.wraps.isEmpty else {
                throw SealedStoreError.lastKey(place.details("nobody could open the store without its only key; add another one first"))
            }
            return ring.storeKey
        }
    }

    /// Adds a key, and only when the store has it replaces the store's own and lets all others go.
    func replaceRootKeys(with key: StoreKey) throws {
        let ring = try keys().ring
        let new = try NewRootKey(key, store: ring.store, in: place)
        try add(key, new, ring)
        let storeKey = SymmetricKey(size: .bits256)
        let wrap = try KeyWrap(storeKey, with: new, store: ring.store)
        prepare(storeKey, of: ring.store)
        try changeRecord { record, current in
            try requireSame(ring, current)
            guard record.wraps.contains(where: { $0.salt == new.salt }) else {
                throw StorageError.conflict(place.details("another program has removed the new key of the store meanwhile; try again"))
            }
            try record.replaceStoreKey(with: storeKey, wraps: [wrap], ring: current)
            return storeKey
        }
    }

    /// Adds a data key, with which all is sealed from then on.
    func addDataKey() throws {
        try changeRecord { record, ring in
            guard record.dataKeys.count < KeyRecord.maxDataKeys else {
                throw SealedStoreError.tooManyKeys(place.details("a store has at most \(KeyRecord.maxDataKeys) data keys; finish a rotation first"))
            }
            try record.addDataKey(storeKey: ring.storeKey)
            return ring.storeKey
        }
    }

    /// Adds a wrap that was tried with the key as its owner gave it: a provider may not find again what it has made.
    private func add(_ key: StoreKey, _ new: NewRootKey, _ ring: KeyRing) throws {
        let wrap = try KeyWrap(ring.storeKey, with: new, store: ring.store)
        guard try wrap.open(with: key, store: ring.store, in: place) == ring.storeKey else {
            throw SealedStoreError.invalidKey(
                place.details("\(key) does not open what was just wrapped with it; the store keeps its keys; see to what the provider makes and finds"))
        }
        try changeRecord { record, current in
            try requireSame(ring, current)
            guard record.wraps.count < KeyRecord.maxWraps else {
                throw SealedStoreError.tooManyKeys(place.details("a store has at most \(KeyRecord.maxWraps) keys; remove one first"))
            }
            record.wraps.append(wrap)
            return ring.storeKey
        }
    }

    private func requireSame(_ ring: KeyRing, _ current: KeyRing) throws {
        guard ring.storeKey == current.storeKey else {
            throw StorageError.conflict(place.details("another program has replaced the keys of the store meanwhile; try again"))
        }
    }
}

extension KeyRecord {
    /// Changes the record, and tries it as it then lies in the engine; returns its keys.
    ///
    /// - Parameters:
    ///   - body: changes the record and returns the store's key.
    ///   - write: puts the new bytes into the engine, and reads the record there.
    func change(
        _ ring: KeyRing, in place: Place, _ body: (inout KeyRecord, KeyRing) throws -> SymmetricKey, write: ([UInt8]) throws -> KeyRecord
    ) throws -> KeyRing {
        var record = self
        let storeKey = try body(&record, ring)
        record.generation += 1
        guard let ring = try write(record.bytes(storeKey: storeKey)).unlock(storeKey, in: place) else {
            throw place.corrupt("the engine has not kept the record of its keys")
        }
        return ring
    }
}
