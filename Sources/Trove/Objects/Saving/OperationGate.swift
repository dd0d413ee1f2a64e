import DequeModule
import Dispatch
import Synchronization
import TroveBackendKit

/// Lets one operation run at a time that takes a context's changes and later deals with what became of them, in the order in which they came.
///
/// An asynchronous operation goes from thread to thread, and waits for its turn without blocking one. Between its turn and its end it needs none of the threads
/// of Swift's tasks: a task that makes a synchronous call blocks one of them until the operations before it have ended.
final class OperationGate: Sendable {
    private enum Waiter {
        case thread(DispatchSemaphore)
        case task(@Sendable () -> Void)
    }

    private struct State {
        var isTaken = false
        /// The thread that runs a part of the operation now; nil between the parts.
        var holder: ThreadIdentity?
        var waiting: Deque<Waiter> = []
    }

    private let state = Mutex(State())
    /// Whether this thread is one that operations wait for, and that must not wait for them.
    private let isAwaited: @Sendable () -> Bool

    init(isAwaited: @escaping @Sendable () -> Bool) { self.isAwaited = isAwaited }

    /// Runs `body` alone.
    ///
    /// - Throws: ``TroveError/contextMisuse(reason:)`` when this thread runs one already, or must not wait for the one that runs.
    func run<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        let turn: DispatchSemaphore? = try state.withLock { state in
            if state.holder == .current {
                throw TroveError.contextMisuse(reason: "a hook that a save calls must not \(name); return from the hook first")
            }
            if !state.isTaken {
                state.isTaken = true
                return nil
            }
            if isAwaited() {
                throw TroveError.contextMisuse(
                    reason: "in didCommit of an asynchronous write a context cannot \(name) while another operation of the context is under way, which may wait for this thread; do it in a task")
            }
            let turn = DispatchSemaphore(value: 0)
            state.waiting.append(.thread(turn))
            return turn
        }
        turn?.wait()
        defer { leave() }
        return try holding(body)
    }

    /// Calls `begin` when the turn of an operation has come, which ends with ``leave()``.
    ///
    /// - Parameter begin: hands the operation to a thread, and does not wait. The caller runs it, or who ends the operation before.
    func enter(_ begin: @escaping @Sendable () -> Void) {
        let mayBegin = state.withLock { state in
            if state.isTaken { state.waiting.append(.task(begin)) }
            defer { state.isTaken = true }
            return !state.isTaken
        }
        if mayBegin { begin() }
    }

    /// How many operations wait for their turn.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Runs a part of the operation that has its turn on this thread.
    func holding<Result>(_ body: () throws -> Result) rethrows -> Result {
        state.withLock { $0.holder = .current }
        defer { state.withLock { $0.holder = nil } }
        return try body()
    }

    /// Ends an operation and gives the turn to the next that waits.
    func leave() {
        let next: Waiter? = state.withLock { state in
            let next = state.waiting.popFirst()
            if next == nil { state.isTaken = false }
            return next
        }
        switch next {
        case .thread(let turn): turn.signal()
        case .task(let begin): begin()
        case nil: break
        }
    }
}

extension ObjectContext {
    /// Runs `body` alone on a thread that may wait.
    ///
    /// - Throws: what `body` throws; `CancellationError` when the task is cancelled before the turn has come.
    func operate<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        let (work, operations, pool) = (QueuedWork<Result>(), operations, core.contexts.pool)
        return try await work.result {
            operations.enter {
                pool.enqueue {
                    guard work.start() else { return operations.leave() }
                    let result = work.running {
                        Interruption.$current.withValue(work.interruption) { Swift.Result { try operations.holding(body) } }
                    }
                    operations.leave()
                    work.finish(result)
                }
            }
        }
    }
}
