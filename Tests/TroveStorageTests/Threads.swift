import Dispatch
import Foundation
import Synchronization

/// Starts a thread; the function it returns waits for the end and throws what the body threw.
func startThread(_ body: @escaping @Sendable () throws -> Void) -> () throws -> Void {
    let ended = DispatchSemaphore(value: 0)
    let outcome = Outcome()
    Thread {
        let result = Result { try body() }
        outcome.result.withLock { $0 = result }
        ended.signal()
    }.start()
    return {
        ended.wait()
        try outcome.result.withLock { $0 }.get()
    }
}

/// Runs `body` on `count` threads and waits for all.
func onThreads(_ count: Int, _ body: @escaping @Sendable (_ index: Int) throws -> Void) throws {
    let joins = (0..<count).map { index in startThread { try body(index) } }
    for join in joins { try join() }
}

/// What the body of a thread came to.
private final class Outcome: Sendable {
    let result = Mutex<Result<Void, any Error>>(.success(()))
}
