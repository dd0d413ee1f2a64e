import Synchronization
import Trove
import TroveBackendKit

/// Counts the commits that change something, and tells who waits for it.
final class ChangeCounter: Sendable {
    private struct State {
        var count = 0
        /// The count whose state is in the document's file.
        var saved = 0
        var listeners: [Int: AsyncStream<Bool>.Continuation] = [:]
        var nextListener = 0
        var isFinished = false
    }

    private let state = Mutex(State())
    /// Only asked which threads are in a transaction of the document's store. Nobody enters it alone, so nobody waits at it.
    let transactions = SharedExclusiveGate()
    /// Where it is written down that there are unsaved changes.
    private let desk: Mutex<WorkingCopy>

    init(_ workingCopy: WorkingCopy) { desk = Mutex(workingCopy) }

    var workingCopy: WorkingCopy {
        get { desk.withLock { $0 } }
        set { desk.withLock { $0 = newValue } }
    }

    var count: Int { state.withLock { $0.count } }

    var hasUnsavedChanges: Bool { state.withLock { $0.count != $0.saved } }

    func noteChange() { update { $0.count += 1 } }

    /// Notes that the state of a count is in the document's file.
    func noteSaved(_ count: Int) { update { $0.saved = count } }

    /// Notes that what there is now is not in the document's file, as after a recovery.
    func noteUnsaved() { update { $0.saved = -1 } }

    private func update(_ change: (inout State) -> Void) {
        let told = state.withLock { state in
            let before = state.count != state.saved
            change(&state)
            let now = state.count != state.saved
            return before == now ? [] : state.listeners.values.map { ($0, now) }
        }
        for (listener, now) in told { listener.yield(now) }
    }

    /// Ends the streams: no document has an answer any more.
    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            return state.listeners.values.map { $0 }
        }
        // Each takes itself off the list, for which it needs the lock.
        for listener in listeners { listener.finish() }
    }

    /// The present answer and each that differs from the one before, until there is none any more.
    func stream() -> AsyncStream<Bool> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number: Int? = state.withLock { state in
                continuation.yield(state.count != state.saved)
                if state.isFinished { return nil }
                state.nextListener += 1
                state.listeners[state.nextListener] = continuation
                return state.nextListener
            }
            guard let number else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[number] = nil } }
        }
    }
}

/// The working copy's engine, whose commits are counted when they change something.
final class CountedBackend: ForwardingBackend {
    let wrappedBackend: any StorageBackend
    private let counter: ChangeCounter

    init(_ backend: any StorageBackend, _ counter: ChangeCounter) {
        wrappedBackend = backend
        self.counter = counter
    }

    func read(_ body: (any StorageReader) throws -> Void) throws {
        _ = counter.transactions.enterShared(timeout: .zero)
        defer { counter.transactions.leaveShared() }
        try wrappedBackend.read(body)
    }

    func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        _ = counter.transactions.enterShared(timeout: .zero)
        defer { counter.transactions.leaveShared() }
        try wrappedBackend.write(durability) { writer in
            let counting = CountedWriter(writer)
            try body(counting)
            guard counting.isChanged else { return }
            // The mark is there before the commit, and the count in the transaction: who counts in another one has all of it or nothing. A commit that fails
            // then counts too, which makes the next save write what need not be written.
            if !counter.hasUnsavedChanges { try counter.workingCopy.noteUnsaved() }
            counter.noteChange()
        }
    }
}

/// Notes whether a transaction changes anything.
private final class CountedWriter: ForwardingWriter {
    let wrappedWriter: any StorageWriter
    private(set) var isChanged = false

    init(_ writer: any StorageWriter) { wrappedWriter = writer }

    func dropKeyspace(_ keyspace: Keyspace) throws {
        isChanged = true
        try wrappedWriter.dropKeyspace(keyspace)
    }

    func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
        isChanged = true
        try wrappedWriter.put(key, value, in: keyspace)
    }

    func insert(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool {
        let isInserted = try wrappedWriter.insert(key, value, in: keyspace)
        if isInserted { isChanged = true }
        return isInserted
    }

    func delete(_ key: RawSpan, in keyspace: Keyspace) throws -> Bool {
        let isDeleted = try wrappedWriter.delete(key, in: keyspace)
        if isDeleted { isChanged = true }
        return isDeleted
    }

    func remove(_ key: RawSpan, in keyspace: Keyspace) throws {
        isChanged = true
        try wrappedWriter.remove(key, in: keyspace)
    }

    func deleteRange(_ range: KeyRange, in keyspace: Keyspace) throws -> Int {
        let count = try wrappedWriter.deleteRange(range, in: keyspace)
        if count > 0 { isChanged = true }
        return count
    }
}
