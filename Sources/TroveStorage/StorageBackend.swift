/// An open storage engine: an ordered map from bytes to bytes, in named keyspaces, read through
/// snapshots and changed by one atomic write transaction at a time.
///
/// A backend adapts one engine (SQLite, LMDB, Tokyo Cabinet, memory, a database server, …) to this contract; everything
/// else in Trove is built on it and never asks which engine is below. The guarantees hold on every
/// engine; what an engine cannot do is stated in its ``capabilities``. A backend is open until ``close()``, or until its last reference goes,
/// which closes it.
///
/// ```swift
/// let backend = try LMDBBackend(path: "music.lmdb")
/// try backend.write(.durable) { writer in
///     let songs = try writer.createKeyspace(named: "songs")
///     try writer.put(key, value, in: songs)
/// }
/// ```
///
/// ## Guarantees
/// 1. **Order.** Keys compare as unsigned bytes; of two keys where one begins the other, the shorter is first.
/// 2. **Atomicity.** A write body that throws leaves no trace. After an engine call has failed, the
///    transaction is *poisoned*: it can only roll back, so half of it never commits. Refused arguments
///    (an empty key, a value too large) change nothing and do not poison.
/// 3. **Serial writers.** One write transaction runs at a time; others wait in order of arrival, at most
///    for the backend's timeout, then throw ``StorageError/timedOut(_:)``. Where several processes have the store open, that
///    one runs at a time and that the wait is bounded hold for all of them together. The order holds inside each process;
///    which process is next is for the engine, and one that waits among busy others may wait until its timeout.
/// 4. **Snapshots.** A read body sees one committed state from beginning to end. The state is taken when the body begins, or
///    at the latest when it is given its first answer that is more than a handle on a keyspace: what is committed
///    in between may be in it or not. It is never older than the call of ``read(_:)``.
/// 5. **Read your writes.** A write body sees its own changes, also in cursors and scans already open.
/// 6. **Durability** is chosen for each transaction; see ``Durability``.
/// 7. **No re-entry.** A write inside a write on the same thread throws ``StorageError/writeInsideWrite(_:)``.
/// 8. **Limits.** Empty keys, keys over ``StorageCapabilities/maxKeySize`` and values over
///    ``StorageCapabilities/maxValueSize`` are refused before anything is written.
/// 9. **Lifetime.** Bytes handed to a closure are valid inside it only, and in a write transaction only
///    until the closure makes its first change. Using a reader, writer, cursor or keyspace after its
///    transaction throws ``StorageError/transactionFinished(_:)``.
/// 10. **Opening twice.** Opening a file that is already open in the process gives the same engine.
public protocol StorageBackend: AnyObject, Sendable {
    /// The features and limits of this engine.
    var capabilities: StorageCapabilities { get }

    /// The file or directory of the engine; the address of the store on a server, without passwords; or a name such as `:memory:`.
    var path: String { get }

    /// What all backends on the same store in this process have in common, so that it can be told that one sees the commits of another. Where backends share
    /// an engine it is that, and for one that wraps another what that has. The default is the backend itself, which shares its store with none.
    var sharedEngine: any AnyObject & Sendable { get }

    /// Seals the tokens that the store gives out; nil, as the default says, where its contents are no secret from those who can read its file.
    var tokenSealer: (any TokenSealer)? { get }

    /// Why the store can only be read: its file cannot be written, or the backend was opened so. Nil, as the default says, when it can be written.
    ///
    /// A backend that has one throws it from ``write(_:_:)`` and ``compact()``, changes no file, and makes none where the file system lets it. It reads what
    /// is committed; ``synchronize()`` has nothing to do, and ``backUp(to:)`` works.
    var writeRefusal: StorageError? { get }

    /// Runs `body` against one committed state of the store.
    ///
    /// The body runs on the calling thread. It runs once, but may begin again as long as it has been given nothing but handles on
    /// keyspaces: a remote engine may find the connection lost, or a name it knew outdated, with the first question it sends. After
    /// the first answer it is never run again; the call throws ``StorageError/unreachable(_:)`` or ``StorageError/conflict(_:)``, and
    /// whoever made it may make it again.
    ///
    /// Keep it short: on every engine a long read delays the reuse of space, and where ``StorageCapabilities/readersDuringWrite`` is `.waitForCommit`
    /// it delays writers.
    ///
    /// - Throws: what `body` throws; ``StorageError/closed(_:)``; ``StorageError/readInsideWrite(_:)``
    ///   where the engine cannot read beside its own write.
    func read(_ body: (any StorageReader) throws -> Void) throws

