import Dispatch
import Foundation
import Synchronization

/// The threads that scans of a store may use, beside those that ask for them.
final class ScanThreads: Sendable {
    /// When a scan asks for help, and how much of it a thread reads before it gives some of the rest away.
    struct Pace: Sendable {
        /// Records that one thread reads alone: with fewer, help comes too late.
        var alone = 4_096
        /// Records that a thread reads between two gifts.
        var betweenGifts = 1_024
    }

    /// How many threads may work on a scan, that of the caller among them.
    let limit: Int
    /// Others than the default in tests, whose stores are small.
    let pace = Mutex(Pace())
    private let helping = Atomic(0)

    /// - Parameter limit: nil for as many as the machine has cores; below 1 is 1.
    init(limit: Int?) {
        self.limit = max(1, limit ?? ProcessInfo.processInfo.activeProcessorCount)
    }

    /// Takes threads to help with a scan, at most `limit - 1` for all scans together: the callers' own threads keep the cores busy then.
    /// As many as it returns have to be given back.
    func take() -> Int {
        var count = helping.load(ordering: .relaxed)
        while count < limit - 1 {
            let (isTaken, found) = helping.compareExchange(expected: count, desired: limit - 1, ordering: .relaxed)
            if isTaken { return limit - 1 - count }
            count = found
        }
        return 0
    }

    func give(_ count: Int) { helping.subtract(count, ordering: .relaxed) }

    /// Runs a job on a thread of its own: on Linux concurrent queues share the threads of Swift's tasks, which may all be waiting for this scan.
    func start(_ job: @escaping @Sendable () -> Void) { DispatchQueue(label: "trove.scan").async(execute: job) }
}
