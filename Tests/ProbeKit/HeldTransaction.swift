import Dispatch
import Foundation
import Synchronization
import Trove

/// A transaction that stays open on a thread of its own.
final class HeldTransaction: Sendable {
    private let mayEnd = DispatchSemaphore(value: 0)
    private let hasEnded = DispatchSemaphore(value: 0)
    private let failure = Mutex<(any Error)?>(nil)

    /// Returns when the transaction has called `hold`, which lasts until the transaction may end.
    init(_ transaction: @escaping @Sendable (_ hold: () -> Void) throws -> Void) throws {
        let hasBegun = DispatchSemaphore(value: 0)
        let thread = Thread { [self] in
            do {
                try transaction {
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

    /// A write that has changed something.
    static func write(_ store: ObjectStore) throws -> HeldTransaction {
        try HeldTransaction { hold in
            try store.write { transaction in
                try transaction.save(Account(id: 0, balance: try (transaction.fetch(Account.self, id: 0)?.balance ?? 0) + 1))
                hold()
            }
        }
    }

    /// A read that has seen something.
    static func read(_ store: ObjectStore) throws -> HeldTransaction {
        try HeldTransaction { hold in
            try store.read { transaction in
                _ = try transaction.fetch(Account.self, id: 0)
                hold()
            }
        }
    }

    /// Lets the transaction end.
    func end() throws {
        mayEnd.signal()
        hasEnded.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
