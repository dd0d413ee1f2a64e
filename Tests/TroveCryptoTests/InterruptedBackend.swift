import Foundation
import Synchronization
import TroveBackendKit
import TroveStorage

/// An engine in which something else happens between the beginning of a read transaction and what it reads, or between the commit of a write and its return.
final class InterruptedBackend: ForwardingBackend {
    let wrappedBackend: any StorageBackend
    private typealias Interruption = Mutex<(@Sendable () throws -> Void)?>
    private let interruption = Interruption(nil)
    private let interruptionOfWrite = Interruption(nil)

    init(_ backend: any StorageBackend) { wrappedBackend = backend }

    /// In the next read transaction another thread does `work`, and comes to its end, before anything is read.
    func interruptNextRead(_ work: @escaping @Sendable () throws -> Void) { interruption.withLock { $0 = work } }

    /// As ``interruptNextRead(_:)``, when the next write transaction is committed and others may write, before its caller hears of it.
    func interruptNextWrite(_ work: @escaping @Sendable () throws -> Void) { interruptionOfWrite.withLock { $0 = work } }

    func read(_ body: (any StorageReader) throws -> Void) throws {
        try wrappedBackend.read { reader in
            try Self.run(interruption)
            try body(reader)
        }
    }

    func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        try wrappedBackend.write(durability, body)
        try Self.run(interruptionOfWrite)
    }

    private static func run(_ interruption: borrowing Interruption) throws {
        let work = interruption.withLock { work in
            defer { work = nil }
            return work
        }
        if let work { try runOnAnotherThread(work) }
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
