import TroveStorage

extension EncryptedBackend {
    /// The keys of the store in an engine; nil when the engine is empty.
    static func unlock(_ backend: any StorageBackend, _ key: StoreKey, _ place: Place) throws -> KeyRing? {
        let found: KeyRecord? = try backend.read { inner in try record(inner, place) }
        // Outside of the transaction, since making a key of a passphrase takes time.
        return try found?.unlock(with: key, in: place)
    }

    /// The record of keys; nil when the engine is empty.
    private static func record(_ inner: any StorageReader, _ place: Place) throws -> KeyRecord? {
        guard let keyspace = try inner.keyspace(named: StoreLayout.keyspace) else {
            guard try inner.keyspaceNames().isEmpty else {
                throw SealedStoreError.notSealed(
                    place.details("the store is not encrypted; open it without a key, and copy(to:) an EncryptedBackend to encrypt it"))
            }
            return nil
        }
        guard let bytes = try inner.value(of: StoreLayout.recordOfKeys, in: keyspace) else { throw place.corrupt("its record of keys is missing") }
        return try KeyRecord(bytes, in: place)
    }

    /// Makes a new store, unless another one was quicker, and returns its keys.
    static func create(_ backend: any StorageBackend, _ key: StoreKey, _ options: Options, _ place: Place) throws -> KeyRing {
        guard options.createsStore else {
            throw SealedStoreError.notSealed(place.details("there is no sealed store, and none is to be made; look for it elsewhere"))
        }
        guard options.expectedState == nil else {
            throw SealedStoreError.rolledBack(place.details("there is no store, but was before; somebody may have put an empty one in its place"))
        }
        guard backend.writeRefusal == nil else {
            throw StorageError.noSuchStore(
                place.details("there is no store at the path to read; look for it elsewhere, or open it where it can be written to create one"))
        }
        let (bytes, ring) = try KeyRecord.make(for: key, in: place)
        guard let dataKey = ring.keys[ring.active] else { throw place.corrupt("its active data key is missing") }
        let isMade: Bool = try backend.write(.durable) { writer in
            if try record(writer, place) != nil { return false }
            let keyspace = try writer.createKeyspace(named: StoreLayout.keyspace)
            try writer.put(StoreLayout.recordOfKeys, bytes, in: keyspace)
            let root = RootRecord(keyDigest: ring.digest)
            let sealed = try Sealer(ring, dataKey: dataKey).seal(root.bytes, as: .root, number: StoreLayout.rootNumber)
            try writer.put(StoreLayout.root, sealed.bytes, in: keyspace)
            return true
        }
        if isMade { return ring }
        guard let ring = try unlock(backend, key, place) else { throw place.corrupt("its keyspace is gone") }
        return ring
    }
}
