import Foundation
import Synchronization

/// Lets in whoever came last, which is what a fair queue does not.
final class LastComeGate: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [DispatchSemaphore] = []
    }

    private let state = Mutex(State())

    func enter() {
        let semaphore: DispatchSemaphore? = state.withLock { state in
            guard state.isTaken else {
                state.isTaken = true
                return nil
            }
            let semaphore = DispatchSemaphore(value: 0)
            state.waiting.append(semaphore)
            return semaphore
        }
        semaphore?.wait()
    }

    func leave() {
        let next = state.withLock { state -> DispatchSemaphore? in
            let next = state.waiting.popLast()
            state.isTaken = next != nil
            return next
        }
        next?.signal()
    }
}
