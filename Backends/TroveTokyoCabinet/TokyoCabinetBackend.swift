import Synchronization
import TroveBackendKit
import TroveStorage

/// A store in one file on Tokyo Cabinet's B+ tree engine.
///
/// ```swift
/// let backend = try TokyoCabinetBackend(path: "music.tcb")
/// try backend.write(.durable) { writer in
///     let songs = try writer.createKeyspace(named: "songs")
///     try writer.put(key, value, in: songs)
/// }
/// ```
///
/// All keyspaces share one tree; a key is stored behind the four bytes of its keyspace's number.
/// A log named like the file with `.wal` at its end lies beside it while the store is open and after a crash;
/// move or rename the two together, and open a file that has several hard links always by the same one.
///
/// ## What to know about this engine
/// - The tree has one version. A write body has the store alone from its beginning to its end, so readers
///   wait for it and it waits for readers. Keep bodies short.
/// - Pages that a write transaction touches stay in memory until it ends.
/// - `.durable` costs a sync for every page that changes, so put related changes into one transaction.
/// - `.buffered` and `.relaxed` commits write pages without syncing the log first. They survive a crash of
///   the process; a power loss before the next ``synchronize()`` or `.durable` commit can damage the file.
/// - Builds of Tokyo Cabinet differ in byte order and do not read each other's files.
/// - Only one process can have the store open; several can where all of them only read it.
public final class TokyoCabinetBackend: StorageBackend {
    static let registry = EngineRegistry<StoreFile.Identity, Engine>()

    /// How to wait, shared by nobody else: other backends on the same file may wait differently.
    private let writerTimeout: Duration
    private let readerTimeout: Duration
    private let engine: Engine
    private let isClosed = Atomic<Bool>(false)

    /// The absolute path of the store's file.
    public let path: String

    /// The features and limits of this engine.
    public let capabilities: StorageCapabilities

    public let writeRefusal: StorageError?

    /// Opens the store at `path`, or creates it.
    ///
    /// When the process has the file open already, by whatever path or hard link, the new backend shares
    /// the engine, and of `options` only the timeouts count. A store that was not closed is brought back
    /// to its last commit first.
    ///
    /// A file that cannot be written, or beside which no log can be made, is opened for reading only, and ``writeRefusal`` says why; so is every file with
    /// ``Options/isReadOnly``.
    ///
    /// - Throws: ``StorageError/noSuchDirectory(_:)``, ``StorageError/permissionDenied(_:)`` or ``StorageError/notAFile(_:)`` for the path;
    ///   ``StorageError/readOnly(_:)`` when there is no store and none can be made, or one that was not closed, which only writing brings back;
    ///   ``StorageError/notAStore(_:)`` for a file of something else, which is left as it is, also when
    ///   Tokyo Cabinet was built with the other byte order;
    ///   ``StorageError/newerFormat(_:)``; ``StorageError/locked(_:)`` when another process has it open;
    ///   ``StorageError/corrupt(_:)``; ``StorageError/diskFull(_:)``.
    /// - Complexity: O(size of the file) up to ``Options/checkedFileSize``, otherwise O(keyspaces).
    public init(path: String, options: Options = Options()) throws {
        let file = try StoreFile(engine: Engine.name, path: path, isReadOnly: options.isReadOnly)
        try options.validate(path: file.path)
        engine = try Self.registry.engine(for: file, createsStore: options.createsStore) {
            try file.opening { try Engine(file: file, options: options, writeRefusal: $0) }
        } close: {
            try $0.shutDownRemoved()
        }
        self.path = file.path
        writerTimeout = options.writerTimeout
        readerTimeout = options.readerTimeout
        capabilities = Engine.capabilities
        writeRefusal = file.writeRefusal ?? engine.writeRefusal
    }

    deinit {
        // What a parent has open is the parent's to close; the registry keeps it.
        if isClosed.load(ordering: .acquiring) || engine.process.isInherited { return }
        // No transaction of this object runs, because one would hold it; when it is the last, none of the engine does.
        // Nobody is left to hear of an error; the log beside the file brings the store back at the next open.
        do { try release() } catch {}
    }

    public var sharedEngine: any AnyObject & Sendable { engine }

    public func read(_ body: (any StorageReader) throws -> Void) throws {
        try shared {
            let transaction = TokyoCabinetReader(engine: engine)
            defer { transaction.finish() }
            try body(transaction)
        }
    }

