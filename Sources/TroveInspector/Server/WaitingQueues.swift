import Dispatch
import Synchronization

/// Where calls run that wait: a few serial queues, each with a thread of its own when it has work.
///
/// A concurrent queue would share the threads of the whole program, of which there are as many as processors, and wait behind whatever waits in them.
final class WaitingQueues: Sendable {
    private let queues: [DispatchQueue]
    /// How many calls each has.
    private let loads: Mutex<[Int]>

    init(count: Int) {
        queues = (0..<count).map { DispatchQueue(label: "trove.inspector.\($0)") }
        loads = Mutex([Int](repeating: 0, count: count))
    }

    /// Runs `body` on the queue that has least to do.
    func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        let number = loads.withLock { loads in
            let number = loads.indices.min { loads[$0] < loads[$1] } ?? 0
            loads[number] += 1
            return number
        }
        defer { loads.withLock { $0[number] -= 1 } }
        return try await withCheckedThrowingContinuation { continuation in
            queues[number].async { continuation.resume(with: Swift.Result(catching: body)) }
        }
    }
}
