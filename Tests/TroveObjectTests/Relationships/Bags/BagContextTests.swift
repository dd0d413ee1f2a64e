import TestSupport
import Testing
import Trove

@testable import TestModels

/// Bags of live objects and values together, made in a context and got from one.
@Suite struct BagContextTests {
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: Team.self, Player.self, Song.self) }
    }

    @Test(arguments: Engine.allCases) func membersAreTheContextsObjects(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let team = Team(name: "one")
        let player = Player(name: "p")
        team.players = [player]
        let waiting = Team(name: "two")
        try context.insert(waiting)
        let song = Song.sample(1)
        let bag = Bag(named: "bag", in: context)
        bag.add(contentsOf: [team, song])
        bag.add(Reference(waiting))
        // A detached object comes into the context with all it refers to, and the context is saved with the bag.
        try bag.save()
        #expect(!bag.hasUnsavedChanges && !context.hasChanges)
        #expect(try fixture.store.fetch(Player.self).count() == 1)
        let found = try #require(try context.bag(named: "bag"))
        #expect(try found.objects(of: Team.self).map { ObjectIdentifier($0) } == [team, waiting].map { ObjectIdentifier($0) })
        try found.inflate()
        #expect(try found.objects(of: Team.self).first === team)
        #expect(try found.objects(of: Song.self) == [song])
        #expect(try context.bags(containing: team).map(\.id) == [bag.id])
        #expect(try found.fetch(Team.self).where { $0.name == "two" }.first() === waiting)
        // Without the context they are other objects.
        let plain = try #require(try fixture.store.bag(named: "bag")?.objects(of: Team.self))
        #expect(plain.map(\.name) == ["one", "two"] && plain[0] !== team)
    }

    @Model final class Concert {
        let id: Int
        @Relationship(inverse: \Ticket.concert) var tickets: [Ticket] = []

        init(id: Int) { self.id = id }
    }

    @Model final class Ticket {
        let id: Int
        @Attribute(.unique) var code: String
        @Relationship var concert: Concert?

        init(id: Int, code: String, concert: Concert? = nil) {
            self.id = id
            self.code = code
            self.concert = concert
        }
    }

    /// A save that fails leaves the context without what the bag would have brought into it.
    @Test(arguments: Engine.allCases) func whatFailsStaysOutOfTheContext(engine: Engine) async throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Ticket.self, Concert.self) }
        let context = ObjectContext(fixture.store)
        let known = Ticket(id: 1, code: "1")
        try context.insert(known)
        try await context.save()
        let new = Ticket(id: 2, code: "1")
        let bag = Bag(named: "bag", in: context)
        bag.add(new)
        #expect(throws: TroveError.self) { try bag.save() as Void }
        #expect(!context.hasChanges && bag.hasUnsavedChanges)
        await #expect(throws: TroveError.self) { try await bag.save() }
        #expect(!context.hasChanges && bag.hasUnsavedChanges)
        new.code = "2"
        try await bag.save()
        #expect(try await fixture.store.fetch(Ticket.self).ids() == [1, 2])
        #expect(try await bag.objects(of: Ticket.self) == [new])
    }

    /// As into a bag of the store.
    @Test(arguments: Engine.allCases) func newMembersComeInTheirOrder(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Ticket.self, Concert.self) }
        let context = ObjectContext(fixture.store)
        let concert = Concert(id: 1)
        try context.insert(concert)
        let bag = Bag(in: context)
        let order = [3, 8, 1, 6, 2, 7, 5, 4]
        for id in order { bag.add(Ticket(id: id, code: "\(id)", concert: concert)) }
        try bag.save()
        #expect(concert.tickets.map(\.id) == order)
        let other = ObjectContext(fixture.store)
        #expect(try other.fetch(Concert.self, id: 1)?.tickets.map(\.id) == order)
    }

    /// What points at such a member of the context's objects goes with it; in a context with undo it is a step to undo.
    @Test(arguments: Engine.allCases, [UndoLimit.none, .unlimited]) func whatFailsLeavesNoReference(engine: Engine, undo: UndoLimit) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Ticket.self, Concert.self) }
        let context = ObjectContext(fixture.store, options: ContextOptions(undo: undo))
        let concert = Concert(id: 1)
        try context.insert([Ticket(id: 1, code: "1", concert: concert)])
        try context.save()
        let bag = Bag(named: "bag", in: context)
        bag.add(Ticket(id: 2, code: "1", concert: concert))
        #expect(throws: TroveError.self) { try bag.save() }
        if undo != .none {
            #expect(context.insertedObjects.count == 1)
            try context.undo()
        }
        #expect(context.insertedObjects.isEmpty)
        try context.save()
        #expect(try fixture.store.fetch(Ticket.self).ids() == [1])
        #expect(concert.tickets.map(\.id) == [1])
        let other = ObjectContext(fixture.store)
        #expect(try other.fetch(Concert.self, id: 1)?.tickets.count == 1)
        #expect(try fixture.store.danglingReferences().isEmpty && fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func pendingChangesShowAndFailuresKeepThem(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let teams = ["a", "b", "c"].map { Team(name: $0) }
        let bag = Bag(named: "bag", in: context)
        bag.add(contentsOf: teams)
        try bag.save()
        try context.delete(teams[1])
        #expect(try context.bag(named: "bag")?.count == 2)
        #expect(try context.saved.bag(named: "bag")?.count == 3)
        #expect(try bag.fetch(Team.self).count() == 2)
        let other = Bag(named: "bag", in: context)
        other.add(Team(name: "d"))
        #expect(refusal { try other.save() } == "taken bag")
        #expect(context.hasChanges && other.hasUnsavedChanges)
        #expect(try fixture.store.fetch(Team.self).count() == 3)
        other.name = "other"
        try other.save()
        #expect(try fixture.store.fetch(Team.self).count() == 3)
        #expect(try fixture.store.bag(named: "bag")?.count == 2)
        try bag.refresh()
        #expect(try bag.objects(of: Team.self).map(\.name) == ["a", "c"])
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func anObjectThatIsNewInAContext(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let team = Team(name: "new")
        try context.insert(team)
        let bag = Bag(in: fixture.store)
        bag.add(team)
        #expect(throws: TroveError.self) { try bag.save() }
        #expect(try fixture.store.bags().isEmpty)
        try context.save()
        try bag.save()
        #expect(try fixture.store.bags(containing: team).map(\.id) == [bag.id])
        let other = Bag(in: fixture.store)
        other.add(team)
        try context.delete(team)
        try context.save()
        #expect { try other.save() } throws: {
            if case TroveError.contextMisuse(let reason) = $0 { reason.hasSuffix("remove it from the bag when it is deleted") } else { false }
        }
    }

    @Test(arguments: Engine.allCases) func asynchronously(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let team = Team(name: "async")
        let bag = Bag(named: "bag", in: context)
        bag.add(team)
        try await bag.save()
        try await bag.inflate()
        #expect(try await bag.objects(of: Team.self).first === team)
    }

    /// It is stored, and in no context.
    @Test(arguments: Engine.allCases) func whatAStoreGaveIsAMemberAsItIsStored(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        try fixture.fill(1, 2)
        let context = ObjectContext(fixture.store)
        let known = try #require(try context.fetch(Account.self, id: 1))
        let given = try fixture.store.fetch(Account.self).all()
        given[1].balance = 7
        let bag = Bag(named: "bag", in: context)
        bag.add(contentsOf: given)
        try bag.save()
        #expect(!context.hasChanges && !bag.hasUnsavedChanges)
        let accounts = try bag.objects(of: Account.self)
        #expect(accounts.map(\.balance) == [1, 2] && accounts.first === known)
        // As a new one with the id of a pending deletion.
        try context.delete(known)
        let other = Bag(in: context)
        other.add(given[0])
        #expect { try other.save() } throws: { if case TroveError.deletionNotSaved = $0 { true } else { false } }
    }

    /// It would not come into the context any more.
    @Test(arguments: Engine.allCases) func whatIsAddedDuringASaveWaitsForTheNext(engine: Engine) throws {
        let fixture = try liveFixture(engine)
        let context = ObjectContext(fixture.store)
        let (first, late) = (Account(id: 1, name: "first"), Account(id: 2, name: "late"))
        let bag = Bag(named: "bag", in: context)
        bag.add(first)
        first.hooks.willSave = { _ in bag.insert(late, at: 0) }
        try bag.save()
        #expect(bag.unsavedMembers == [AnyReference(late)] && bag.savedCount == 1)
        #expect(try fixture.store.fetch(Account.self).ids() == [1])
        first.hooks.willSave = nil
        try bag.save()
        #expect(late.modelContext === context && !bag.hasUnsavedChanges && !context.hasChanges)
        #expect(bag.members == [AnyReference(late), AnyReference(first)])
        #expect(try fixture.store.bag(named: "bag")?.members == bag.members)
    }

    /// As a stored bag loses its deleted members.
    @Test(arguments: Engine.allCases, [true, false]) func aNewMemberThatIsDeletedIsLeftOut(engine: Engine, isSaved: Bool) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let (kept, deleted) = (Team(name: "kept"), Team(name: "deleted"))
        try context.insert([kept, deleted])
        try context.save()
        let bag = Bag(named: "bag", in: context)
        bag.add(contentsOf: [kept, deleted])
        try context.delete(deleted)
        if isSaved { try context.save() }
        try bag.save()
        #expect(bag.members == [AnyReference(kept)] && !bag.hasUnsavedChanges)
        #expect(try fixture.store.bag(named: "bag")?.members == [AnyReference(kept)])
        #expect(try fixture.store.fetch(Team.self).count() == 1)
        #expect(try fixture.store.verify().isSound)
    }

    /// So are those that a rule deletes with the same save, that others have deleted, and whose deletion wins a conflict.
    @Test(arguments: Engine.allCases, [UndoLimit.none, .unlimited]) func newMembersThatOthersDeleteAreLeftOut(engine: Engine, undo: UndoLimit) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: UndoShelf.self, UndoBook.self, UndoTag.self) }
        let context = ObjectContext(fixture.store, options: ContextOptions(mergePolicy: .storeWins, undo: undo))
        let (shelf, book, tags) = (UndoShelf(name: "shelf"), UndoBook(title: "owned"), ["kept", "clean", "changed"].map { UndoTag(name: $0) })
        shelf.books = [book]
        try context.insert(shelf)
        try context.insert(tags)
        try context.save()
        let bag = Bag(named: "bag", in: context)
        bag.add(contentsOf: [book, tags[0], tags[1], tags[2]])
        try context.delete(shelf)
        for tag in tags[1...] { try fixture.store.delete(UndoTag.self, id: tag.id) }
        tags[2].name = "new"
        try bag.save()
        #expect(bag.members == [AnyReference(tags[0])] && !bag.hasUnsavedChanges && !context.hasChanges)
        #expect(try fixture.store.bag(named: "bag")?.members == bag.members)
        #expect(try fixture.store.verify().isSound)
    }
}
