import DequeModule
import Dispatch
import Synchronization
import TroveBackendKit

/// Lets one operation run at a time that takes a context's changes and later deals with what became of them, in the order in which they came.
///
/// An asynchronous operation goes from thread to thread, and waits for its turn without blocking one.
final class OperationGate: Sendable {
    private enum Waiter {
        case thread(DispatchSemaphore)
        case task(QueuedWork<Void>)
    }

    private struct State {
        var isTaken = false
        /// The thread that runs a part of the operation now; nil between the parts.
        var holder: ThreadIdentity?
        var waiting: Deque<Waiter> = []
    }

    private let state = Mutex(State())

    /// Runs `body` alone.
    ///
    /// - Throws: ``TroveError/contextMisuse(reason:)`` when this thread runs one already.
    func run<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        let turn: DispatchSemaphore? = try state.withLock { state in
            if state.holder == .current {
                throw TroveError.contextMisuse(reason: "a hook that a save calls must not \(name); return first")
            }
            if !state.isTaken {
                state.isTaken = true
                return nil
            }
            let turn = DispatchSemaphore(value: 0)
            state.waiting.append(.thread(turn))
            return turn
        }
        turn?.wait()
        defer { leave() }
        return try holding(body)
    }

    /// Runs `body` alone. A task that is cancelled before its turn throws `CancellationError`.
    func run<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
        let turn = QueuedWork<Void>()
        try await turn.result {
            let mayEnter = state.withLock { state in
                if state.isTaken {
                    state.waiting.append(.task(turn))
                    return false
                }
                state.isTaken = true
                return true
            }
            if mayEnter, !give(to: .task(turn)) { leave() }
        }
        defer { leave() }
        return try await body()
    }

    /// Runs a part of the operation that has its turn on this thread.
    func holding<Result>(_ body: () throws -> Result) rethrows -> Result {
        state.withLock { $0.holder = .current }
        defer { state.withLock { $0.holder = nil } }
        return try body()
    }

    /// Gives the turn to the next that waits.
    private func leave() {
        while true {
            let next: Waiter? = state.withLock { state in
                let next = state.waiting.popFirst()
                if next == nil { state.isTaken = false }
                return next
            }
            guard let next else { return }
            if give(to: next) { return }
        }
    }

    /// Returns false when the waiter has been cancelled.
    private func give(to waiter: Waiter) -> Bool {
        switch waiter {
        case .thread(let turn): turn.signal()
        case .task(let turn):
            guard turn.start() else { return false }
            turn.finish(.success(()))
        }
        return true
    }
}

extension ObjectContext {
    /// Runs `body` alone on a thread that may wait.
    func operate<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await operations.run { try await self.core.contexts.pool.run { try self.operations.holding(body) } }
    }
}
