import Synchronization
import TroveBackendKit
import TroveStorage

/// A store in one SQLite file.
///
/// For stores that several processes of one machine share, that every tool can inspect, and that keep
/// reading while they are written.
///
/// ```swift
/// let backend = try SQLiteBackend(path: "music.sqlite")
/// try backend.write(.durable) { writer in
///     let songs = try writer.createKeyspace(named: "songs")
///     try writer.put(key, value, in: songs)
/// }
/// ```
///
/// The file is an ordinary SQLite database in write-ahead-log mode: beside `music.sqlite` lie
/// `music.sqlite-wal`, `music.sqlite-shm` and `music.sqlite-queue` while it is open. Do not move or delete one without the
/// others; ``backUp(to:)`` makes a single file.
///
/// ## Durability
/// | level | what is done | what it survives |
/// |---|---|---|
/// | `.durable` | `synchronous=FULL`: the log is synced at each commit | power loss |
/// | `.buffered` | `synchronous=NORMAL`: the log is synced before it is copied into the file | a process crash; a power loss, but for a suffix |
/// | `.relaxed` | the same as `.buffered` | the same |
///
/// `.relaxed` is not `synchronous=OFF`: without the remaining syncs a power loss could also destroy
/// commits made `.durable` before.
public final class SQLiteBackend: StorageBackend {
    static let engines = EngineRegistry<StoreFile.Identity, SQLiteEngine> { $0.hasLogAtPath }

    public let path: String
    public let capabilities: StorageCapabilities
    public let writeRefusal: StorageError?

    let engine: SQLiteEngine
    private let writerTimeout: Duration
    private let readerTimeout: Duration
    private let isClosed = Atomic(false)

    /// Opens the store in the file at `path`; creates it when there is none or the file is empty.
    ///
    /// A file that cannot be written, or beside which no log can be made, is opened for reading only, and ``writeRefusal`` says why; so is every file with
    /// ``Options/isReadOnly``.
    ///
    /// When the file is open in this process already, by whatever path or hard link, both objects work
    /// on one engine with the options of the first. Only how long it waits each object has for itself.
    ///
    /// - Throws: ``StorageError/noSuchDirectory(_:)``, ``StorageError/notAFile(_:)``,
    ///   ``StorageError/permissionDenied(_:)`` for the path; ``StorageError/readOnly(_:)`` when there is no store and none can be made, or one that was not
    ///   closed, with a log that cannot be read in without writing;
    ///   ``StorageError/notAStore(_:)``, ``StorageError/newerFormat(_:)``, ``StorageError/corrupt(_:)`` for what the file
    ///   holds, which is left as it was; ``StorageError/locked(_:)`` when another process keeps the file to itself, or this one has a store open whose file
    ///   was at the path before;
    ///   ``StorageError/unsupported(_:)`` for options out of range, and for a path that is longer than SQLite takes, mostly 504 bytes.
    public init(path: String, options: Options = Options()) throws {
        let file = try StoreFile(engine: SQLiteEngine.name, path: path, isReadOnly: options.isReadOnly)
        try options.validate(path: file.path)
        engine = try Self.engines.engine(for: file, createsStore: options.createsStore) {
            try file.opening { try SQLiteEngine(file: file, options: options, writeRefusal: $0) }
        } close: {
            $0.shutDown()
        }
        self.path = file.path
        writerTimeout = options.writerTimeout
        readerTimeout = options.readerTimeout
        var capabilities = SQLiteEngine.capabilities
        // Each keeps a connection; the other half stays for short reads. Without locks a read finds at its end alone whether the file was written.
        capabilities.maxSnapshots = engine.unlockedStamp == nil ? min(256, engine.options.maxReaders / 2) : 0
        self.capabilities = capabilities
        writeRefusal = file.writeRefusal ?? engine.writeRefusal
    }

    deinit {
        // What a parent has open is the parent's to close; the registry keeps it.
        if isClosed.load(ordering: .acquiring) || engine.process.isInherited { return }
        // No transaction of this object runs, because one would hold it; when it is the last, none of the engine does.
        // `shutDown` does not throw, so there is nothing to report.
        do { try Self.engines.release(engine) { engine.shutDown() } } catch { return }
    }

    public var sharedEngine: any AnyObject & Sendable { engine }

    public func read(_ body: (any StorageReader) throws -> Void) throws {
        try engine.read(timeout: readerTimeout, checkIsOpen, body)
    }

    public func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        try checkCanWrite()
        let deadline = Deadline(writerTimeout)
        try engine.enterWriter(until: deadline)
        defer { engine.writerGate.leave() }
        try checkIsOpen()
        try engine.write(durability, until: deadline, body)
    }

    public func synchronize() throws {
        try engine.checkProcess()
        try engine.enterShared(timeout: readerTimeout)
        defer { engine.gate.leaveShared() }
        try checkIsOpen()
        try engine.synchronize()
    }

    public func backUp(to destination: String) throws {
        try engine.withReader(timeout: readerTimeout, checkIsOpen) { try engine.backUp(to: destination, from: $0) }
    }

    public func compact() throws {
        try checkCanWrite()
        let deadline = Deadline(writerTimeout)
        try engine.enterAlone(until: deadline)
        defer { engine.leaveAlone() }
        try checkIsOpen()
        try engine.takingTurn(until: deadline) { try engine.compact(until: deadline) }
    }

    /// Runs SQLite's own check of every page, the order of its entries and its space: `PRAGMA integrity_check`.
    public func checkStructure() throws {
        try engine.withReader(timeout: readerTimeout, checkIsOpen) { try engine.checkStructure(through: $0) }
    }

    public func statistics() throws -> StorageStatistics {
        try engine.checkProcess()
        let oldestReaderAge = engine.gate.sharers.oldest
        return try engine.withReader(timeout: readerTimeout, checkIsOpen) { try engine.statistics(from: $0, oldestReaderAge: oldestReaderAge) }
    }

    public func close() throws {
        if isClosed.load(ordering: .acquiring) { return }
        if engine.process.isInherited { return isClosed.store(true, ordering: .releasing) }
        try engine.checkCanClose()
        if isClosed.exchange(true, ordering: .acquiringAndReleasing) { return }
        engine.drain()
        try Self.engines.release(engine) { engine.shutDown() }
    }

    private func checkCanWrite() throws {
        try engine.checkProcess()
        guard let writeRefusal else { return }
        try checkIsOpen()
        throw writeRefusal
    }

    private func checkIsOpen() throws {
        guard isClosed.load(ordering: .acquiring) else { return }
        throw StorageError.closed(engine.details("the store was closed; open it again"))
    }
}
