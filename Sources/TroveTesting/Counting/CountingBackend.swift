import Synchronization
import TroveBackendKit
import TroveStorage

/// A backend that forwards to another one and counts the answers that a remote engine would have to wait for: the *trips*. With it, tests hold
/// bounds on round trips without a server.
///
/// ```swift
/// let backend = CountingBackend(MemoryBackend())
/// let store = try ObjectStore(backend, models: Song.self)
/// let trips = try backend.trips { try store.save(songs) }
/// #expect(trips.total <= 5, "\(trips)")
/// ```
///
/// It counts as a good engine behind a connection would, one that sends without waiting what it need not wait for:
///
/// | call | trips |
/// |---|---|
/// | beginning and ending a read, beginning a write, savepoints | 0: sent along with the next question |
/// | committing a write that changed something | 1; a write that changed nothing 0 |
/// | `get` | 1; 0 for a key that is known |
/// | `getMany` | 1; 0 when all keys are known, or there are none |
/// | `prefetch` | 0; the next `get`, `getMany`, `insert` or `delete` of one of the keys is 1 trip, after which all of them are known |
/// | `scan`, `scanKeys` | 1 for each page: of the expected number of entries at first, then or otherwise of ``pageSize``; 0 for an empty range |
/// | a cursor | 1 for each seek, and for each page of ``cursorPageSize`` entries in one direction, then eight times as many, up to ``pageSize`` |
/// | `count` | 1 |
/// | `put`, `remove` | 0 |
/// | `insert`, `delete` | 1; 0 for a key that is known |
/// | `deleteRange` | 1; 0 for an empty range |
/// | `keyspace(named:)`, `createKeyspace` | 1 for a name that is seen for the first time since ``init(_:)``, then 0 |
/// | `keyspaceNames`, `dropKeyspace` | 1 |
/// | what is done to the whole store, but `close` | 1 |
///
/// *Known* is a key that was announced and then fetched, or put, inserted or deleted, in the same transaction. A key that was only
/// looked up is not: an engine need not remember all it has read.
///
/// Its capabilities are those of the wrapped backend, but ``StorageCapabilities/isRemote`` is true and ``StorageCapabilities/sharesSnapshots``
/// false. May be used from several threads.
public final class CountingBackend: ForwardingBackend {
    /// The largest number of entries in a page of a scan whose body takes more than expected.
    public static let pageSize = 4_096
    /// The number of entries in the first page of a cursor.
    public static let cursorPageSize = 16

    private struct State {
        var counts = TripCounts()
        /// As bytes: two strings are equal when they look alike, two names are when their bytes are.
        var names: Set<[UInt8]> = []
    }

    public let wrappedBackend: any StorageBackend
    private let state = Mutex(State())

    /// Wraps a backend, which is closed with this one.
    public init(_ backend: any StorageBackend) { wrappedBackend = backend }

    /// The trips since the beginning or since ``reset()``.
    public var trips: TripCounts { state.withLock(\.counts) }

    /// Begins to count from zero.
    public func reset() { state.withLock { $0.counts = TripCounts() } }

    /// The trips while `body` runs, those of other threads included; counts from zero.
    public func trips(_ body: () throws -> Void) rethrows -> TripCounts {
        reset()
        try body()
        return trips
    }

    /// The trips while `body` runs, those of other tasks included; counts from zero.
    public func trips(_ body: () async throws -> Void) async rethrows -> TripCounts {
        reset()
        try await body()
        return trips
    }

    func count(_ kind: TripCounts.Kind) { state.withLock { $0.counts.add(kind) } }

    /// Counts the question for a name, unless it was asked before.
    func countName(_ name: String) {
        state.withLock { state in
            if state.names.insert(Array(name.utf8)).inserted { state.counts.add(.keyspace) }
        }
    }

    // MARK: Transactions

    public var capabilities: StorageCapabilities {
        var capabilities = wrappedBackend.capabilities
        capabilities.isRemote = true
        // Its readers count, and give none that would not.
        capabilities.sharesSnapshots = false
        return capabilities
    }

    public func read(_ body: (any StorageReader) throws -> Void) throws {
        try wrappedBackend.read { (reader: any StorageReader) throws -> Void in try body(CountingReader(reader, self)) }
    }

    public func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        try wrappedBackend.write(durability) { (writer: any StorageWriter) throws -> Void in
            let writer = CountingWriter(writer, self)
            try body(writer)
            if writer.hasChanges { count(.commit) }
        }
    }

    // MARK: The store as a whole

    public func synchronize() throws {
        count(.store)
        try wrappedBackend.synchronize()
    }

    public func backUp(to destination: String) throws {
        count(.store)
        try wrappedBackend.backUp(to: destination)
    }

    public func compact() throws {
        count(.store)
        try wrappedBackend.compact()
    }

    public func checkStructure() throws {
        count(.store)
        try wrappedBackend.checkStructure()
    }

    public func statistics() throws -> StorageStatistics {
        count(.store)
        return try wrappedBackend.statistics()
    }
}
