import TestSupport
import Testing

@testable import Trove

/// What observers wait for.
@Suite struct WakeUpTests {
    /// Of two tasks that wait each is woken, and the end of one leaves the other waiting.
    @Test func eachTaskIsWoken() async throws {
        let wakeUp = WakeUp(isDue: false)
        let tasks = (0..<3).map { _ in Task { try await wakeUp.next() } }
        tasks[1].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[1].value }
        let woken = [SharedFlag(), SharedFlag()]
        for (task, flag) in zip([tasks[0], tasks[2]], woken) {
            Task {
                try await task.value
                flag.raise()
            }
        }
        try await waitUntil("both tasks") {
            wakeUp.note()
            return woken.allSatisfy(\.isRaised)
        }
    }
}
