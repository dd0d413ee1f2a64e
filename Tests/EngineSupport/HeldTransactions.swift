import Dispatch

/// Transactions that have begun and do not end before they may: a write that all others wait for, or reads that hold threads.
///
/// ```swift
/// let held = try await HeldTransactions { hold in try await store.write { _ in try hold() } }
/// // What waits for the writer.
/// try await held.end()
/// ```
public final class HeldTransactions: Sendable {
    private let tasks: [Task<Void, any Error>]
    private let mayEnd: DispatchSemaphore

    /// Runs `count` transactions, and returns when all of them have come to the closure that `transaction` is given.
    ///
    /// - Throws: ``Patience/RunOut``.
    public init(_ count: Int = 1, _ transaction: @escaping @Sendable (_ hold: @escaping @Sendable () throws -> Void) async throws -> Void) async throws {
        let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        self.mayEnd = mayEnd
        tasks = (0..<count).map { _ in
            Task {
                try await transaction {
                    hasBegun.signal()
                    try mayEnd.waitPatiently()
                }
            }
        }
        try await hasBegun.signalled(times: count)
    }

    /// Cancels the tasks that the transactions run in.
    public func cancel() { for task in tasks { task.cancel() } }

    /// Lets the transactions end, and does not wait for them.
    public func release() { for _ in tasks { mayEnd.signal() } }

    /// Returns when the transactions that were released have ended.
    ///
    /// - Throws: what a transaction threw.
    public func ended() async throws { for task in tasks { try await task.value } }

    /// Lets the transactions end, and returns when they have.
    ///
    /// - Throws: what a transaction threw.
    public func end() async throws {
        release()
        try await ended()
    }
}
