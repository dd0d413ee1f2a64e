import Foundation
import Observation
import TestSupport
import Testing

@testable import Trove

/// Models that inherit an abstract one: its properties are theirs in all that a context and a store do.
@Suite struct AbstractModelTests {
    @Test(arguments: Engine.allCases) func inheritedPropertiesAreStored(engine: Engine) throws {
        let fixture = try sharedMediaFixture(engine)
        let context = ObjectContext(fixture.store)
        let owner = SharedOwner(name: "Ada")
        let song = SharedSong(title: "So What", year: 1959, isLive: true)
        (song.source, song.owner, song.admirer, song.seconds, song.plays, song.tags) = ("tape", owner, owner, 545, 3, ["jazz"])
        let film = SharedFilm(title: "Tosca")
        (film.length, film.cast, film.owner) = (2.5, [owner], owner)
        try context.insert([song, film, SharedThing(title: "stone", year: -4)])
        try context.save()
        try fixture.reopenStore()

        let other = ObjectContext(fixture.store)
        let read = try #require(try other.fetch(SharedSong.self).first())
        #expect(read.id == song.id && read.title == "So What" && read.year == 1959 && read.source == "tape" && read.made == song.made)
        #expect(read.seconds == 545 && read.tags == ["jazz"] && read.plays == 3 && read.isLive && !read.isSelected)
        #expect(read.owner?.name == "Ada" && read.admirer?.favourites.map(\.title) == ["So What"])
        let readFilm = try #require(try other.fetch(SharedFilm.self).first())
        #expect(readFilm.title == "Tosca" && readFilm.year == nil && readFilm.length == 2.5 && readFilm.cast.map(\.name) == ["Ada"] && readFilm.owner === read.owner)
        #expect(try other.fetch(SharedThing.self).first()?.year == -4)
        #expect(SharedSong.schema.fields.map(\.name) == ["title", "year", "source", "owner", "made", "seconds", "tags", "plays", "admirer", "isLive"])
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func inheritedPropertiesAreChanged(engine: Engine) throws {
        let fixture = try sharedMediaFixture(engine)
        let context = ObjectContext(fixture.store, options: ContextOptions(undo: .unlimited))
        let (owner, song) = (SharedOwner(name: "Ada"), SharedSong(title: "1", year: 1))
        song.source = "first"
        try context.insert([song, owner] as [any LiveModel])
        try context.save()
        #expect(!context.hasChanges)

        song.title = "2"
        song.owner = owner
        song.seconds = 2
        song.plays = 2
        song.source = "second"
        #expect(context.hasChanges)
        #expect(try context.originalValue(\.title, of: song) == "1")
        #expect(try context.originalValue(\.plays, of: song) == 0)
        try context.revert(\.seconds, of: song)
        #expect(song.seconds == 0 && song.title == "2")
        // Queries see what is pending.
        #expect(try context.fetch(SharedSong.self).where { $0.title == "2" && $0.plays == 2 }.count() == 1)
        try context.save()
        #expect(song.source == "first", "it is written once")

        try context.undo()
        #expect(song.title == "1" && song.plays == 0 && song.owner == nil)
        try context.redo()
        #expect(song.title == "2" && song.plays == 2 && song.owner === owner)
        try context.save()
        try context.delete(owner)
        try context.save()
        #expect(song.owner == nil)
        song.title = ""
        #expect(throws: SharedMistake.self) { try context.save() }
        try context.rollback()
        #expect(song.title == "2")
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func conflictsAreSettledByProperty(engine: Engine) throws {
        let fixture = try sharedMediaFixture(engine)
        let options = ContextOptions(mergePolicy: .byProperty, mergesChangesAutomatically: false)
        let (one, two) = (ObjectContext(fixture.store, options: options), ObjectContext(fixture.store, options: options))
        let song = SharedSong(title: "1", year: 1)
        try one.insert(song)
        try one.save()
        let same = try #require(try two.fetch(SharedSong.self).first())
        song.title = "mine"
        same.year = 2
        same.plays = 5
        try two.save()
        try one.save()
        try two.refresh(same)
        #expect(same.title == "mine" && same.year == 2 && same.plays == 5)
    }

    /// What is inherited is told under the superclass's key path, also when no accessor changed it.
    @Test func changesAreObserved() throws {
        let fixture = try sharedMediaFixture(.memory)
        let (context, other) = (ObjectContext(fixture.store), ObjectContext(fixture.store))
        let song = SharedSong(title: "1")
        try context.insert(song)
        try context.save()
        let same = try #require(try other.fetch(SharedSong.self).first())
        func notices(_ read: () -> Void, _ change: () throws -> Void) throws -> Bool {
            let told = Told()
            withObservationTracking(read) { told.isTold = true }
            try change()
            return told.isTold
        }
        #expect(try notices { _ = song.title } _: { song.title = "2" })
        #expect(try !notices { _ = song.title } _: { song.plays = 2 })
        #expect(try notices { _ = song.plays } _: { song.plays = 3 })
        try context.save()
        try other.refresh(same)
        same.title = "3"
        #expect(try notices { _ = same.title } _: { try other.rollback() })
        #expect(try notices { _ = (same as SharedMedia).title } _: { same.title = "4" })
        #expect(try notices { _ = song.owner } _: { song.owner = SharedOwner(name: "Ada") })
    }

    @Test(arguments: Engine.allCases) func indexesAreInherited(engine: Engine) throws {
        let fixture = try sharedMediaFixture(engine)
        let context = ObjectContext(fixture.store)
        for number in 0..<40 {
            let song = SharedSong(title: "t\(number % 20)", year: 1900 + number)
            (song.seconds, song.plays) = (number, number % 3)
            try context.insert([song, SharedFilm(title: "t\(number)", year: 1900 + number % 7)])
        }
        try context.save()
        let names = try fixture.store.indexes(of: SharedSong.self).map(\.schema.name)
        #expect(Set(names).isSuperset(of: ["year, title", "title", "seconds", "title, plays"]), "\(names)")
        #expect(SharedFilm.indexes.count == 2)
        let songs = context.fetch(SharedSong.self)
        #expect(try songs.where { $0.seconds == 7 }.explain(running: false).description.contains("index 'seconds'"))
        #expect(try songs.where { $0.year == 1907 && $0.title == "t7" }.all().map(\.seconds) == [7])
        #expect(try songs.where { $0.title == "t7" && $0.plays == 1 }.all().map(\.seconds) == [7])
        #expect(try fixture.store.indexes(of: SharedSong.self).allSatisfy { $0.entries == 40 })
        #expect(try context.fetch(SharedFilm.self).where { $0.year == 1903 }.sorted(by: \.title).count() == 6)
        #expect(try context.fetch(SharedSong.self).where(#Predicate { $0.title == "t7" && $0.seconds > 10 }).all().map(\.seconds) == [27])
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func theIDIsInherited(engine: Engine) throws {
        let fixture = try sharedMediaFixture(engine)
        let context = ObjectContext(fixture.store)
        let call = SharedCall(city: "Rome", number: 3)
        (call.text, call.minutes) = ("ciao", 5)
        try context.insert([call, SharedVisit(city: "Rome", number: 3)])
        try context.save()
        let other = ObjectContext(fixture.store)
        let read = try #require(try other.fetch(SharedCall.self, id: SharedEntry.ID(city: "Rome", number: 3)))
        #expect(read.text == "ciao" && read.minutes == 5 && read.city == "Rome" && read.number == 3)
        #expect(try other.fetch(SharedVisit.self).where { $0.city == "Rome" && $0.number == 3 }.explain(running: false).description.contains("look up 1 id"))
        #expect(try other.fetchAny(SharedEntry.self).sorted(by: \.id).count() == 2)
    }

    /// Initializers are inherited as Swift's rules have it, also the one that reads.
    @Test(arguments: Engine.allCases) func initializersAreInherited(engine: Engine) throws {
        let fixture = try sharedMediaFixture(engine)
        let context = ObjectContext(fixture.store)
        let novel = SharedNovel(isbn: "0")
        (novel.pages, novel.plot, novel.year) = (700, "long", 1869)
        try context.insert([novel, SharedNovel(plot: "short")])
        try context.save()
        let read = try ObjectContext(fixture.store).fetch(SharedNovel.self).sorted(by: \.isbn).all()
        #expect(read.map(\.plot) == ["long", "short"] && read.map(\.pages) == [700, 2] && read.map(\.year) == [1869, nil] && read.map(\.title) == ["0", "1"])
    }

    /// What is read by hand begins behind all that is inherited.
    @Test func aHandwrittenInitializerBelowTwoLevels() throws {
        let store = try ObjectStore(MemoryBackend(), models: HandRead.self)
        let context = ObjectContext(store)
        let object = HandRead()
        (object.title, object.seconds, object.plays) = ("a", 777, 3)
        try context.insert(object)
        try context.save()
        let other = ObjectContext(store)
        let read = try #require(try other.fetch(HandRead.self).first())
        #expect(read.title == "a" && read.seconds == 777 && read.plays == 3)
        object.plays = 4
        try context.save()
        try other.refresh(read)
        #expect(read.plays == 4 && read.seconds == 777)
    }

    /// A model that had no superclass, whose records lack what it inherits now, in another order.
    @Test(arguments: Engine.allCases) func aSuperclassComesLater(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Former.Plant.self) }
        let old = Former.Plant(height: 7, name: "oak")
        let context = ObjectContext(fixture.store)
        try context.insert(old)
        try context.save()
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Present.Plant.self) }
        let now = ObjectContext(fixture.store)
        let plant = try #require(try now.fetch(Present.Plant.self).where { $0.name == "oak" && $0.age == 1 && $0.height == 7 }.first())
        #expect(plant.id == old.id && plant.age == 1 && plant.latin == nil)
        plant.latin = "Quercus"
        try now.save()
        #expect(try ObjectContext(fixture.store).fetchAny(Present.Being.self).where { $0.name == "oak" }.first()?.age == 1)
    }

    /// One of the abstract model itself works by itself, and nothing stores it.
    @Test func anObjectOfTheSuperclass() {
        let bare = SharedMedia(title: "a")
        bare.title += "b"
        bare.owner = SharedOwner(name: "Ada")
        #expect(bare.title == "ab" && bare.owner?.name == "Ada" && bare == bare && bare != SharedMedia(title: "ab") && bare._$model == nil)
        bare.owner = nil
        #expect(bare.owner == nil)
    }

    /// What is known by the superclass is handed to contexts as it is.
    @Test(arguments: Engine.allCases) func objectsOfTheSuperclassType(engine: Engine) throws {
        let fixture = try sharedMediaFixture(engine)
        let context = ObjectContext(fixture.store)
        let all: [SharedMedia] = [SharedSong(title: "1"), SharedFilm(title: "2"), SharedThing(title: "3")]
        try context.insert(all)
        try context.insert(SharedSong(title: "4") as SharedMedia)
        try context.save()
        #expect(all[0].modelContext === context)
        #expect(throws: TroveError.self) { try context.insert(SharedMedia(title: "5")) }
        all[1].title = "two"
        try context.refresh(all[1], keepingChanges: false)
        #expect(all[1].title == "2")
        try context.delete(all[1])
        try context.delete([all[0]])
        try context.save()
        #expect(try context.fetchAny(SharedMedia.self).sorted(by: \.title).all().map(\.title) == ["3", "4"])
    }

    /// Whether something was told, on one thread.
    private final class Told: @unchecked Sendable {
        var isTold = false
    }
}

@AbstractModel
fileprivate class HandTop {
    var title = ""
    init() {}
}

@AbstractModel
fileprivate class HandMiddle: HandTop {
    var seconds = 0
}

@Model
fileprivate final class HandRead: HandMiddle {
    var plays = 0

    override init() { super.init() }

    override init(from record: inout RecordDecoder) throws {
        try super.init(from: &record)
        plays = try record.decode()
    }
}

private enum Former {
    @Model("Plant")
    final class Plant {
        var height: Int
        var name: String

        init(height: Int, name: String) {
            self.height = height
            self.name = name
        }
    }
}

private enum Present {
    @AbstractModel
    class Being {
        var name: String
        var age = 1

        init(name: String) { self.name = name }
    }

    @Model("Plant")
    final class Plant: Being {
        var latin: String?
        var height: Int

        init(height: Int, name: String) {
            self.height = height
            super.init(name: name)
        }
    }
}