    public func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        try alone("a write") {
            let transaction = TokyoCabinetWriter(engine: engine, durability: durability)
            defer { transaction.finish() }
            do {
                try body(transaction)
                try engine.checkProcess()
                try transaction.checkBeforeCommit()
            } catch {
                // In a forked child it is the parent's transaction.
                if engine.process.isInherited { throw error }
                try transaction.rollBack()
                throw error
            }
            try transaction.commit()
        }
    }

    public func synchronize() throws {
        try engine.checkProcess()
        if engine.gate.isExclusiveToCurrentThread {
            throw engine.error(
                StorageError.writeInsideWrite, "the write of this thread has to end before it can be synchronized")
        }
        try shared { try engine.synchronize() }
    }

    public func backUp(to destination: String) throws {
        try shared { try engine.copy(to: destination) }
    }

    /// Rewrites the store into a new file, without gaps and with full pages, and replaces the old one.
    ///
    /// Waits for running transactions. Needs room for the second file. A crash on the way leaves the old one.
    ///
    /// - Throws: as the protocol says; ``StorageError/inputOutput(_:)`` when the file is not at its path.
    public func compact() throws {
        try alone("compaction") {
            try engine.compact { replace in try Self.registry.replaceFile(of: engine, at: engine.file, replace) }
        }
    }

    /// Reads every page of the file, also those that ``Options/checkedFileSize`` left out at opening.
    public func checkStructure() throws {
        try shared { try engine.checkStructure() }
    }

    /// The sizes and counts of the store. Waits for a write that runs on another thread.
    ///
    /// The free size is not known to the engine and given as 0.
    public func statistics() throws -> StorageStatistics {
        try engine.checkProcess()
        let (readers, oldest) = engine.gate.sharers
        if engine.gate.isExclusiveToCurrentThread && !isClosed.load(ordering: .acquiring) {
            return try engine.statistics(activeReaders: readers, oldestReader: oldest)
        }
        return try shared { try engine.statistics(activeReaders: readers, oldestReader: oldest) }
    }

    public func close() throws {
        if isClosed.load(ordering: .acquiring) { return }
        if engine.process.isInherited { return isClosed.store(true, ordering: .releasing) }
        guard !engine.isInsideTransaction else {
            throw engine.error(
                StorageError.closeInsideTransaction, "a transaction of this thread is running; close the store after it")
        }
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // The gates come first: whoever holds one may be opening a store, which needs the registry.
        _ = engine.writerGate.enterAlone(with: engine.gate, until: .never)
        defer { engine.writerGate.leaveAlone(with: engine.gate) }
        try release()
    }

    /// Gives up this backend's use of the engine, which is shut down after its last one.
    private func release() throws {
        // Whatever goes wrong, the handle is gone, and the registry must forget the engine.
        var problem: (any Error)?
        try Self.registry.release(engine) {
            do { try engine.shutDown() } catch { problem = error }
        }
        if let problem { throw problem }
    }

    /// Runs `body` as a reader: no write runs meanwhile.
    private func shared<Result>(_ body: () throws -> Result) throws -> Result {
        try checkIsOpen()
        switch engine.gate.enterShared(timeout: readerTimeout) {
        case .entered: break
        case .alreadyInside:
            throw engine.error(
                StorageError.readInsideWrite,
                "a write of this thread is running, and this engine has only one version of the data; read through the writer")
        case .timedOut:
            throw engine.error(
                StorageError.timedOut, "a write took longer than \(readerTimeout), the reader's timeout; make write bodies short")
        }
        defer { engine.gate.leaveShared() }
        try checkIsOpen()
        try engine.checkIsUsable()
        return try body()
    }

    /// Runs `body` while no other transaction runs.
    private func alone(_ what: String, _ body: () throws -> Void) throws {
        try checkIsOpen()
        if let writeRefusal { throw writeRefusal }
        if engine.gate.isSharedByCurrentThread {
            throw engine.error(
                StorageError.writeInsideRead, "\(what) waits for readers, and this thread is a reader; begin it after the read has returned")
        }
        let deadline = Deadline(writerTimeout)
        switch engine.writerGate.enter(timeout: writerTimeout) {
        case .entered: break
        case .alreadyInside:
            throw engine.error(StorageError.writeInsideWrite, "a write of this thread is running; use savepoint inside it")
        case .timedOut:
            throw engine.error(StorageError.timedOut, "the other writer took longer than \(writerTimeout), the writer's timeout")
        }
        defer { engine.writerGate.leave() }
        guard engine.gate.enterExclusive(timeout: deadline.remaining) == .entered else {
            throw engine.error(
                StorageError.timedOut, "readers took longer than \(writerTimeout), the writer's timeout; make read bodies short")
        }
        defer { engine.gate.leaveExclusive() }
        try checkIsOpen()
        try engine.checkIsUsable()
        try body()
    }

    private func checkIsOpen() throws {
        try engine.checkProcess()
        if isClosed.load(ordering: .acquiring) { throw engine.closed }
    }
}
