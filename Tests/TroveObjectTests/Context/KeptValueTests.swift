import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// What properties keep by their options holds in every kind of save of a live object, and what a fetch shows of pending changes is what the save stores.
@Suite struct KeptValueTests {
    @Model final class Person {
        let id: Int
        @Attribute(.writeOnce) var born: Int?
        @Attribute(.keepIfNil) var note: String?
        var plays = 0
        @Attribute(.creationDate) var created: Date?
        @Attribute(.modificationDate) var modified: Date?

        init(id: Int, born: Int? = nil, note: String? = nil) {
            self.id = id
            self.born = born
            self.note = note
        }
    }

    /// A store with one person, of the date that the clock has, which then goes on.
    private static func fixture(_ engine: Engine) throws -> (fixture: StoreFixture, clock: HandClock, created: Date) {
        let clock = HandClock()
        let fixture = try StoreFixture(engine) {
            let store = try ObjectStore($0, durability: .relaxed, models: Person.self)
            store.clock = { clock.now }
            return store
        }
        let context = ObjectContext(fixture.store)
        try context.insert(Person(id: 1, born: 1929, note: "piano"))
        try context.save()
        let created = clock.now
        clock.advance()
        return (fixture, clock, created)
    }

    private static let policies: [MergePolicy] = [
        .objectWins, .byProperty, .custom { _ in .objectWins }, .custom { conflict in conflict.object.map { .use($0) } ?? .fail },
    ]

    @Test(arguments: Engine.allCases) func conflictsKeepThem(engine: Engine) throws {
        for policy in Self.policies {
            let (fixture, _, created) = try Self.fixture(engine)
            let (mine, theirs) = (ObjectContext(fixture.store, options: ContextOptions(mergePolicy: policy)), ObjectContext(fixture.store))
            let (person, same) = (try #require(try mine.fetch(Person.self, id: 1)), try #require(try theirs.fetch(Person.self, id: 1)))
            same.plays = 5
            try theirs.save()
            (person.born, person.note, person.plays) = (2000, nil, 7)
            try mine.save()
            for context in [mine, ObjectContext(fixture.store)] {
                let stored = try #require(try context.fetch(Person.self, id: 1))
                #expect(stored.born == 1929 && stored.note == "piano" && stored.plays == 7 && stored.created == created, "\(policy)")
            }
            #expect(try fixture.store.verify().isSound)
        }
    }

    @Test(arguments: Engine.allCases) func insertionsUnderATakenIDKeepThem(engine: Engine) throws {
        for policy in Self.policies {
            let (fixture, _, created) = try Self.fixture(engine)
            let context = ObjectContext(fixture.store, options: ContextOptions(mergePolicy: policy))
            let new = Person(id: 1, born: 2000)
            new.plays = 3
            try context.insert(new)
            try context.save()
            for context in [context, ObjectContext(fixture.store)] {
                let stored = try #require(try context.fetch(Person.self, id: 1))
                #expect(stored.born == 1929 && stored.note == "piano" && stored.plays == 3 && stored.created == created, "\(policy)")
            }
        }
    }

    /// A step that has ended is shown as one that has not.
    @Test(arguments: Engine.allCases) func fetchesShowWhatASaveStoresOfSteps(engine: Engine) throws {
        let (fixture, _, _) = try Self.fixture(engine)
        let context = ObjectContext(fixture.store, options: ContextOptions(undo: .unlimited))
        let person = try #require(try context.fetch(Person.self, id: 1))
        context.undoGroup("change") { (person.born, person.note, person.plays) = (2000, nil, 7) }
        func expectStored() throws {
            #expect(try context.fetch(Person.self).where { $0.born == 2000 }.count() == 0)
            #expect(try context.fetch(Person.self).where { $0.born == 1929 && $0.note == "piano" && $0.plays == 7 }.count() == 1)
        }
        try expectStored()
        try context.save()
        try expectStored()
        #expect(person.born == 1929 && person.note == "piano" && person.plays == 7)
        try context.undo()
        #expect(person.plays == 0)
        try context.save()
        #expect(try ObjectContext(fixture.store).fetch(Person.self).where { $0.plays == 0 && $0.born == 1929 }.count() == 1)
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func fetchesShowWhatASaveStores(engine: Engine) throws {
        let (fixture, _, _) = try Self.fixture(engine)
        let context = ObjectContext(fixture.store)
        let person = try #require(try context.fetch(Person.self, id: 1))
        (person.born, person.note, person.plays) = (2000, nil, 9)
        func counts() throws -> [Int] {
            [
                try context.fetch(Person.self).where { $0.born == 2000 }.count(), try context.fetch(Person.self).where { $0.born == 1929 }.count(),
                try context.fetch(Person.self).where { $0.note == nil }.count(), try context.fetch(Person.self).where { $0.plays == 9 }.count(),
            ]
        }
        #expect(try counts() == [0, 1, 0, 1])
        #expect(context.hasChanges)
        try context.save()
        #expect(try counts() == [0, 1, 0, 1])
    }

    @Model final class Album {
        let id: Int
        @Attribute(.creationDate) var created: Date?
        @Relationship(deleteRule: .cascade) var tracks: [Track] = []

        init(id: Int) { self.id = id }
    }

    @Model final class Track {
        let id: Int

        init(id: Int) { self.id = id }
    }

    /// What a step added and the next one took out again leaves the record as it is stored, and yet is to be written, so that rules see it.
    @Test(arguments: Engine.allCases) func stepsThatCancelOutLeaveNoOrphan(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Album.self, Track.self) }
        let context = ObjectContext(fixture.store, options: ContextOptions(undo: .unlimited))
        let album = Album(id: 1)
        try context.insert(album)
        try context.save()
        context.undoGroup("add") { album.tracks = [Track(id: 1)] }
        context.undoGroup("take out") { album.tracks = [] }
        #expect(try context.fetch(Track.self).count() == 0)
        try context.save()
        #expect(try fixture.store.fetch(Track.self).count() == 0)
        #expect(try fixture.store.verify().isSound)
        try context.undo()
        #expect(album.tracks.map(\.id) == [1])
        try context.save()
        #expect(try fixture.store.fetch(Track.self).count() == 1)
    }

