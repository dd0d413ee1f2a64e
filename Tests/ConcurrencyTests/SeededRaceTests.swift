import Foundation
import Synchronization
import Testing

/// Races that are there on purpose, for `make tsan`, which has to find them: they show that the sanitizer sees these threads and that what is told it of
/// locks hides nothing. Not run otherwise.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["TROVE_SEEDED_RACE"] != nil)) struct SeededRaceTests {
    /// Two threads add to a variable without a lock.
    @Test func plainVariable() async {
        let counter = UnguardedCounter()
        await onThreads(2) { _ in for _ in 0..<1_000 { counter.plain += 1 } }
        #expect(counter.plain > 0)
    }

    /// Two threads add to a variable beside a lock which they take, under contention, at another time.
    @Test func unlockedNeighbour() async {
        let counter = UnguardedCounter()
        await onThreads(2) { _ in
            for number in 0..<2_000 {
                counter.lock.withLock { guarded in
                    guarded += 1
                    if number % 100 == 0 { usleep(50) }
                }
                counter.neighbour += 1
            }
        }
        #expect(counter.lock.withLock { $0 } == 4_000)
    }
}

/// `@unchecked Sendable` is the point: nothing guards two of the variables.
private final class UnguardedCounter: @unchecked Sendable {
    var plain = 0
    var neighbour = 0
    let lock = Mutex(0)
}
