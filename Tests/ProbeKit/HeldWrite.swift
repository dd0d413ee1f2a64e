import Dispatch
import Foundation
import Synchronization
import Trove

/// A write transaction that stays open on a thread of its own.
final class HeldWrite: Sendable {
    private let mayEnd = DispatchSemaphore(value: 0)
    private let hasEnded = DispatchSemaphore(value: 0)
    private let failure = Mutex<(any Error)?>(nil)

    /// Returns when the transaction has begun and has changed something.
    init(_ store: ObjectStore) throws {
        let hasBegun = DispatchSemaphore(value: 0)
        let thread = Thread { [self] in
            do {
                try store.write { transaction in
                    try transaction.save(Account(id: 0, balance: try (transaction.fetch(Account.self, id: 0)?.balance ?? 0) + 1))
                    hasBegun.signal()
                    mayEnd.wait()
                }
            } catch {
                failure.withLock { $0 = error }
            }
            hasBegun.signal()
            hasEnded.signal()
        }
        thread.start()
        hasBegun.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// Commits the transaction.
    func end() throws {
        mayEnd.signal()
        hasEnded.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