    @Test(arguments: Engine.allCases) func aChangeThatIsKeptAwayIsNone(engine: Engine) throws {
        let (fixture, clock, created) = try Self.fixture(engine)
        let context = ObjectContext(fixture.store)
        let person = try #require(try context.fetch(Person.self, id: 1))
        person.born = 2000
        #expect(try context.save().updatedCount == 0)
        #expect(person.born == 1929 && person.modified == created && !context.hasChanges)
        let later = clock.advance()
        (person.born, person.plays) = (2000, 1)
        #expect(try context.save().updatedCount == 1)
        #expect(person.born == 1929 && person.modified == later)
    }
}

/// A relationship that keeps what was stored first, with an inverse: an assignment changes the list on the other side too, and what a list says is done to its members.
@Suite struct KeptRelationshipTests {
    @Model final class Shelf {
        let id: Int
        @Relationship(inverse: \Volume.shelf) var volumes: [Volume] = []

        init(id: Int) { self.id = id }
    }

    @Model final class Volume {
        let id: Int
        @Relationship @Attribute(.writeOnce) var shelf: Shelf?
        var title = ""

        init(id: Int, shelf: Shelf?) {
            self.id = id
            self.shelf = shelf
        }
    }

    /// With undo or without, after one step or two, a fetch shows what the save stores, and both sides agree.
    @Test(arguments: Engine.allCases, 0...2) func bothSidesAgree(engine: Engine, steps: Int) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Shelf.self, Volume.self) }
        let first = ObjectContext(fixture.store)
        let (one, two) = (Shelf(id: 1), Shelf(id: 2))
        try first.insert([one, two])
        try first.insert(Volume(id: 7, shelf: one))
        try first.save()
        let context = ObjectContext(fixture.store, options: ContextOptions(undo: steps == 0 ? .none : .unlimited))
        let volume = try #require(try context.fetch(Volume.self, id: 7))
        let other = try #require(try context.fetch(Shelf.self, id: 2))
        if steps == 0 { volume.shelf = other } else { context.undoGroup("Move") { volume.shelf = other } }
        if steps == 2 { context.undoGroup("Name") { volume.title = "named" } }
        #expect(try context.fetch(Volume.self).where { $0.shelf.id == 2 }.count() == 1)
        try context.save()
        for context in [context, ObjectContext(fixture.store)] {
            #expect(try context.fetch(Volume.self, id: 7)?.shelf?.id == 2)
            #expect(try context.fetch(Shelf.self, id: 1)?.volumes.isEmpty == true)
            #expect(try context.fetch(Shelf.self, id: 2)?.volumes.map(\.id) == [7])
            withExtendedLifetime(context) {}
        }
        #expect(try fixture.store.verify().isSound)
    }
}
