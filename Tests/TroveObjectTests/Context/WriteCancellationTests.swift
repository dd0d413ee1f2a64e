import Dispatch
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// A write whose task is cancelled before its body begins does nothing, whatever it waits for.
@Suite struct WriteCancellationTests {
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: Account.self, Country.self) }
    }

    /// The writer thread waits for its turn at the engine, which another store on the same file has.
    @Test(arguments: Engine.allCases) func aWriteThatWaitsForTheEngine(_ engine: Engine) async throws {
        let fixture = try fixture(engine), store = fixture.store
        let other = try ObjectStore(engine.open(fixture.directory.file()), models: Country.self)
        let context = ObjectContext(store)
        try context.insert(Account(id: 1, name: "a"))
        for saves in [false, true] {
            let held = try await HeldTransactions { hold in try await other.write { _ in try hold() } }
            let task = Task {
                if saves { _ = try await context.save() } else { try await store.save(Country(code: "a", name: "")) }
            }
            try await waitUntil("the turn of the writer thread") { store.writeQueue.isInTransaction }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await held.end()
        }
        try await store.save(Country(code: "b", name: ""))
        #expect(try await store.fetch(Country.self).all().map(\.code) == ["b"])
        #expect(try await store.fetch(Account.self).count() == 0 && context.hasChanges)
        #expect(try await context.save().insertedCount == 1)
        try await other.close()
    }

    /// The writes before it in the same transaction have begun.
    @Test(arguments: Engine.allCases, [false, true]) func aWriteInAGroup(engine: Engine, fails: Bool) async throws {
        struct Failure: Error {}
        let fixture = try fixture(engine), store = fixture.store
        let (hasBegun, mayEnd) = (SharedFlag(), SharedFlag())
        let held = try await HeldTransactions { hold in try await store.write { _ in try hold() } }
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<3 {
            tasks.append(
                Task {
                    try await store.write { transaction in
                        if number == 0 {
                            hasBegun.raise()
                            try blockUntil("the cancellation") { mayEnd.isRaised }
                        }
                        try transaction.save(Country(code: "\(number)", name: ""))
                        if fails, number == 2 { throw Failure() }
                    }
                })
            try await waitUntil("the write in the queue") { store.writeQueue.waitingCount == number + 1 }
        }
        try await held.end()
        try await waitUntil("the first body") { hasBegun.isRaised }
        tasks[1].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[1].value }
        mayEnd.raise()
        try await tasks[0].value
        if fails { await #expect(throws: Failure.self) { try await tasks[2].value } } else { try await tasks[2].value }
        #expect(try await store.fetch(Country.self).sorted(by: \.code).all().map(\.code) == (fails ? ["0"] : ["0", "2"]))
    }
}
