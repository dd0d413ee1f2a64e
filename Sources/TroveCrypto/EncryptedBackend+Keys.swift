import Crypto
import TroveStorage

extension EncryptedBackend {
    /// Lets one more key open the store. Nothing is rewritten but the record of keys.
    ///
    /// - Throws: ``SealedStoreError/invalidKey(_:)``, also when a ``RootKeyProvider`` does not find the key that it has just made;
    ///   ``SealedStoreError/tooManyKeys(_:)``; `conflict` when another thread replaces the keys meanwhile, ``SealedStoreError/wrongKey(_:)`` when another
    ///   process does.
    public func addKey(_ key: StoreKey) throws {
        let ring = try withSnapshot(\.snapshot.ring)
        try add(key, NewRootKey(key, store: ring.store, in: engine.place), ring)
    }

    /// Shuts a key out: it opens the store no longer.
    ///
    /// The store's own key stays, as the other keys wrap it. So whoever had the key and kept an earlier record of keys, in a backup or a free page, can
    /// unwrap the data keys, also those that are made later. Against such a person, call ``changeKey(to:)`` with a key that stays, which replaces the store's
    /// key, then ``addKey(_:)`` for the others, then ``rotateDataKey(stepSize:_:)``.
    ///
    /// - Throws: ``SealedStoreError/wrongKey(_:)`` when the key does not open the store; ``SealedStoreError/lastKey(_:)`` when no other one does.
    public func removeKey(_ key: StoreKey) throws {
        let record = try withSnapshot { try engine.record($0.inner, $0.keyspace) }
        let salts = try record.wraps.filter { try $0.open(with: key, store: record.store, in: engine.place) != nil }.map(\.salt)
        guard !salts.isEmpty else { throw SealedStoreError.wrongKey(engine.place.details("the store is not opened by \(key.name), so it cannot be removed")) }
        try changeRecord { record, ring in
            record.wraps.removeAll { salts.contains($0.salt) }
            guard !record.wraps.isEmpty else {
                throw SealedStoreError.lastKey(engine.place.details("nobody could open the store without its only key; add another one first"))
            }
            return ring.storeKey
        }
    }

    /// Makes `key` the only key that opens the store, in a few milliseconds however large the store is; a passphrase takes what it costs.
    ///
    /// The new key is tried before anything is written, then added, and only when the store has it the old ones go: whatever happens in between, one of
    /// them opens the store. The store's own key is replaced too, so that an old key with an old record of keys does not lead to data keys that are made later. What is
    /// sealed already stays sealed with the data keys there are: ``rotateDataKey(stepSize:_:)`` replaces those. Others that have the store open get
    /// `wrongKey` in their next transaction, and open it again with the new key.
    ///
    /// - Throws: ``SealedStoreError/invalidKey(_:)``, also when a ``RootKeyProvider`` does not find the key that it has just made;
    ///   ``SealedStoreError/tooManyKeys(_:)``; `conflict` when another thread replaces the keys meanwhile, ``SealedStoreError/wrongKey(_:)`` when another
    ///   process does.
    public func changeKey(to key: StoreKey) throws {
        let ring = try withSnapshot(\.snapshot.ring)
        let new = try NewRootKey(key, store: ring.store, in: engine.place)
        try add(key, new, ring)
        let storeKey = SymmetricKey(size: .bits256)
        let wrap = try KeyWrap(storeKey, with: new, store: ring.store)
        engine.prepare(storeKey)
        try changeRecord { record, current in
            try requireSame(ring, current)
            guard record.wraps.contains(where: { $0.salt == new.salt }) else {
                throw StorageError.conflict(engine.place.details("another program has removed the new key of the store meanwhile; try again"))
            }
            try record.replaceStoreKey(with: storeKey, wraps: [wrap], ring: current)
            return storeKey
        }
    }

    /// What the store is sealed with.
    public func sealingStatus() throws -> SealingStatus {
        try withSnapshot { source in
            let record = try engine.record(source.inner, source.keyspace)
            let (root, ring) = (source.snapshot.root, source.snapshot.ring)
            return SealingStatus(
                rootKeyCount: record.wraps.count,
                dataKeys: record.dataKeys.map {
                    SealingStatus.DataKey(number: $0.number, isActive: $0.number == ring.active, sealedValueCount: root.sealedCounts[$0.number] ?? 0)
                },
                commitCount: root.commit)
        }
    }

    // MARK: The record of keys

    /// Adds a wrap that was tried with the key as its owner gave it: a provider may not find again what it has made.
    private func add(_ key: StoreKey, _ new: NewRootKey, _ ring: KeyRing) throws {
        let wrap = try KeyWrap(ring.storeKey, with: new, store: ring.store)
        guard try wrap.open(with: key, store: ring.store, in: engine.place) == ring.storeKey else {
            throw SealedStoreError.invalidKey(
                engine.place.details("\(key) does not open what was just wrapped with it; the store keeps its keys; see to what the provider makes and finds"))
        }
        try changeRecord { record, current in
            try requireSame(ring, current)
            guard record.wraps.count < KeyRecord.maxWraps else {
                throw SealedStoreError.tooManyKeys(engine.place.details("a store has at most \(KeyRecord.maxWraps) keys; remove one first"))
            }
            record.wraps.append(wrap)
            return ring.storeKey
        }
    }

    private func requireSame(_ ring: KeyRing, _ current: KeyRing) throws {
        guard ring.storeKey == current.storeKey else {
            throw StorageError.conflict(engine.place.details("another program has replaced the keys of the store meanwhile; try again"))
        }
    }

    /// Changes the record of keys in a durable transaction, and tries it as it then lies in the engine before that is committed.
    ///
    /// - Parameter body: changes the record and returns the store's key.
    func changeRecord(_ body: (inout KeyRecord, KeyRing) throws -> SymmetricKey) throws {
        try change(.durable) { writer in try changeRecord(in: writer, body) }
    }

    func changeRecord(in writer: SealedWriter, _ body: (inout KeyRecord, KeyRing) throws -> SymmetricKey) throws -> KeyRing {
        let source = writer.source
        var record = try engine.record(source.inner, source.keyspace)
        let storeKey = try body(&record, source.snapshot.ring)
        record.generation += 1
        try writer.session.writer.put(StoreLayout.recordOfKeys, record.bytes(storeKey: storeKey), in: source.keyspace)
        guard let ring = try engine.record(source.inner, source.keyspace).unlock(storeKey, in: engine.place) else {
            throw engine.place.corrupt("the engine has not kept the record of its keys")
        }
        return ring
    }
}
