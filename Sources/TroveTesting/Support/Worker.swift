import Dispatch
import Foundation
import Synchronization

/// A thread that a case starts and waits for.
final class Worker: Sendable {
    private let ended = DispatchSemaphore(value: 0)
    private let outcome = Mutex<Result<Void, any Error>>(.success(()))

    /// - Parameter failed: called on the thread with what its body threw.
    init(failed: @escaping @Sendable (any Error) -> Void, _ body: @escaping @Sendable () throws -> Void) {
        let thread = Thread { [self] in
            let result = Result { try body() }
            if case .failure(let error) = result { failed(error) }
            outcome.withLock { $0 = result }
            ended.signal()
        }
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// Waits for the end of the thread and throws what its body threw.
    func join() throws {
        ended.wait()
        ended.signal()
        try outcome.withLock { $0 }.get()
    }
}

extension Sequence<Worker> {
    /// Waits for all threads, then throws what the first of them threw: none still uses what the caller has lent it.
    func joinAll() throws {
        let outcomes = map { worker in Result { try worker.join() } }
        for outcome in outcomes { try outcome.get() }
    }
}
