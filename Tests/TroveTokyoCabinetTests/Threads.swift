import Dispatch
import Foundation
import Synchronization

/// Runs blocking work on threads of its own: the tasks of a test share too few.
enum Threads {
    private final class Outcome: Sendable {
        let error = Mutex<(any Error)?>(nil)
        let done = DispatchSemaphore(value: 0)
    }

    /// Runs `body` on `count` threads at once and waits for all; throws what one of them threw.
    static func run(_ count: Int, _ body: @escaping @Sendable (_ index: Int) throws -> Void) throws {
        let outcomes = (0..<count).map { index in
            let outcome = Outcome()
            Thread {
                do { try body(index) } catch { outcome.error.withLock { $0 = error } }
                outcome.done.signal()
            }.start()
            return outcome
        }
        for outcome in outcomes { outcome.done.wait() }
        for outcome in outcomes {
            if let error = outcome.error.withLock({ $0 }) { throw error }
        }
    }
}
