import TestSupport
import Testing
import Trove

/// What an upsert brings in, and the other sides of its relationships.
@Suite struct UpsertRelationshipTests {
    @Test(arguments: Engine.allCases) func otherSidesFollow(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        let context = ObjectContext(fixture.store)
        let (first, song) = (UpsertAlbum("first"), UpsertSong(isrc: "A"))
        first.songs = [song]
        try context.insert(first)
        try context.save()
        let given = UpsertSong(isrc: "A", title: "t")
        given.album = UpsertAlbum("second")
        given.tags = [UpsertTag("x"), UpsertTag("y")]
        #expect(try context.upsert(given) === song)
        let second = try #require(song.album)
        #expect(second.name == "second" && second.songs == [song] && first.songs.isEmpty && song.tags.map(\.name) == ["x", "y"])
        #expect(song.tags.allSatisfy { $0.songs == [song] })
        try context.save()
        let other = ObjectContext(fixture.store)
        let read = try #require(try other.fetch(UpsertSong.self).first())
        #expect(read.album?.name == "second" && read.album?.songs == [read] && read.tags.count == 2)
        #expect(try other.fetch(UpsertAlbum.self).where { $0.name == "first" }.first()?.songs.isEmpty == true)
        withExtendedLifetime((fixture, context, other)) {}
    }

    @Test(arguments: Engine.allCases) func whatPointsAtTheGivenObjectPointsAtTheOther(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        try fixture.store.save(UpsertAlbum("Portrait"))
        let context = ObjectContext(fixture.store)
        // A circle of new objects.
        let (given, one, two) = (UpsertAlbum("PORTRAIT"), UpsertSong(isrc: "A"), UpsertSong(isrc: "B"))
        given.songs = [one, two]
        one.album = given
        two.album = given
        let album = try context.upsert(given)
        #expect(album !== given && given.modelContext == nil && album.songs == [one, two] && one.album === album && two.album === album)
        try context.save()
        let other = ObjectContext(fixture.store)
        let read = try #require(try other.fetch(UpsertAlbum.self).first())
        #expect(read.songs.map(\.isrc) == ["A", "B"] && read.songs.allSatisfy { $0.album === read })
        #expect(try fixture.store.fetch(UpsertAlbum.self).count() == 1)
        withExtendedLifetime((fixture, context, other)) {}
    }

    /// One of a circle that cannot be encoded keeps all of it out, and none is left in the context.
    @Test(arguments: Engine.allCases) func aCircleWithAnObjectThatCannotBeEncoded(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: UpsertCrew.self, UpsertSailor.self) }
        try fixture.store.save(UpsertCrew("a"))
        let context = ObjectContext(fixture.store)
        let (given, fit, unfit) = (UpsertCrew("a"), UpsertSailor(), UpsertSailor())
        given.sailors = [fit, unfit]
        (fit.crew, unfit.crew) = (given, given)
        unfit.fitness.isFit = false
        #expect(throws: TroveError.self) { try context.upsert(given) }
        #expect(!context.hasChanges && fit.modelContext == nil && unfit.modelContext == nil && unfit.crew === given)
        unfit.fitness.isFit = true
        let crew = try context.upsert(given)
        #expect(crew !== given && crew.sailors == [fit, unfit] && unfit.crew === crew)
        try context.save()
        #expect(try fixture.store.fetch(UpsertSailor.self).count() == 2)
        withExtendedLifetime((fixture, context)) {}
    }

    @Test(arguments: Engine.allCases) func anOwnerLetsGoOfWhatItHad(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        let context = ObjectContext(fixture.store)
        let album = UpsertAlbum("x")
        album.songs = [UpsertSong(isrc: "A"), UpsertSong(isrc: "B")]
        try context.insert(album)
        try context.save()
        let given = UpsertAlbum("x")
        given.songs = [album.songs[1], UpsertSong(isrc: "C")]
        #expect(try context.upsert(given) === album)
        #expect(album.songs.map(\.isrc) == ["B", "C"])
        // As a save deletes the one that has lost its owner, its value is free.
        let new = UpsertSong(isrc: "A", title: "new")
        #expect(try context.fetchOrInsert(new) === new)
        new.album = album
        try context.save()
        #expect(try fixture.store.fetch(UpsertSong.self).sorted(by: \.isrc).select(\.title).all() == ["new", "", ""])
        withExtendedLifetime((fixture, context)) {}
    }

    @Test(arguments: Engine.allCases) func aUniqueRelationship(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        let context = ObjectContext(fixture.store)
        let song = UpsertSong(isrc: "A")
        let membership = try context.upsert(UpsertMembership("piano", song: song, weight: 1))
        #expect(context.insertedObjects.count == 2)
        #expect(try context.upsert(UpsertMembership("piano", song: song, weight: 2)) === membership && membership.weight == 2)
        try context.save()
        #expect(try context.upsert(UpsertMembership("piano", song: song, weight: 3)) === membership)
        let other = UpsertMembership("bass", song: song)
        #expect(try context.fetchOrInsert(other) === other)
        try context.save()
        #expect(try fixture.store.fetch(UpsertMembership.self).sorted(by: \.weight).select(\.weight).all() == [0, 3])
        withExtendedLifetime((fixture, context)) {}
    }

    @Test(arguments: Engine.allCases) func anObjectThatCannotComeInChangesNothing(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        let context = ObjectContext(fixture.store)
        let (song, album) = (UpsertSong(isrc: "A", title: "t"), UpsertAlbum("x"))
        try context.insert([song, album] as [any LiveModel])
        try context.save()
        try context.delete(album)
        let given = UpsertSong(isrc: "A", title: "u")
        given.album = album
        #expect { try context.upsert(given) } throws: { error in
            if case TroveError.notInContext("UpsertAlbum", _) = error { true } else { false }
        }
        #expect(song.title == "t" && context.changedObjects.isEmpty)
        withExtendedLifetime((fixture, context)) {}
    }
}

@Model final class UpsertCrew {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .cascade, inverse: \UpsertSailor.crew) var sailors: [UpsertSailor] = []

    init(_ name: String) { self.name = name }
}

@Model final class UpsertSailor {
    var fitness: Fitness = Fitness()
    @Relationship var crew: UpsertCrew?

    init() {}

    /// What cannot be encoded while it is not fit.
    struct Fitness: Codable, Hashable {
        var isFit = true

        init() {}

        init(from decoder: any Decoder) throws { isFit = try Bool(from: decoder) }

        func encode(to encoder: any Encoder) throws {
            guard isFit else { throw EncodingError.invalidValue(isFit, EncodingError.Context(codingPath: [], debugDescription: "it is not fit")) }
            try isFit.encode(to: encoder)
        }
    }
}
