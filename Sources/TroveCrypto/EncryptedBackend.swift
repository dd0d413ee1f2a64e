import Crypto
import TroveBackendKit
import TroveStorage

/// A store in which everything is encrypted and authenticated, on any engine.
///
/// ```swift
/// let backend = try EncryptedBackend(LMDBBackend(path: "music.lmdb"), key: .raw(key))      // 32 random bytes
/// let store = try ObjectStore(backend, models: Song.self)
/// ```
///
/// The wrapped engine has one keyspace with numbered values, each sealed with AES-256-GCM: the nodes of a tree of this backend's own. Nothing of names,
/// keys, their order, values, counts, index entries or statistics can be read in its files; their size, the number of nodes, and which of them a commit wrote,
/// can. Each node has the tags of its children, so a bit that was flipped, a value that was moved, removed or exchanged for an earlier one is
/// `corrupt` when it is read. That a whole store was set back is noticed with a ``SealedState`` that is kept elsewhere. Whoever has a data key can forge all
/// that until a rotation has ended.
///
/// Snapshots, atomicity, durability, waiting and sharing among processes are the wrapped engine's, as are ``capabilities``. The wrapped backend
/// belongs to this one, which closes it.
///
/// What is promised and what is not, the format, and how keys are changed: `docs/encryption.md`.
public final class EncryptedBackend: StorageBackend {
    let wrapped: any StorageBackend
    let engine: SealedEngine

    /// Opens the sealed store in an engine, made where the engine is empty.
    ///
    /// With a raw key that takes a few reads. A passphrase takes as long as its ``PassphraseCost`` says.
    ///
    /// - Throws: ``SealedStoreError/wrongKey(_:)`` before anything but the record of keys was read; ``SealedStoreError/notSealed(_:)`` for a store that
    ///   is not encrypted; ``SealedStoreError/rolledBack(_:)`` when it is older than ``Options/expectedState``; ``SealedStoreError/invalidKey(_:)`` when a
    ///   store cannot be made with this key; ``StorageError/noSuchStore(_:)`` when the engine is empty and only read;
    ///   `corrupt`, `newerFormat` and what else the engine throws; what a ``RootKeyProvider`` throws.
    public init(_ backend: any StorageBackend, key: StoreKey, options: Options = Options()) throws {
        let place = Place(backend)
        try options.validate(place)
        let ring = try Self.unlock(backend, key, place) ?? Self.create(backend, key, options, place)
        wrapped = backend
        engine = SealedEngine(ring, place: place, options: options)
        let snapshot = try withSnapshot(\.snapshot)
        if let objection = options.expectedState?.objection(of: snapshot) {
            throw SealedStoreError.rolledBack(place.details("\(objection); somebody may have put a copy in its place"))
        }
    }

    public var path: String { wrapped.path }

    /// Those of the wrapped engine, but for limits of entries and keyspaces, which are this backend's.
    public var capabilities: StorageCapabilities {
        var capabilities = wrapped.capabilities
        capabilities.countsInConstantTime = true
        capabilities.maxKeySize = StorageLimits.maxKeySize
        capabilities.maxValueSize = StorageLimits.maxValueSize
        capabilities.maxKeyspaces = Int(UInt32.max)
        return capabilities
    }

    public var sharedEngine: any AnyObject & Sendable { wrapped.sharedEngine }

    public var tokenSealer: (any TokenSealer)? { StoreTokens(engine: engine) }

    public var writeRefusal: StorageError? { wrapped.writeRefusal }

    // MARK: Transactions

    public func read(_ body: (any StorageReader) throws -> Void) throws {
        try withSnapshot { source in
            let reader = SealedReader(source)
            defer { reader.finish() }
            try body(reader)
        }
    }

    /// Runs `body` with one committed state, as it lies in the wrapped engine.
    func withSnapshot<Result>(_ body: (SnapshotReader) throws -> Result) throws -> Result {
        let newest = engine.newest
        return try wrapped.read { inner in
            let source = try SnapshotReader(inner, in: engine)
            try check(source.snapshot, newest)
            return try body(source)
        }
    }

    public func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        try change(durability) { writer in
            try body(writer)
            return nil
        }
    }

    /// Runs a write transaction; `body` returns keys when it has changed the record of keys. Returns the new state, nil when nothing was changed.
    @discardableResult
    func change(_ durability: Durability, _ body: (SealedWriter) throws -> KeyRing?) throws -> Snapshot? {
        let newest = engine.newest
        var committed: (snapshot: Snapshot, sealed: [UInt8])?
        do {
            try wrapped.write(durability) { inner in
                committed = nil
                let source = try SnapshotReader(inner, in: engine)
                try check(source.snapshot, newest)
                let session = try SealingSession(source, inner, ring: source.snapshot.ring)
                let writer = SealedWriter(session)
                defer { writer.finish() }
                let ring = try body(writer)
                committed = try writer.commit(keys: ring)
                if committed == nil, session.hasUndoneValues { throw NothingToCommit() }
            }
        } catch is NothingToCommit {}
        if let committed { engine.note(committed.snapshot, committed.sealed) }
        return committed?.snapshot
    }

    /// Rolls the wrapped engine back where only large values of undone savepoints were written and removed again: its files stay as they are.
    private struct NothingToCommit: Error {}

    /// Throws when the store was set back behind what this backend has seen, or has another history since then.
    private func check(_ snapshot: Snapshot, _ newest: Snapshot?) throws {
        guard let newest else { return }
        let (commit, floor) = (snapshot.root.commit, newest.root.commit)
        guard commit > floor || (commit == floor && snapshot.tag == newest.tag) else {
            let found = commit == floor ? "has another commit \(commit) than" : "is at commit \(commit), but was at \(floor)"
            throw SealedStoreError.rolledBack(
                engine.place.details("the store \(found) before; somebody has put a copy in its place while it was open"))
        }
    }
}
