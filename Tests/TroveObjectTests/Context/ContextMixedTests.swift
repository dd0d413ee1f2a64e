import TestSupport
import Testing
import Trove

/// Objects of several classes in one call.
@Suite struct ContextMixedTests {
    @Test(arguments: Engine.allCases) func insertsAndDeletesObjectsOfSeveralClasses(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        let context = ObjectContext(fixture.store)
        let (team, player) = (Team(name: "Reds"), Player(name: "Ada"))
        try context.insert([team, player])
        try context.save()
        #expect(try fixture.store.fetch(Team.self).count() == 1)
        #expect(try fixture.store.fetch(Player.self).count() == 1)
        try context.delete([player, team])
        try context.save()
        #expect(try fixture.store.fetch(Team.self).count() == 0)
        #expect(try fixture.store.fetch(Player.self).count() == 0)
    }

    /// A sequence that is no array, of one class.
    @Test(arguments: Engine.allCases) func insertsAnySequence(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        let context = ObjectContext(fixture.store)
        try context.insert((0..<5).lazy.map { Player(name: "player \($0)") })
        try context.save()
        #expect(try fixture.store.fetch(Player.self).count() == 5)
    }
}
