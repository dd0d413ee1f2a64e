import Synchronization

/// A line that threads wait at until all of them are there: without it the first may have ended before the last begins.
final class StartLine: Sendable {
    private let missing: Mutex<Int>
    private let complete: Signal

    init(for threads: Int, _ complete: Signal) {
        missing = Mutex(threads)
        self.complete = complete
    }

    /// Returns when all threads have called it.
    func wait() throws {
        let isLast = missing.withLock { missing in
            missing -= 1
            return missing == 0
        }
        if isLast { complete.raise() }
        try complete.wait()
    }
}
