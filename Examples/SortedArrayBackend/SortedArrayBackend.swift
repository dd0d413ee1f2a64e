import Synchronization
import TroveBackendKit
import TroveStorage

/// A store in one file that is read whole when it is opened and written whole with each commit.
///
///     let store = try SortedArrayBackend(path: "settings.trove")
///
/// It is the example of `docs/writing-a-backend.md`: small, and right for small stores that are read more than they are written.
/// Beside the file lies one named like it with `.lock` at its end, which stays. A commit puts a new file at the path: a hard link that was made
/// before keeps the old contents, and is a store of its own from then on.
public final class SortedArrayBackend: StorageBackend {
    private let engine: SortedArrayEngine
    private let writerTimeout: Duration
    private let isClosed = Mutex(false)

    /// Opens the store at `path`, creating it when there is none.
    ///
    /// - Parameter writerTimeout: how long a write waits for another one before it throws `timedOut`.
    /// - Throws: `noSuchDirectory`, `permissionDenied`, `readOnly` or `notAFile` for the path; `notAStore`, `newerFormat` or `corrupt` for what
    ///   is there, which is left as it is; `locked` when another process has the store open.
    public init(path: String, writerTimeout: Duration = .seconds(60)) throws {
        let file = try StoreFile(engine: SortedArrayEngine.name, path: path)
        engine = try SortedArrayEngine.registry.engine(for: file) { try SortedArrayEngine(file) } close: { $0.shutDownRemoved() }
        self.writerTimeout = writerTimeout
    }

    deinit {
        if isClosed.withLock({ $0 }) { return }
        // No transaction of this object runs, because one would hold it; a thread may be inside one of another object, though, where it cannot close.
        // Nobody is left to hear of an error; what the file has is consistent.
        do { try SortedArrayEngine.registry.release(engine) { try engine.shutDown() } } catch {}
    }

    public var path: String { engine.file.path }

    public var sharedEngine: any AnyObject & Sendable { engine }

    public var capabilities: StorageCapabilities {
        StorageCapabilities(
            engine: SortedArrayEngine.name, engineVersion: "1", readersDuringWrite: .proceed, canReadInsideWrite: true,
            canWriteInsideRead: true, sharing: .oneProcess, countsInConstantTime: true, maxKeyspaces: Int(UInt32.max),
            promises: [.relaxed: .cleanClose, .buffered: .processCrash, .durable: .powerLoss])
    }

    // MARK: Transactions

    public func read(_ body: (any StorageReader) throws -> Void) throws {
        // Only a thread that is closing the store has the gate alone, and that runs no body.
        _ = engine.readers.enterShared(timeout: .seconds(Int64.max))
        defer { engine.readers.leaveShared() }
        try checkIsOpen()
        let reader = SortedArrayReader(try engine.newest(), in: engine)
        defer { reader.finish() }
        try body(reader)
    }

    public func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        try alone {
            let writer = SortedArrayWriter(try engine.newest(), in: engine)
            defer { writer.finish() }
            try body(writer)
            // The body may have caught the error of a call that failed: half of the transaction must not commit, so this throws transactionPoisoned.
            try writer.transaction.check()
            if writer.changes > 0 { try engine.commit(writer.contents, durability) } else if durability == .durable { try engine.synchronize() }
        }
    }

    private func alone(_ body: () throws -> Void) throws {
        switch engine.writer.enter(timeout: writerTimeout) {
        case .entered: break
        case .alreadyInside:
            throw StorageError.writeInsideWrite(engine.details("a write of this thread is running; use savepoint inside it"))
        case .timedOut:
            throw StorageError.timedOut(engine.details("the other writer took longer than \(writerTimeout); try again"))
        }
        defer { engine.writer.leave() }
        try checkIsOpen()
        try body()
    }

    // MARK: The store as a whole

    public func synchronize() throws { try alone { try engine.synchronize() } }

    public func backUp(to destination: String) throws {
        let bytes = StoreEncoding.bytes(of: try newest())
        try FileWriting.store(bytes, at: destination, .asNew, of: path, isDurable: true, engine: SortedArrayEngine.name)
    }

    /// The newest version. While the store is being closed it is empty, and the store not closed yet.
    private func newest() throws -> Contents {
        _ = engine.readers.enterShared(timeout: .seconds(Int64.max))
        defer { engine.readers.leaveShared() }
        try checkIsOpen()
        return try engine.newest()
    }

    /// Brings to the disk what is not on it: the file never has gaps.
    public func compact() throws { try alone { try engine.synchronize() } }

    public func statistics() throws -> StorageStatistics {
        let (readers, oldest) = engine.readers.sharers
        let contents = try newest()
        return StorageStatistics(
            fileSize: engine.file.size, freeSize: 0, keyspaceCount: contents.numbers.count, activeReaders: readers, oldestReaderAge: oldest)
    }

    public func close() throws {
        if isClosed.withLock({ $0 }) { return }
        try engine.withoutTransactions {
            if isClosed.withLock({ $0 }) { return }
            // The last one out writes what is not written. When that fails the store stays open, and closing can be tried again.
            try SortedArrayEngine.registry.release(engine) { try engine.shutDown() }
            isClosed.withLock { $0 = true }
        }
    }

    private func checkIsOpen() throws {
        if isClosed.withLock({ $0 }) { throw StorageError.closed(engine.details("the store was closed; open it again")) }
    }
}
