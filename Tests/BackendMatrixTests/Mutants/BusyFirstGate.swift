import Foundation
import Synchronization

/// Lets the thread that came first in again and again before any other, as an unfair lock does with one that asks without pause.
final class BusyFirstGate: Sendable {
    private struct State {
        var favourite: ObjectIdentifier?
        var entries = 0
        var lastEntry = ContinuousClock.now
    }

    private static let entriesBeforeOthers = 500

    private let state = Mutex(State())

    func enter() {
        let thread = ObjectIdentifier(Thread.current)
        let asked = state.withLock { $0.entries }
        while !mayEnter(thread, asked) { usleep(100) }
    }

    private func mayEnter(_ thread: ObjectIdentifier, _ asked: Int) -> Bool {
        state.withLock { state in
            if state.favourite == nil { state.favourite = thread }
            guard state.favourite == thread else {
                return state.entries >= asked + Self.entriesBeforeOthers || ContinuousClock.now - state.lastEntry > .seconds(1)
            }
            state.entries += 1
            state.lastEntry = .now
            return true
        }
    }
}
