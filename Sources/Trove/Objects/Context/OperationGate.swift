import Foundation
import Synchronization
import TroveBackendKit

/// Lets one operation run at a time that takes a context's changes and later deals with what became of them.
final class OperationGate: Sendable {
    private let lock = NSLock()
    private let holder = Mutex<ThreadIdentity?>(nil)

    /// Runs `body` alone.
    ///
    /// - Throws: ``TroveError/contextMisuse(reason:)`` when this thread runs one already.
    func run<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        let thread = ThreadIdentity.current
        if holder.withLock({ $0 }) == thread {
            throw TroveError.contextMisuse(reason: "a hook that a save calls must not \(name); return first")
        }
        lock.lock()
        holder.withLock { $0 = thread }
        defer {
            holder.withLock { $0 = nil }
            lock.unlock()
        }
        return try body()
    }
}
