import Synchronization
import TroveBackendKit
import TroveStorage

/// A store in memory: for tests, for caches, and as the measure of what the contract asks.
///
/// ```swift
/// let backend = MemoryBackend()
/// ```
///
/// Its contents are a persistent (copy-on-write) tree, so a snapshot costs nothing, readers never wait for
/// a writer, and a savepoint costs nothing either. Contents vanish when the last backend on them is closed or released.
public final class MemoryBackend: StorageBackend {
    let engine: MemoryEngine
    private let writerTimeout: Duration
    private let isClosed = Mutex(false)

    /// Opens a memory store.
    ///
    /// - Parameters:
    ///   - name: Backends with the same name in one process share one store, as long as one of them is open.
    ///     nil makes a new store that nobody shares.
    ///   - writerTimeout: How long ``write(_:_:)`` waits for another write before it throws ``StorageError/timedOut(_:)``. A negative one is
    ///     refused with ``StorageError/unsupported(_:)`` by the first read or write, such as that of opening a store.
    public init(name: String? = nil, writerTimeout: Duration = .seconds(60)) {
        engine = name.map(MemoryRegistry.engine) ?? MemoryEngine(path: ":memory:")
        self.writerTimeout = writerTimeout
    }

    deinit {
        if !isClosed.withLock({ $0 }) { _ = MemoryRegistry.release(engine) }
    }

    public var path: String { engine.path }

    public var sharedEngine: any AnyObject & Sendable { engine }

    public var capabilities: StorageCapabilities {
        StorageCapabilities(
            engine: MemoryEngine.name, engineVersion: "1", readersDuringWrite: .proceed, canReadInsideWrite: true,
            canWriteInsideRead: true, sharing: .oneProcess, countsInConstantTime: true, sharesSnapshots: true, maxSnapshots: 256,
            readsDamagedFiles: true, maxKeyspaces: Int(UInt32.max),
            promises: [.relaxed: .nothing, .buffered: .nothing, .durable: .nothing])
    }

    // MARK: Transactions

    public func read(_ body: (any StorageReader) throws -> Void) throws {
        try checkOptions()
        // Only a thread that is closing the store has the gate alone, and that runs no body.
        _ = engine.readers.enterShared(timeout: .seconds(Int64.max))
        defer { engine.readers.leaveShared() }
        try checkIsOpen()
        let reader = MemoryReader(of: engine, state: engine.snapshot)
        defer { reader.finish() }
        try body(reader)
    }

    public func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        try withWriterGate {
            let writer = MemoryWriter(of: engine, state: engine.snapshot)
            defer { writer.finish() }
            try body(writer)
            engine.commit(writer.state)
        }
    }

    private func withWriterGate(_ body: () throws -> Void) throws {
        try checkOptions()
        switch engine.writer.enter(timeout: writerTimeout) {
        case .entered: break
        case .alreadyInside:
            throw StorageError.writeInsideWrite(
                engine.details("a write was begun inside a write on the same thread; use savepoint, or pass the writer on"))
        case .timedOut:
            throw StorageError.timedOut(
                engine.details("another write transaction took longer than \(writerTimeout); try again, or make writes shorter"))
        }
        defer { engine.writer.leave() }
        try checkIsOpen()
        try body()
    }

    // MARK: The store as a whole

    /// Does nothing: there is no disk.
    public func synchronize() throws { try checkIsOpen() }

    /// Always throws ``StorageError/unsupported(_:)``: a memory store has no files to copy.
    public func backUp(to destination: String) throws {
        try checkIsOpen()
        throw StorageError.unsupported(engine.details("a memory store has no file to back up; copy its entries to a store that has one"))
    }

    /// Rebuilds every tree with full nodes.
    public func compact() throws {
        try withWriterGate {
            var state = engine.snapshot
            state.repack()
            engine.commit(state)
        }
    }

    public func statistics() throws -> StorageStatistics {
        try checkIsOpen()
        let state = engine.snapshot
        let figures = state.figures
        let readers = engine.readers.sharers
        return StorageStatistics(
            fileSize: 0, freeSize: 0, keyspaceCount: state.names.count, activeReaders: readers.count,
            oldestReaderAge: readers.oldest, engineFigures: ["entries": figures.entries, "depth": figures.depth])
    }

    public func close() throws {
        if isClosed.withLock({ $0 }) { return }
        try engine.withoutTransactions {
            let isFirst = isClosed.withLock { isClosed in
                defer { isClosed = true }
                return !isClosed
            }
            if isFirst && MemoryRegistry.release(engine) { engine.commit(MemoryState()) }
        }
    }

    private func checkOptions() throws {
        try OptionCheck(engine: MemoryEngine.name, path: path).require("writerTimeout", writerTimeout)
    }

    private func checkIsOpen() throws {
        if isClosed.withLock({ $0 }) { throw StorageError.closed(engine.details("the store was closed; open it again")) }
    }
}
