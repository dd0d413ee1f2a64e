import Crypto
import Synchronization
import TroveStorage

/// What the transactions of an encrypted backend share: keys, caches, and what they know of the newest state.
///
/// Nothing of it has to be shared with other backends on the same store or with other processes: all that counts is in the wrapped engine.
final class SealedEngine: Sendable {
    /// What is known of the store's states.
    private struct Known {
        /// Nil once the backend is closed.
        var ring: KeyRing?
        var storeKeys: KnownStoreKeys
        /// The root record that was opened last, as it was sealed.
        var sealedRoot: [UInt8] = []
        var snapshot: Snapshot?
    }

    let place: Place
    let options: EncryptedBackend.Options
    let cache: PageCache
    private let subkeys: Subkeys
    private let known: Mutex<Known>

    init(_ ring: KeyRing, place: Place, options: EncryptedBackend.Options) {
        self.place = place
        self.options = options
        cache = PageCache(size: options.cacheSize)
        subkeys = Subkeys(.store, capacity: 4_096)
        known = Mutex(Known(ring: ring, storeKeys: KnownStoreKeys([ring.storeKey])))
    }

    func opener(_ ring: KeyRing) -> Opener { Opener(place: place, ring: ring, subkeys: subkeys) }

    /// The newest state that is known: no later transaction may find an older one.
    var newest: Snapshot? { known.withLock(\.snapshot) }

    /// Takes note that the store's key is about to be replaced, so that it is found whatever becomes of the commit.
    func prepare(_ storeKey: SymmetricKey) {
        known.withLock { $0.storeKeys.add(storeKey) }
    }

    /// The number of keyspaces in the state that was read last.
    var keyspaceCount: Int { known.withLock { $0.snapshot?.root.catalogue.pointer?.count ?? 0 } }

    /// Lets keys and opened nodes go.
    func forget() {
        cache.forget()
        subkeys.forget()
        known.withLock { $0 = Known(ring: nil, storeKeys: KnownStoreKeys()) }
    }

    // MARK: States

    /// The state of the store in a transaction of the wrapped engine.
    ///
    /// - Throws: `corrupt` when the root is not what was sealed; ``SealedStoreError/wrongKey(_:)`` when the store's keys were replaced meanwhile.
    func snapshot(_ inner: any StorageReader, _ keyspace: Keyspace) throws -> Snapshot {
        var found: Snapshot?
        let isThere = try inner.get(StoreLayout.root, in: keyspace) { bytes in
            let (known, ring) = self.known.withLock { known in
                (known.sealedRoot.span.bytes.isEqual(to: bytes) ? known.snapshot : nil, known.ring)
            }
            guard let ring else { throw closed }
            found = try known ?? open(bytes, ring, inner, keyspace)
        }
        guard isThere, let found else { throw place.corrupt("its root is missing") }
        return found
    }

    private func open(_ bytes: RawSpan, _ ring: KeyRing, _ inner: any StorageReader, _ keyspace: Keyspace) throws -> Snapshot {
        guard let (keyNumber, tag) = opener(ring).outline(bytes) else { throw place.corrupt("its root is no sealed value of this version") }
        let sealed = [UInt8](copying: bytes)
        // Another process, or this one after the transaction began, may have changed the keys.
        var ring = ring
        if ring.keys[keyNumber] == nil { ring = try self.ring(inner, keyspace, storeKey: ring.storeKey) }
        let root = try root(sealed, ring)
        if root.keyDigest != ring.digest { ring = try self.ring(inner, keyspace, storeKey: ring.storeKey) }
        guard root.keyDigest == ring.digest else { throw foreignRecord }
        let snapshot = Snapshot(root: root, tag: tag, ring: ring)
        note(snapshot, sealed)
        return snapshot
    }

    private func root(_ sealed: [UInt8], _ ring: KeyRing) throws -> RootRecord {
        let bytes = try opener(ring).open(sealed.span.bytes, as: .root, number: StoreLayout.rootNumber, expecting: nil)
        do { return try RootRecord(bytes) } catch { throw place.corrupt("its root has another layout") }
    }

    /// Remembers a state that was read or committed.
    func note(_ snapshot: Snapshot, _ sealed: [UInt8]) {
        known.withLock { known in
            // Nothing is kept of what ends after the backend was closed.
            guard let ring = known.ring else { return }
            if snapshot.ring.generation >= ring.generation { known.ring = snapshot.ring }
            // Another one with as many commits does not take its place: it is from another history, and is refused.
            if let newest = known.snapshot, newest.root.commit >= snapshot.root.commit { return }
            known.snapshot = snapshot
            known.sealedRoot = sealed
        }
    }

    // MARK: Keys

    private var closed: StorageError { .closed(place.details("the store was closed; open it again")) }

    /// The newest keys that are known.
    func ring() throws -> KeyRing {
        guard let ring = known.withLock(\.ring) else { throw closed }
        return ring
    }

    /// The keys as the wrapped engine has them in a transaction.
    func ring(_ inner: any StorageReader, _ keyspace: Keyspace, storeKey: SymmetricKey) throws -> KeyRing {
        let record = try record(inner, keyspace)
        if let ring = try record.unlock(storeKey, in: place) ?? known.withLock(\.storeKeys).unlock(record, in: place) { return ring }
        throw SealedStoreError.wrongKey(place.details("the keys of the store were replaced since it was opened; open it again with its new key"))
    }

    /// The error for a record of keys that is not the one of the state.
    var foreignRecord: StorageError { place.corrupt("its record of keys is not the one that belongs to its root") }

    func record(_ inner: any StorageReader, _ keyspace: Keyspace) throws -> KeyRecord {
        guard let bytes = try inner.value(of: StoreLayout.recordOfKeys, in: keyspace) else { throw place.corrupt("its record of keys is missing") }
        return try KeyRecord(bytes, in: place)
    }
}
