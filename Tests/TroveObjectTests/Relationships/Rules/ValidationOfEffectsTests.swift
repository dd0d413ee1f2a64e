import TestSupport
import Testing
import Trove

/// Objects that judge themselves are asked about what follows from the changes of others, too: inverses and delete rules.
@Suite struct ValidationOfEffectsTests {
    fileprivate struct Invalid: Error, Equatable { let name: String }

    @Model("Team") fileprivate struct Team: ValidatedModel, Equatable {
        let id: Int
        @Relationship(inverse: \Player.team) var players: [Reference<Player>] = []

        func validate() throws { if players.count > 2 { throw Invalid(name: "team \(id)") } }
    }

    @Model("Player") fileprivate struct Player: ValidatedModel, Equatable {
        let id: Int
        var isCaptain = false
        @Relationship var team: Reference<Team>?

        func validate() throws { if isCaptain, team == nil { throw Invalid(name: "player \(id)") } }
    }

    private static func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Team.self, Player.self) }
        try fixture.store.write { transaction in
            try transaction.save([Team(id: 1), Team(id: 2)])
            try transaction.save([Player(id: 1, isCaptain: true, team: Reference(id: 1)), Player(id: 2, team: Reference(id: 1)), Player(id: 3, team: Reference(id: 2))])
        }
        return fixture
    }

    private static func players(_ store: ObjectStore) throws -> [Int: Int?] {
        Dictionary(uniqueKeysWithValues: try store.fetch(Player.self).all().map { ($0.id, $0.team?.id) })
    }

    @Test(arguments: Engine.allCases) func theOtherSideIsJudged(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        #expect(throws: Invalid(name: "team 1")) { try store.save(Player(id: 3, team: Reference(id: 1))) }
        #expect(throws: Invalid(name: "team 1")) { try store.insert(Player(id: 4, team: Reference(id: 1))) }
        #expect(try Self.players(store) == [1: 1, 2: 1, 3: 2])
        #expect(try store.fetch(Team.self, id: 1)?.players.map(\.id) == [1, 2])
        try store.save(Player(id: 2, team: Reference(id: 2)))
        #expect(try store.fetch(Team.self, id: 2)?.players.map(\.id) == [3, 2])
        #expect(try store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func whatADeleteRuleLeavesIsJudged(engine: Engine) throws {
        let fixture = try Self.fixture(engine)
        let store = fixture.store
        #expect(throws: Invalid(name: "player 1")) { try store.delete(Team.self, id: 1) }
        #expect(try Self.players(store) == [1: 1, 2: 1, 3: 2])
        #expect(try store.fetch(Team.self).ids().sorted() == [1, 2])
        #expect(try store.delete(Team.self, id: 2))
        #expect(try Self.players(store) == [1: 1, 2: 1, 3: nil])
        // One that goes itself is not asked.
        #expect(try store.delete(Player.self, id: 1))
        #expect(try store.delete(Team.self, id: 1))
        #expect(try Self.players(store) == [2: nil, 3: nil])
        #expect(try store.verify().isSound)
    }

    // MARK: Contexts

    @Model("Page") fileprivate final class Page {
        var number: Int

        init(number: Int) { self.number = number }
    }

    @Model("Draft") fileprivate final class Draft: ValidatedModel {
        var title: String
        @Relationship(deleteRule: .cascade) var pages: [Page] = []

        init(title: String) { self.title = title }

        func validate() throws { if title.isEmpty { throw Invalid(name: "draft") } }
    }

    /// A save stores what was inserted and deleted again for its rules alone.
    @Test(arguments: Engine.allCases) func whatDoesNotStayIsNotJudged(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Draft.self, Page.self) }
        let context = ObjectContext(fixture.store)
        let page = Page(number: 1)
        try context.insert(page)
        try context.save()
        let draft = Draft(title: "")
        try context.insert(draft)
        draft.pages = [page]
        try context.delete(draft)
        try context.save()
        #expect(try fixture.store.fetch(Draft.self).count() == 0)
        #expect(try fixture.store.fetch(Page.self).count() == 0)
        #expect(try fixture.store.verify().isSound)
    }

    @Model("Sketch") fileprivate final class Sketch: ValidatedModel {
        var title: String
        var size = 0

        init(title: String) { self.title = title }

        /// Refuses copies, which are in no context.
        func validate() throws { if modelContext == nil { throw Invalid(name: title) } }
    }

    /// A save asks the objects themselves, and copies of what it stores otherwise.
    @Test(arguments: Engine.allCases) func aSaveAsksTheObjectsThemselves(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Sketch.self) }
        let context = ObjectContext(fixture.store, options: .init(mergePolicy: .byProperty))
        let sketch = Sketch(title: "new")
        try context.insert(sketch)
        try context.save()
        sketch.title = "changed"
        try context.save()
        #expect(throws: Invalid(name: "else")) { try fixture.store.fetch(Sketch.self).update(\.title, to: "else") }
        let other = ObjectContext(fixture.store)
        let same = try #require(try other.fetch(Sketch.self).first())
        same.size = 5
        try other.save()
        sketch.title = "merged"
        #expect(throws: Invalid(name: "merged")) { try context.save() }
        #expect(try fixture.store.fetch(Sketch.self).all().map(\.title) == ["changed"])
    }

    private enum Strictness { @TaskLocal static var isOn = false }

    @Model("Crew") fileprivate final class Crew {
        var name: String
        @Relationship(inverse: \Sailor.crew) var sailors: [Sailor] = []

        init(name: String) { self.name = name }
    }

    @Model("Sailor") fileprivate final class Sailor: ValidatedModel {
        var name: String
        var isRetired = false
        @Relationship var crew: Crew?

        init(name: String) { self.name = name }

        func validate() throws { if Strictness.isOn, isRetired { throw Invalid(name: name) } }
    }

    /// With undo, a rule's work is done to the objects when the step ends: by the save, after it has asked those that were pending.
    @Test(arguments: Engine.allCases, [UndoLimit.none, .unlimited]) func whatARuleChangesIsJudgedWithUndoToo(engine: Engine, undo: UndoLimit) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Crew.self, Sailor.self) }
        let context = ObjectContext(fixture.store, options: .init(undo: undo))
        let crew = Crew(name: "crew"), sailor = Sailor(name: "sailor")
        sailor.isRetired = true
        crew.sailors = [sailor]
        try context.insert(crew)
        try context.save()
        try context.delete(crew)
        #expect(throws: Invalid(name: "sailor")) { try Strictness.$isOn.withValue(true) { _ = try context.save() } }
        #expect(try fixture.store.fetch(Crew.self).count() == 1)
        try context.save()
        #expect(try fixture.store.fetch(Crew.self).count() == 0)
        #expect(sailor.crew == nil)
    }
}
