import Synchronization
import TroveBackendKit
import TroveStorage
import TroveTesting

/// Counts what reads visit, cancels their task at a step, and counts what is visited after it.
final class VisitCounter: Sendable {
    private struct State {
        var visits = 0
        var limit: Int?
        var cancelled: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    /// Begins anew; a task is cancelled by its visit number `limit`.
    func begin(cancellingAt limit: Int?) { state.withLock { $0 = State(limit: limit) } }

    var visits: Int { state.withLock { $0.visits } }

    /// When the task was cancelled.
    var cancelled: ContinuousClock.Instant? { state.withLock { $0.cancelled } }

    func visit() {
        let isLast = state.withLock { state in
            state.visits += 1
            guard state.visits == state.limit else { return false }
            state.cancelled = .now
            return true
        }
        if isLast { withUnsafeCurrentTask { $0?.cancel() } }
    }
}

/// A backend whose reads are counted.
final class CancellingBackend: ForwardingBackend {
    let wrappedBackend: any StorageBackend
    private let counter: VisitCounter

    init(_ backend: any StorageBackend, _ counter: VisitCounter) {
        wrappedBackend = backend
        self.counter = counter
    }

    func read(_ body: (any StorageReader) throws -> Void) throws {
        try wrappedBackend.read { try body(CancellingReader(wrappedReader: $0, counter: counter)) }
    }
}

private final class CancellingReader: ForwardingReader {
    let wrappedReader: any StorageReader
    private let counter: VisitCounter

    init(wrappedReader: any StorageReader, counter: VisitCounter) {
        (self.wrappedReader, self.counter) = (wrappedReader, counter)
    }

    func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        counter.visit()
        return try wrappedReader.get(key, in: keyspace, body)
    }

    func getMany(_ keys: KeyList, in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> ScanStep) throws {
        try wrappedReader.getMany(keys, in: keyspace) { position, value in
            counter.visit()
            return try body(position, value)
        }
    }

    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        try wrappedReader.scan(range, in: keyspace, order: order) { key, value in
            counter.visit()
            return try body(key, value)
        }
    }

    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        try wrappedReader.scan(range, in: keyspace, order: order, expecting: count) { key, value in
            counter.visit()
            return try body(key, value)
        }
    }

    func scanKeys(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?, _ body: (_ key: RawSpan) throws -> ScanStep
    ) throws {
        try wrappedReader.scanKeys(range, in: keyspace, order: order, expecting: count) { key in
            counter.visit()
            return try body(key)
        }
    }

    func cursor(in keyspace: Keyspace) throws -> any StorageCursor {
        CancellingCursor(cursor: try wrappedReader.cursor(in: keyspace), counter: counter)
    }
}

private final class CancellingCursor: StorageCursor {
    private let cursor: any StorageCursor
    private let counter: VisitCounter

    init(cursor: any StorageCursor, counter: VisitCounter) {
        (self.cursor, self.counter) = (cursor, counter)
    }

    func seek(to key: RawSpan) throws -> Bool {
        counter.visit()
        return try cursor.seek(to: key)
    }

    func seekToLast() throws -> Bool {
        counter.visit()
        return try cursor.seekToLast()
    }

    func next() throws -> Bool {
        counter.visit()
        return try cursor.next()
    }

    func previous() throws -> Bool {
        counter.visit()
        return try cursor.previous()
    }

    func withEntry(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws -> Bool { try cursor.withEntry(body) }
}
