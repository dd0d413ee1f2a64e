import Dispatch
import Foundation
import Synchronization

/// How long tests wait for what must come. A test that waits for ever ends the whole run without a word of which one it was.
public enum Patience {
    /// Longer than a run of all tests: what a task has to do first waits its turn behind all tests that have begun.
    public static let limit = Duration.seconds(1_800)

    /// What was waited for has not come.
    public struct RunOut: Error, CustomStringConvertible {
        let awaited: String

        public var description: String { "\(awaited) has not come within \(Patience.limit)" }
    }
}

/// Something that has happened or not.
public final class SharedFlag: Sendable {
    private let value = Atomic(false)

    public init() {}

    public var isRaised: Bool { value.load(ordering: .acquiring) }

    public func raise() { value.store(true, ordering: .releasing) }
}

/// Waits until `condition` holds, on a thread that may block.
///
/// - Throws: ``Patience/RunOut``, and what `condition` throws.
public func blockUntil(_ awaited: String, _ condition: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + Patience.limit
    while try !condition() {
        guard .now < deadline else { throw Patience.RunOut(awaited: awaited) }
        Thread.sleep(forTimeInterval: 0.001)
    }
}

/// Waits until `condition` holds, without keeping a thread from other tasks.
///
/// - Throws: ``Patience/RunOut``, and what `condition` throws.
public func waitUntil(_ awaited: String, _ condition: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + Patience.limit
    while try await !condition() {
        guard .now < deadline else { throw Patience.RunOut(awaited: awaited) }
        try await Task.sleep(for: .milliseconds(1))
    }
}

extension DispatchSemaphore {
    /// Waits for a signal, on a thread that may block.
    ///
    /// - Throws: ``Patience/RunOut``.
    public func waitPatiently() throws {
        let seconds = Double(Patience.limit.components.seconds)
        guard wait(timeout: .now() + seconds) == .success else { throw Patience.RunOut(awaited: "a signal") }
    }

    /// Waits for signals on a thread of its own: tasks may have one thread between them.
    ///
    /// - Throws: ``Patience/RunOut``.
    public func signalled(times: Int = 1) async throws {
        try await onThread { for _ in 0..<times { try self.waitPatiently() } }
    }
}

/// Runs `body` on a thread of its own, which may block; the result says how it ended.
public func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Swift.Result { try body() }) }.start()
    }
}
