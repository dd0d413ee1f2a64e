/// One committed state of a store, to read from as often and for as long as it is wanted, whatever is saved meanwhile.
///
/// ```swift
/// let snapshot = try store.snapshot()
/// let songs = snapshot.fetch(Song.self).sorted(by: \.title)
/// let (first, next) = try songs.page(50)                            // now
/// let (second, _) = try songs.page(50, after: next)                 // minutes later: the same songs, none twice
/// let total = try await snapshot.fetch(Song.self).sum(\.plays)      // of the same state
/// snapshot.close()
/// ```
///
/// It has what a ``ReadTransaction`` has: fetches, aggregates, words, references, documents and bags, and ``read(_:)`` for several of them.
/// What fits into one closure belongs into ``ObjectStore/read(_:)``, which costs less: a snapshot costs a thread that waits, a place among the
/// engine's readers, and space. **The file, or its log, grows while a snapshot is open**, as what it shows is kept.
///
/// It ends with ``close()``, with its last reference, or with its store, which it keeps alive. After that its methods throw
/// ``TroveError/snapshotClosed(path:)``.
///
/// It may be used from any thread and task. Its reads run one after the other, each on the thread that asks, and the asynchronous ones on a
/// thread of the snapshot: so a slow one keeps only those of the same snapshot waiting. A read inside of a read on the same thread runs at once; a read
/// that waits for another thread's read of the same snapshot waits for ever, as with a serial queue. Nor should a read of it write, or wait for writes, where
/// a write reads the snapshot: the two wait for each other, until the write that was begun inside of the read throws ``StorageError/timedOut(_:)``.
///
/// Objects of classes that it gives are in no context, as those of `store.fetch`. A lazy value that was not asked for inside of a read is read from the store
/// as it is then: `lazy.load(in: transaction)` reads it from the snapshot. So does a ``Bag`` read its members: it has those of the state, belongs to the store,
/// and `snapshot.fetch(Song.self, in: bag)` reads them from the snapshot.
public final class StoreSnapshot: Sendable {
    /// The store whose state it is.
    public let store: ObjectStore
    let held: HeldRead
    /// The thread of its asynchronous reads.
    let queue = WorkerPool(1, label: "trove.snapshot")

    init(_ store: ObjectStore) throws {
        self.store = store
        held = try store.core.snapshots.open(for: store.core)
    }

    deinit { held.end() }

    /// Whether the snapshot was closed, or its store was; in a process that was forked since, always.
    public var isClosed: Bool { held.isClosing }

    /// Lets go of the state, so that the engine can use its space again. A read that runs on another thread goes on to its end, and is not waited for.
    ///
    /// It waits for the engine, and so does the release of the last reference: SQLite copies its log into the file where the snapshot was in the way of that,
    /// which takes time with what was saved meanwhile. Close a snapshot that was open for long on a thread that may wait.
    ///
    /// Closing twice is harmless, and so is closing inside of a read of the snapshot: its transaction can be used to the end of the closure.
    public func close() { held.end() }

    /// Runs `body` on the state and returns its result. The transaction is for the closure and its thread alone, as every one.
    ///
    /// ```swift
    /// let (count, longest) = try snapshot.read { transaction in
    ///     (try transaction.fetch(Song.self).count(), try transaction.fetch(Song.self).maximum(\.duration))
    /// }
    /// ```
    ///
    /// - Throws: what `body` throws; ``TroveError/snapshotClosed(path:)``; `CancellationError` when the task is cancelled while another thread reads.
    @inlinable
    public func read<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result {
        var result: Result?
        try withReadTransaction { result = try body($0) }
        return result.unsafelyUnwrapped  // The transaction either ran the body or threw.
    }

    /// Runs `body` on the state and returns its result, on a thread of the snapshot.
    ///
    /// - Throws: what `body` throws; ``TroveError/snapshotClosed(path:)``; `CancellationError` when the task is cancelled before its turn.
    public func read<Result: Sendable>(_ body: @escaping @Sendable (ReadTransaction) throws -> Result) async throws -> Result {
        try await queue.run { try self.read(body) }
    }

    @usableFromInline func withReadTransaction(_ body: (ReadTransaction) throws -> Void) throws { try held.read(store.core, body) }
}

extension ObjectStore {
    /// A snapshot of what is committed now, which stays as it is until it is closed; see ``StoreSnapshot``.
    ///
    /// ```swift
    /// let before = try store.snapshot()
    /// try importEverything(into: store)
    /// let new = try store.fetch(Song.self).ids().filter { try !before.contains(Song.self, id: $0) }
    /// ```
    ///
    /// Inside of a write it is the state before the write. An engine keeps ``StorageCapabilities/maxSnapshots`` open at a time.
    ///
    /// - Throws: ``StorageError/unsupported(_:)`` on an engine that keeps none, as Tokyo Cabinet; ``TroveError/tooManySnapshots(path:limit:)``;
    ///   ``StorageError/conflict(_:)`` or ``TroveError/snapshotClosed(path:)`` while the store is compacted or closed; ``StorageError/closed(_:)``;
    ///   ``StorageError/outOfResources(_:)``.
    /// - Complexity: that of the begin of a read, and of a thread.
    public func snapshot() throws -> StoreSnapshot { try StoreSnapshot(self) }

    /// A snapshot of what is committed when its turn comes, which stays as it is until it is closed; see ``StoreSnapshot``.
    ///
    /// - Throws: as ``snapshot()``; `CancellationError` when the task is cancelled before a thread is free.
    public func snapshot() async throws -> StoreSnapshot { try await readPool.run { try self.snapshot() } }

    /// Whether the calling thread is inside of a read of a snapshot of the store.
    package var isReadAsSnapshotByCurrentThread: Bool { core.snapshots.areReadByCurrentThread }
}
