import TestSupport
import Testing

@testable import Trove

/// What a save asks of its engine, counted. Before, a save of changed objects read each of them twice and tried to insert the first.
@Suite struct ContextSaveCostTests {
    private func counted(_ engine: Engine) throws -> (fixture: StoreFixture, counts: CallCounts) {
        let (fixture, backend) = try StoreFixture.counting(engine) {
            try ObjectStore($0, durability: .buffered, models: Account.self, Player.self, Team.self)
        }
        return (fixture, backend.counts)
    }

    @Test(arguments: Engine.allCases) func aChangedObjectIsReadOnceAndWrittenOnce(_ engine: Engine) throws {
        let (fixture, counts) = try counted(engine)
        let context = ObjectContext(fixture.store)
        let accounts = (1...1_000).map { Account(id: $0, name: "\($0)") }
        let players = (1...1_000).map { Player(name: "\($0)") }
        try context.insert(accounts as [any LiveModel])
        try context.insert(players as [any LiveModel])
        counts.reset()
        try context.save()
        #expect(counts[.insert] == 2_000 && counts[.put] == 0)
        #expect(counts[.get] == 0 && counts[.getOfMany] == 0 && counts[.refusedInsert] == 0)

        for account in accounts { account.balance = 1 }
        for player in players { player.goals = 1 }
        counts.reset()
        #expect(try context.save().updatedCount == 2_000)
        #expect(counts[.commit] == 1 && counts[.read] == 0)
        #expect(counts[.getOfMany] == 2_000 && counts[.get] == 0)
        #expect(counts[.put] == 2_000 && counts[.insert] == 0 && counts[.refusedInsert] == 0)
        #expect(try fixture.store.fetch(Account.self).sum(\.balance) == 1_000)
        #expect(try fixture.store.fetch(Account.self).where { $0.balance == 1 }.count() == 1_000)
        #expect(try fixture.store.verify().isSound)

        // What is inserted is an insertion, what is changed a change, in one save.
        for account in accounts.prefix(10) { account.balance = 2 }
        try context.insert((2_001...2_010).map { Account(id: $0, name: "\($0)") } as [any LiveModel])
        counts.reset()
        let summary = try context.save()
        #expect(summary.updatedCount == 10 && summary.insertedCount == 10)
        #expect(counts[.getOfMany] == 10 && counts[.put] == 10 && counts[.insert] == 10 && counts[.refusedInsert] == 0 && counts[.get] == 0)
    }

    /// New objects are compared with pending ones in memory, however many these are.
    @Test(arguments: Engine.allCases) func objectsThatAreThereAreFoundWithoutWriting(_ engine: Engine) throws {
        let (fixture, counts) = try counted(engine)
        try fixture.fill(1, 2, 3)
        let context = ObjectContext(fixture.store)
        try context.insert((10..<110).map { Account(id: $0, name: "new \($0)") })
        counts.reset()
        for id in 10..<60 { #expect(try context.fetchOrInsert(Account(id: id + 1_000, name: "new \(id)")).id == id) }
        for id in 60..<70 { #expect(try context.upsert(Account(id: id + 1_000, name: "new \(id)", balance: 5)).id == id) }
        #expect(counts[.read] == 60 && counts[.insert] == 0 && counts[.put] == 0)
        #expect(context.insertedObjects.count == 100)
        // Many are looked up in one read.
        counts.reset()
        let found = try context.fetchOrInsert((1...3).map { Account(id: $0 + 2_000, name: "account \($0)") })
        #expect(found.map(\.id) == [1, 2, 3] && counts[.read] == 1 && context.changedObjects.isEmpty)
        withExtendedLifetime((fixture, context)) {}
    }

    /// What a policy settles is written over the record that was read to settle it.
    @Test(arguments: Engine.allCases) func aSettledConflictIsReadOnce(_ engine: Engine) throws {
        let (fixture, counts) = try counted(engine)
        try fixture.fill(10, 20, 30)
        let context = ObjectContext(fixture.store, options: ContextOptions(mergePolicy: .byProperty))
        let accounts = try context.fetch(Account.self).all()
        try fixture.store.write { transaction in
            try transaction.save(Account(id: 1, name: "renamed", balance: 10))
            try transaction.delete(Account.self, id: 2)
        }
        for account in accounts { account.balance += 1 }
        counts.reset()
        try context.save()
        #expect(counts[.getOfMany] == 3 && counts[.get] == 0 && counts[.put] == 2 && counts[.insert] == 1)
        #expect(accounts[0].name == "renamed" && accounts[0].balance == 11)
        #expect(try fixture.store.fetch(Account.self).all().map(\.balance) == [11, 21, 31])
        #expect(try fixture.store.fetch(Account.self).where { $0.name == "renamed" }.count() == 1)
        #expect(try fixture.store.verify().isSound)
    }
}
