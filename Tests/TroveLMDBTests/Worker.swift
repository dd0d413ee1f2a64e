import Dispatch
import Foundation
import Synchronization

/// A thread that a test starts and waits for.
final class Worker: Sendable {
    private let ended = DispatchSemaphore(value: 0)
    private let outcome = Mutex<Result<Void, any Error>>(.success(()))

    init(_ body: @escaping @Sendable () throws -> Void) {
        let thread = Thread { [self] in
            let result = Result { try body() }
            outcome.withLock { $0 = result }
            ended.signal()
        }
        thread.start()
    }

    /// Waits for the end and throws what the body threw.
    func join() throws {
        ended.wait()
        try outcome.withLock { $0 }.get()
    }
}
