import Synchronization
import TestSupport
import Testing

@testable import Trove

/// Changes of objects that nothing stores any more: they are told, and hurt nobody else.
@Suite struct ContextGoneTests {
    private func isLost(_ error: (any Error)?, _ id: String) -> Bool {
        if case TroveError.changeLost(model: "Account", id: id, _)? = error { true } else { false }
    }

    @Test(arguments: Engine.allCases) func aLateChangeOfADeletedObjectLeavesTheOthersAlone(_ engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(10, 20)
        let told = Mutex<[String]>([])
        let context = ObjectContext(fixture.store, options: ContextOptions(onError: { error in told.withLock { $0.append("\(error)") } }))
        let accounts = try context.fetch(Account.self).all()
        try context.delete(accounts[0])
        try context.save()
        accounts[0].balance = 1
        accounts[1].balance = 21
        #expect(try context.save().updatedCount == 1)
        #expect(try fixture.store.fetch(Account.self).all().map(\.balance) == [21])
        #expect(context.faultErrors.count == 1 && isLost(context.faultErrors.first, "1"))
        // Each is told.
        accounts[0].balance = 2
        #expect(context.faultErrors.count == 2)
        context.queue.sync {}
        #expect(told.withLock { $0.count } == 2)
        #expect(told.withLock { $0.allSatisfy { $0.contains("deleted") && !$0.contains("insert it, or fetch") } })
        // Inserted again it is an object like others.
        try context.insert(accounts[0])
        accounts[0].balance = 3
        try context.save()
        #expect(try fixture.store.fetch(Account.self).all().map(\.balance) == [3, 21])
        #expect(context.faultErrors.count == 2)
    }

    @Test(arguments: Engine.allCases) func aLateChangeAfterAResetIsTold(_ engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(10, 20)
        let context = ObjectContext(fixture.store)
        let old = try context.fetch(Account.self).all()
        let new = Account(id: 7, name: "new")
        try context.insert(new)
        try context.reset()
        let same = try #require(try context.fetch(Account.self, id: 2))
        old[0].balance = 1
        new.balance = 1
        same.balance = 22
        #expect(context.faultErrors.count == 2 && isLost(context.faultErrors[0], "1") && isLost(context.faultErrors[1], "7"))
        #expect(context.faultErrors.allSatisfy { "\($0)".contains("reset") })
        #expect(try context.save().updatedCount == 1)
        #expect(try fixture.store.fetch(Account.self).all().map(\.balance) == [10, 22])
        try context.insert(new)
        try context.save()
        #expect(try fixture.store.fetch(Account.self).all().map(\.balance) == [10, 22, 1])
    }

    /// A relationship of a deleted object pointed its new target back at a record that was gone.
    @Test(arguments: Engine.allCases) func aRelationshipOfADeletedObjectChangesNobody(_ engine: Engine) throws {
        let fixture = try liveFixture(engine)
        let context = ObjectContext(fixture.store)
        let (team, player) = (Team(name: "A"), Player(name: "1"))
        try context.insert(team)
        try context.insert(player)
        try context.save()
        try context.delete(team)
        try context.save()
        let other = Player(name: "2")
        team.players = [player, other]
        team.players.append(player)
        #expect(player.team == nil && other.team == nil)
        #expect(!context.hasChanges)
        #expect(context.faultErrors.count == 2)
        player.goals = 1
        try context.save()
        #expect(try fixture.store.fetch(Player.self).count() == 1)
        #expect(try fixture.store.verify().isSound)
        // The other way round it is a change of the player, and refused.
        player.team = team
        #expect {
            try context.save()
        } throws: { error in
            if case TroveError.notInContext(model: "Team", _) = error { true } else { false }
        }
    }

    /// One whose insertion was taken back was not brought in again: what referred to it was stored with a reference to nothing.
    @Test(arguments: Engine.allCases) func whatLeftComesBackByARelationship(_ engine: Engine) throws {
        let fixture = try liveFixture(engine)
        let context = ObjectContext(fixture.store)
        let (team, player) = (Team(name: "A"), Player(name: "1"))
        try context.insert(team)
        try context.insert(player)
        try context.delete(player)
        team.players = [player]
        try context.save()
        #expect(try fixture.store.fetch(Player.self).all().map { $0.name } == ["1"])
        #expect(try fixture.store.verify().danglingReferenceCount == 0)
    }
}
