import Crypto
import TroveStorage

extension EncryptedBackend {
    /// Lets one more key open the store. Nothing is rewritten but the record of keys.
    ///
    /// - Throws: ``SealedStoreError/invalidKey(_:)``, ``SealedStoreError/tooManyKeys(_:)``; `conflict` when another process replaces the keys meanwhile.
    public func addKey(_ key: StoreKey) throws {
        let ring = try withSnapshot(\.snapshot.ring)
        try add(NewRootKey(key, store: ring.store, in: engine.place), ring)
    }

    /// Shuts a key out. It opens the store no longer, but whoever had it may have kept the keys that it led to: ``changeKey(to:)`` replaces those.
    ///
    /// - Throws: ``SealedStoreError/wrongKey(_:)`` when the key does not open the store; ``SealedStoreError/lastKey(_:)`` when no other one does.
    public func removeKey(_ key: StoreKey) throws {
        let record = try withSnapshot { try engine.record($0.inner, $0.keyspace) }
        let salts = try record.wraps.filter { try $0.open(with: key, store: record.store, in: engine.place) != nil }.map(\.salt)
        guard !salts.isEmpty else { throw SealedStoreError.wrongKey(engine.place.details("\(key) does not open the store, so it cannot be removed")) }
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
    /// The new key is added first and tried on what the store then has, and only then the old ones go: whatever happens in between, one of them opens
    /// the store. The store's own key is replaced too, so that an old key with an old record of keys does not lead to data keys that are made later. What is
    /// sealed already stays sealed with the data keys there are: ``rotateDataKey(stepSize:_:)`` replaces those. Others that have the store open get
    /// `wrongKey` in their next transaction, and open it again with the new key.
    ///
    /// - Throws: ``SealedStoreError/invalidKey(_:)``, ``SealedStoreError/tooManyKeys(_:)``; `conflict` when another process replaces the keys meanwhile.
    public func changeKey(to key: StoreKey) throws {
        let ring = try withSnapshot(\.snapshot.ring)
        let new = try NewRootKey(key, store: ring.store, in: engine.place)
        try add(new, ring)
        guard try Self.unlock(wrapped, key, engine.place) != nil else { throw engine.place.corrupt("its keyspace is gone") }
        let storeKey = SymmetricKey(size: .bits256)
        let wrap = try KeyWrap(storeKey, with: new, store: ring.store)
        engine.prepare(storeKey)
        try changeRecord { record, current in
            try requireSame(ring, current)
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

    private func add(_ key: NewRootKey, _ ring: KeyRing) throws {
        let wrap = try KeyWrap(ring.storeKey, with: key, store: ring.store)
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
