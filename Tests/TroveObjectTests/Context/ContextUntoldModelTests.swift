import TestSupport
import Testing

@testable import Trove

/// What pending changes do to others by the rules of models that the program does not have.
@Suite struct ContextUntoldModelTests {
    @Model("UntoldArtist") fileprivate final class Artist {
        let id: Int
        var name = ""
        init(id: Int) { self.id = id }
    }

    @Model("UntoldSong") fileprivate final class Song {
        let id: Int
        var title = ""
        init(id: Int) { self.id = id }
    }

    /// Goes with its artist and takes songs along. No other relationship leads from the one to the others.
    @Model("UntoldContract") fileprivate struct Contract {
        let id: Int
        @Relationship(whenTargetDeleted: .cascade) var artist: Reference<Artist>?
        @Relationship(deleteRule: .cascade) var songs: [Reference<Song>] = []
    }

    /// A store with two artists, whose contracts the program has no model for, and a song of each.
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Artist.self, Song.self, Contract.self) }
        try fixture.store.save((1...2).map { Artist(id: $0) })
        try fixture.store.save((1...2).map { Song(id: $0) })
        try fixture.store.save((1...2).map { Contract(id: $0, artist: Reference(id: $0), songs: [Reference(id: $0)]) })
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Artist.self, Song.self) }
        return fixture
    }

    @Test(arguments: Engine.allCases) func aFetchShowsWhatTheirRulesDelete(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let (artist, song) = (try #require(try context.fetch(Artist.self, id: 1)), try #require(try context.fetch(Song.self, id: 1)))
        try context.delete(artist)
        #expect(try context.fetch(Song.self).ids() == [2])
        #expect(try context.fetch(Song.self, id: 1) == nil)
        #expect(try context.saved.fetch(Song.self).ids() == [1, 2])
        try context.save()
        #expect(try context.fetch(Song.self).ids() == [2] && song.modelContext == nil)
        #expect(try fixture.store.documents(of: "UntoldContract").fetch().count() == 1)
        #expect(try fixture.store.verify().isSound)
        withExtendedLifetime((fixture, context)) {}
    }

    @Test(arguments: Engine.allCases) func aLiveListShowsWhatTheirRulesDelete(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let songs = try context.fetch(Song.self).sorted(by: \.title).results()
        #expect(songs.objects.map(\.id) == [1, 2])
        try context.delete(try #require(try context.fetch(Artist.self, id: 2)))
        context.settleLists()
        #expect(songs.objects.map(\.id) == [1] && songs.error == nil)
        try context.rollback()
        context.settleLists()
        #expect(songs.objects.map(\.id) == [1, 2])
        withExtendedLifetime((fixture, context)) {}
    }

    /// They are a part of the step, so the context has them as deleted, and one undo brings all back.
    @Test(arguments: Engine.allCases) func aStepToUndoHasWhatTheirRulesDelete(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store, options: ContextOptions(undo: .steps(9)))
        let artist = try #require(try context.fetch(Artist.self, id: 1))
        try context.undoGroup { try context.delete(artist) }
        #expect(context.deletedObjects.count == 2)
        #expect(try context.undo() && context.deletedObjects.isEmpty)
        try context.save()
        #expect(try fixture.store.fetch(Song.self).ids() == [1, 2])
        withExtendedLifetime((fixture, context)) {}
    }
}
