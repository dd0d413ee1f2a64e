import Foundation
import Synchronization
import TroveBackendKit
import TroveStorage

/// An engine in which something else happens between the beginning of a read transaction and what it reads.
final class InterruptedBackend: ForwardingBackend {
    let wrappedBackend: any StorageBackend
    private let interruption = Mutex<(@Sendable () throws -> Void)?>(nil)

    init(_ backend: any StorageBackend) { wrappedBackend = backend }

    /// In the next read transaction another thread does `work`, and comes to its end, before anything is read.
    func interruptNextRead(_ work: @escaping @Sendable () throws -> Void) { interruption.withLock { $0 = work } }

    func read(_ body: (any StorageReader) throws -> Void) throws {
        try wrappedBackend.read { reader in
            if let work = takeInterruption() { try Self.runOnAnotherThread(work) }
            try body(reader)
        }
    }

    private func takeInterruption() -> (@Sendable () throws -> Void)? {
        interruption.withLock { work in
            defer { work = nil }
            return work
        }
    }

    private static func runOnAnotherThread(_ work: @escaping @Sendable () throws -> Void) throws {
        let outcome = Outcome()
        Thread.detachNewThread {
            do { try work() } catch { outcome.error.withLock { $0 = error } }
            outcome.end.signal()
        }
        outcome.end.wait()
        if let error = outcome.error.withLock({ $0 }) { throw error }
    }

    private final class Outcome: Sendable {
        let error = Mutex<(any Error)?>(nil)
        let end = DispatchSemaphore(value: 0)
    }
}
