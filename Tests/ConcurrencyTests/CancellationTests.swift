import ProbeKit
import Synchronization
import TestSupport
import Testing

@testable import Trove

/// The rule of `docs/concurrency.md`: who is cancelled while its turn has not come throws `CancellationError`, and nothing of it is done.
@Suite struct CancellationTests {
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: RingValue.self) }
    }

    /// Some of 600 writes are cancelled while a long one holds the writer, others while the queue moves: what is stored is what was not refused.
    @Test(arguments: Engine.allCases) func writes(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let long = try await HeldTransactions { hold in try await store.write { _ in try hold() } }
        let bodies = SeenNumbers()
        let tasks = (0..<600).map { number in
            Task {
                try await store.write { transaction in
                    bodies.insert(number)
                    try transaction.save(RingValue(id: number, next: 0))
                }
            }
        }
        for number in stride(from: 0, to: 600, by: 3) { tasks[number].cancel() }
        long.release()
        for number in stride(from: 1, to: 600, by: 3) { tasks[number].cancel() }
        try await long.ended()
        var expected: Set<Int> = []
        for (number, task) in tasks.enumerated() {
            do {
                try await task.value
                expected.insert(number)
            } catch is CancellationError {
                #expect(!bodies.contains(number), "the body of write \(number), which was refused, has run")
            }
        }
        #expect(try await Set(store.fetch(RingValue.self).ids()) == expected)
        #expect(expected.isSuperset(of: stride(from: 2, to: 600, by: 3)))
        #expect(expected.isDisjoint(with: stride(from: 0, to: 600, by: 3)))
    }

    /// Reads that wait because all reader threads are busy.
    @Test(arguments: Engine.allCases) func reads(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let busy = try await HeldTransactions(WorkerPool.maxWorkers) { hold in try await store.read { _ in try hold() } }
        let hasRun = SharedFlag()
        let waiting = (0..<100).map { _ in Task { try await store.read { _ in hasRun.raise() } } }
        for task in waiting { task.cancel() }
        for task in waiting { await #expect(throws: CancellationError.self) { try await task.value } }
        try await busy.end()
        #expect(!hasRun.isRaised)
        #expect(try await store.fetch(RingValue.self).count() == 0)
    }

    /// A loop over an observation ends when its task is cancelled, also while it waits for a commit that never comes.
    @Test(arguments: Engine.allCases) func observations(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let (values, continuation) = AsyncStream.makeStream(of: Int.self)
        let observers = (0..<50).map { _ in
            Task {
                for try await count in store.observeCount(of: store.fetch(RingValue.self)) { continuation.yield(count) }
            }
        }
        var firsts = 0
        for await count in values {
            #expect(count == 0)
            firsts += 1
            if firsts == 50 { break }
        }
        for observer in observers { observer.cancel() }
        for observer in observers {
            do { try await observer.value } catch is CancellationError {}
        }
        try await store.save(RingValue(id: 1, next: 1))
        continuation.finish()
        #expect(try await store.fetch(RingValue.self).count() == 1)
    }
}

/// Numbers that tasks have noted.
private final class SeenNumbers: Sendable {
    private let numbers = Mutex<Set<Int>>([])

    func insert(_ number: Int) { numbers.withLock { _ = $0.insert(number) } }
    func contains(_ number: Int) -> Bool { numbers.withLock { $0.contains(number) } }
}
