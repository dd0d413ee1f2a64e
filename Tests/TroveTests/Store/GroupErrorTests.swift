import Foundation
import Synchronization
import TestSupport
import Testing
import TroveBackendKit
import TroveTesting

@testable import TestModels
@testable import Trove

/// What becomes of a group of asynchronous writes when the engine cannot commit at all.
@Suite struct GroupErrorTests {
    /// A backend whose server vanishes: each write from then on fails, and is counted.
    private final class Vanishing: ForwardingBackend {
        let wrappedBackend: any StorageBackend = MemoryBackend()
        let error = Mutex<StorageError?>(nil)
        let attempts = Mutex(0)

        func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
            if let error = error.withLock({ $0 }) {
                attempts.withLock { $0 += 1 }
                throw error
            }
            try wrappedBackend.write(durability, body)
        }
    }

    /// Each job would wait for the same time-out of the connection.
    @Test(arguments: [true, false]) func aServerThatIsAwayIsAskedOnceForAGroup(isAway: Bool) async throws {
        let backend = Vanishing()
        let store = try ObjectStore(backend, models: Country.self)
        let details = StorageError.Details(engine: "server", path: backend.path, message: "it is away", code: "08006")
        let first = try await HeldTransactions { hold in try await store.write { _ in try hold() } }
        // These gather while the first one runs.
        let jobs = (0..<20).map { number in Task { try await store.save(Country(code: "\(number)", name: "")) } }
        try await waitUntil("20 waiting saves") { store.writeQueue.waitingCount == 20 }
        backend.error.withLock { $0 = isAway ? .unreachable(details) : .conflict(details) }
        try await first.end()
        for job in jobs {
            await #expect(throws: StorageError.self) { try await job.value }
        }
        #expect(backend.attempts.withLock { $0 } == (isAway ? 1 : 21))
    }
}
