import Crypto
import TroveStorage

extension EncryptedBackend {
    /// Lets one more key open the store. Nothing is rewritten but the record of keys.
    ///
    /// - Throws: ``SealedStoreError/invalidKey(_:)``, also when a ``RootKeyProvider`` does not find the key that it has just made;
    ///   ``SealedStoreError/tooManyKeys(_:)``; `conflict` when another thread replaces the keys meanwhile, ``SealedStoreError/wrongKey(_:)`` when another
    ///   process does.
    public func addKey(_ key: StoreKey) throws { try addRootKey(key) }

    /// Shuts a key out: it opens the store no longer.
    ///
    /// The store's own key stays, as the other keys wrap it. So whoever had the key and kept an earlier record of keys, in a backup or a free page, can
    /// unwrap the data keys, also those that are made later. Against such a person, call ``changeKey(to:)`` with a key that stays, which replaces the store's
    /// key, then ``addKey(_:)`` for the others, then ``rotateDataKey(stepSize:_:)``.
    ///
    /// - Throws: ``SealedStoreError/wrongKey(_:)`` when the key does not open the store; ``SealedStoreError/lastKey(_:)`` when no other one does.
    public func removeKey(_ key: StoreKey) throws { try removeRootKey(key) }

    /// Makes `key` the only key that opens the store, in a few milliseconds however large the store is; a passphrase takes what it costs.
    ///
    /// The new key is tried before anything is written, then added, and only when the store has it the old ones go: whatever happens in between, one of
    /// them opens the store. The store's own key is replaced too, so that an old key with an old record of keys does not lead to data keys that are made later.
    /// What is sealed already stays sealed with the data keys there are: ``rotateDataKey(stepSize:_:)`` replaces those. Others that have the store open get
    /// `wrongKey` in their next transaction, and open it again with the new key.
    ///
    /// - Throws: ``SealedStoreError/invalidKey(_:)``, also when a ``RootKeyProvider`` does not find the key that it has just made;
    ///   ``SealedStoreError/tooManyKeys(_:)``; `conflict` when another thread replaces the keys meanwhile, ``SealedStoreError/wrongKey(_:)`` when another
    ///   process does.
    public func changeKey(to key: StoreKey) throws { try replaceRootKeys(with: key) }

    /// What the store is sealed with.
    ///
    /// - Throws: ``StorageError/closed(_:)``; what reading throws.
    public func sealingStatus() throws -> SealingStatus {
        try withSnapshot { source in
            let record = try record(of: source)
            let (root, ring) = (source.snapshot.root, source.snapshot.ring)
            return SealingStatus(
                rootKeyCount: record.wraps.count,
                dataKeys: record.dataKeys.map {
                    SealingStatus.DataKey(number: $0.number, isActive: $0.number == ring.active, sealedValueCount: root.sealedCounts[$0.number] ?? 0)
                },
                commitCount: root.commit)
        }
    }

    /// The record of keys of a snapshot. It lies in the clear: what somebody else has put in its place would become the store's by the next change of it.
    ///
    /// - Throws: `corrupt` when it is not the one that the root names.
    func record(of source: SnapshotReader) throws -> KeyRecord {
        let record = try engine.record(source.inner, source.keyspace)
        guard record.digest == source.snapshot.ring.digest else { throw engine.foreignRecord }
        return record
    }
}

extension EncryptedBackend: KeyKeeper {
    var place: Place { engine.place }

    func keys() throws -> (record: KeyRecord, ring: KeyRing) {
        try withSnapshot { (try record(of: $0), $0.snapshot.ring) }
    }

    func prepare(_ storeKey: SymmetricKey, of store: [UInt8]) { engine.prepare(storeKey) }

    func changeRecord(_ body: (inout KeyRecord, KeyRing) throws -> SymmetricKey) throws {
        try change(.durable) { writer in try changeRecord(in: writer, body) }
    }

    func changeRecord(in writer: SealedWriter, _ body: (inout KeyRecord, KeyRing) throws -> SymmetricKey) throws -> KeyRing {
        let source = writer.source
        return try record(of: source).change(source.snapshot.ring, in: place, body) { bytes in
            try writer.session.writer.put(StoreLayout.recordOfKeys, bytes, in: source.keyspace)
            return try engine.record(source.inner, source.keyspace)
        }
    }
}
