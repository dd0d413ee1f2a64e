import Dispatch
import Foundation
import TroveBackendKit

/// A read of the engine that goes on until it is told to end. Its body waits on a thread of its own, and other threads have its reader, one at a time.
///
/// Unchecked: all that changes is changed with the lock, and the reader is used by the thread whose turn it is.
final class HeldRead: @unchecked Sendable {
    /// The thread begins a read and waits: that is not deep, also where the engine is encrypted.
    private static let stackSize = 512 << 10
    /// How long a thread waits for its turn until it looks whether its task was cancelled.
    private static let patience: TimeInterval = 0.01

    private struct State {
        /// Nil once the thread has given it back.
        var core: StoreCore?
        /// What is lent, as long as the read is open.
        var reader: (any StorageReader)?
        var indexes: IndexTable?
        /// The thread that reads, and how many reads it has one inside the other.
        var user: ThreadIdentity?
        var depth = 0
        /// The numbers of the threads that wait for their turn, in the order in which they came.
        var waiting: [Int] = []
        var lastNumber = 0
        var isClosing = false
        var hasEnded = false
        /// Why it could not be begun.
        var failure: (any Error)?
    }

    /// The store that it reads.
    let owner: ObjectIdentifier
    private let group: OpenSnapshots
    private let process = ForkMark()
    private let engine: String
    private let path: String
    private let lock = NSCondition()
    private var state: State
    /// Signalled once, when nobody reads or will read.
    private let mayEnd = DispatchSemaphore(value: 0)

    init(_ core: StoreCore, among group: OpenSnapshots) {
        owner = ObjectIdentifier(core)
        self.group = group
        (engine, path) = (core.capabilities.engine, core.backend.path)
        state = State(core: core)
    }

    /// Begins the read, and returns when others can have its reader.
    ///
    /// - Throws: what the engine throws; `outOfResources` when the system has no thread left; ``TroveError/snapshotClosed(path:)`` when the store is closed
    ///   meanwhile.
    func begin() throws {
        let code = DetachedThread.start(stackSize: Self.stackSize) { self.run() }
        if code != 0 {
            finish(
                because: StorageError.outOfResources(
                    .init(engine: engine, path: path, message: "the system has no thread left for a snapshot; close other snapshots first", code: code)))
        }
        try lock.withLock {
            while state.reader == nil, !state.isClosing, !state.hasEnded { lock.wait() }
            if let failure = state.failure { throw failure }
            // The store was closed meanwhile.
            if state.isClosing { throw TroveError.snapshotClosed(path: path) }
        }
    }

    /// Runs `body` with the reader, after the reads of other threads. Inside of another read of this thread it runs at once.
    ///
    /// - Throws: what `body` throws; ``TroveError/snapshotClosed(path:)``; `CancellationError` when the task is cancelled meanwhile.
    func read(_ core: StoreCore, _ body: (ReadTransaction) throws -> Void) throws {
        try process.check(engine: engine, path: path)
        let (reader, indexes) = try takeTurn()
        defer { giveTurn() }
        let transaction = ReadTransaction(core, reader, indexes: indexes)
        defer { transaction.finish() }
        try body(transaction)
    }

    private func takeTurn() throws -> (any StorageReader, IndexTable) {
        let thread = ThreadIdentity.current
        var number: Int?
        lock.lock()
        defer {
            if let number { stopWaiting(number) }
            lock.unlock()
        }
        while true {
            guard !state.isClosing, let reader = state.reader, let indexes = state.indexes else { throw TroveError.snapshotClosed(path: path) }
            // Who comes while others wait comes behind them, also when the reader is free.
            if state.user == thread || state.depth == 0 && state.waiting.first == number {
                state.user = thread
                state.depth += 1
                return (reader, indexes)
            }
            if number == nil {
                state.lastNumber += 1
                number = state.lastNumber
                state.waiting.append(state.lastNumber)
            }
            _ = lock.wait(until: Date(timeIntervalSinceNow: Self.patience))
            try ReadWatch().look()
        }
    }

    /// For who has the lock. The next one may have its turn when this one gave up.
    private func stopWaiting(_ number: Int) {
        state.waiting.removeAll { $0 == number }
        if state.depth == 0, !state.waiting.isEmpty { lock.broadcast() }
    }

    private func giveTurn() {
        lock.withLock {
            state.depth -= 1
            guard state.depth == 0 else { return }
            state.user = nil
            if state.isClosing { mayEnd.signal() }
            // Any of them may be the first.
            if !state.waiting.isEmpty { lock.broadcast() }
        }
    }

    // MARK: The end

    /// Whether it is to end, or has ended. In a forked child too, where a thread of the parent's may have had the lock for ever.
    var isClosing: Bool { isInherited || lock.withLock { state.isClosing } }

    /// How many threads wait for their turn.
    var waitingCount: Int { lock.withLock { state.waiting.count } }

    /// Whether the process was forked since: then its thread is the parent's, and nothing of it may be touched.
    var isInherited: Bool { process.isInherited }

    /// Whether the calling thread is inside of a read of it.
    var isUsedByCurrentThread: Bool { lock.withLock { state.user == .current } }

    /// Lets nobody in any more. It ends with the read that runs; this does not wait for that.
    func endSoon() {
        if isInherited { return }
        lock.withLock { beginClosing() }
    }

    /// As ``endSoon()``, and waits for the engine to let go of it where nobody reads.
    func end() {
        if isInherited { return }
        lock.withLock {
            beginClosing()
            while state.depth == 0, !state.hasEnded { lock.wait() }
        }
    }

    /// For who has the lock.
    private func beginClosing() {
        if state.isClosing { return }
        state.isClosing = true
        if state.depth == 0 { mayEnd.signal() }
        lock.broadcast()
    }

    // MARK: The thread

    private func run() {
        do {
            if let core = lock.withLock({ state.core }) { try lend(core) }
            finish(because: nil)
        } catch {
            finish(because: error)
        }
    }

    private func lend(_ core: StoreCore) throws {
        let replacements = core.sealing?.newest.replacements
        var wasLent = false
        try core.backend.read { (reader: any StorageReader) throws -> Void in
            // A remote engine takes its state with the first answer, and may begin again until then.
            _ = try reader.keyspaceNames()
            let sealing = core.sealing.map { SealingReader(reader, $0, core.catalogue, begunAfter: replacements) }
            // Later they may have been replaced, with the keys that open them.
            _ = try sealing?.renewKeys()
            let opened: any StorageReader = sealing ?? reader
            let indexes = try core.indexTable(opened)
            lock.withLock {
                (state.reader, state.indexes) = (opened, indexes)
                lock.broadcast()
            }
            mayEnd.wait()
            // They are freed when the lock is free again.
            let last = lock.withLock { (state.reader.take(), state.indexes.take()) }
            withExtendedLifetime(last) {}
            wasLent = true
        }
        if !wasLent { throw core.backend.bodyDidNotRun }
    }

    private func finish(because failure: (any Error)?) {
        group.remove(self)
        // Whoever waits for the end may be the last to have the store, and closes it then on a thread of their own.
        _ = lock.withLock { state.core.take() }
        lock.withLock {
            (state.failure, state.isClosing, state.hasEnded) = (failure, true, true)
            lock.broadcast()
        }
    }
}