    /// Runs `body` as one atomic transaction and commits it when it returns.
    ///
    /// The body runs on the calling thread. It **may run more than once** (an engine may have to grow
    /// its file, or meet a serialization conflict, and start again), each time on a rolled-back state;
    /// so it should change nothing outside the store that cannot be overwritten.
    ///
    /// - Throws: what `body` throws, after rolling back; ``StorageError`` when the engine fails. After
    ///   ``StorageError/outcomeUnknown(_:)`` the changes may be there; after any error that ``StorageError/isRetryable`` they are not.
    func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws

    /// Makes every commit so far durable, whatever its level was.
    ///
    /// Inside a transaction of the same thread it does so, too, or is refused at once; it never waits for that transaction. What a write around it
    /// has changed is not committed yet, and so not made durable.
    ///
    /// - Throws: ``StorageError/writeInsideWrite(_:)`` or ``StorageError/writeInsideRead(_:)``, where it is refused inside a transaction;
    ///   ``StorageError/closed(_:)``.
    func synchronize() throws

    /// Writes a consistent copy of the store to `destination` while it is in use.
    ///
    /// The copy opens with the same kind of backend. On a server the destination is the name of another store there. Nothing may exist at `destination`, nor
    /// a log of an earlier store beside it; when the copy fails nothing is left there. Inside a transaction of the same thread it copies what is committed, or
    /// is refused at once; what a write around it has changed is not in the copy.
    ///
    /// - Throws: ``StorageError/destinationExists(_:)``; ``StorageError/unsupported(_:)`` on an engine without files;
    ///   ``StorageError/readInsideWrite(_:)`` or ``StorageError/writeInsideWrite(_:)``, where it is refused inside a write; ``StorageError/closed(_:)``.
    func backUp(to destination: String) throws

    /// Returns unused space of the file to the file system. Waits for running transactions of other threads, at least for the one that writes.
    ///
    /// Commits that come at the same time are kept. Inside a transaction of the same thread it works or is refused at
    /// once; it never waits for that transaction.
    ///
    /// It does nothing where there is nothing to give back: in memory it makes the store smaller at the most, and where a server cares
    /// for its own space, or could do it only by shutting others out, it may return at once. The contents stay the same.
    ///
    /// - Throws: ``StorageError/timedOut(_:)`` when a transaction takes longer than the backend waits; ``StorageError/writeInsideWrite(_:)`` or
    ///   ``StorageError/writeInsideRead(_:)``, where it is refused inside a transaction; ``StorageError/closed(_:)``.
    func compact() throws

    /// Reads all of the engine's own structure and throws when it is damaged, also where other reads would not notice: a page that counts fewer
    /// entries than it has, say. What the entries hold is not looked at; that is for checksums above the engine.
    ///
    /// Takes about as long as reading the whole file. May be called inside a read. The default finds nothing.
    ///
    /// - Throws: ``StorageError/corrupt(_:)`` with what was found; a store of which it is thrown should not be read on, as an engine may
    ///   crash on such a file.
    func checkStructure() throws

    /// The sizes and counts of the store at this moment.
    ///
    /// - Throws: ``StorageError/closed(_:)``.
    func statistics() throws -> StorageStatistics

    /// Waits for running transactions, then closes the store. Later calls throw ``StorageError/closed(_:)``.
    ///
    /// Closing twice is harmless. When the same file was opened twice in the process, the engine closes with the last of them.
    /// A backend whose last reference goes has to close itself, in its `deinit`: what was committed is then in the files, and others can open them.
    ///
    /// - Throws: ``StorageError/closeInsideTransaction(_:)`` when the calling thread is inside a transaction of this store.
    func close() throws
}

extension StorageBackend {
    /// The backend itself.
    public var sharedEngine: any AnyObject & Sendable { self }

    /// None.
    public var tokenSealer: (any TokenSealer)? { nil }

    /// Nil: the store can be written.
    public var writeRefusal: StorageError? { nil }

    /// Whether the store can only be read; ``writeRefusal`` says why.
    public var isReadOnly: Bool { writeRefusal != nil }

    /// Checks nothing.
    public func checkStructure() throws {}

    /// Runs `body` against one committed state of the store and returns its result.
    @inlinable
    public func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
        var result: Result?
        try read { (reader: any StorageReader) throws -> Void in result = try body(reader) }
        guard let result else { throw bodyDidNotRun }
        return result
    }

    /// Runs `body` as one atomic transaction and returns its result. The default level is ``Durability/durable``.
    @inlinable @discardableResult
    public func write<Result>(
        _ durability: Durability = .durable, _ body: (any StorageWriter) throws -> Result
    ) throws -> Result {
        var result: Result?
        try write(durability) { (writer: any StorageWriter) throws -> Void in result = try body(writer) }
        guard let result else { throw bodyDidNotRun }
        return result
    }

    /// The error for a backend that returned though the body had not come to its end.
    @usableFromInline package var bodyDidNotRun: StorageError {
        .engineFailure(
            .init(
                engine: capabilities.engine, path: path,
                message: "the backend returned from a transaction whose body had not ended; it must throw instead"))
    }
}
