import TestSupport
import Testing

@testable import Trove

/// Objects whose property has become lazy since their records were written: these have it whole.
@Suite struct ContextLazyLaterTests {
    private static let text = String(repeating: "text", count: 100)

    /// A store with a song of an album whose text lies in its record, open in a program where that is lazy.
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: PlainTextSong.self) }
        let context = ObjectContext(fixture.store)
        let song = PlainTextSong(id: 1)
        song.text = Self.text
        song.album = LazyLaterAlbum(id: 1)
        try context.insert(song)
        try context.save()
        withExtendedLifetime(context) {}
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: LazyTextSong.self) }
        return fixture
    }

    @Test(arguments: Engine.allCases) func whatAPendingChangeDoesToOne(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        let album = try #require(try context.fetch(LazyLaterAlbum.self, id: 1))
        try context.delete(album)
        let song = try #require(try context.fetch(LazyTextSong.self).first())
        #expect(song.album == nil && song.text == Self.text)
        #expect(try context.changedProperties(of: song) == ["album"])
        try context.rollback()
        #expect(song.album === album && song.text == Self.text && !context.hasChanges)
        song.title = "title"
        #expect(try context.changedProperties(of: song) == ["title"])
        try context.save()
        #expect(try fixture.store.fetch(LazyTextSong.self).first()?.text == Self.text)
        #expect(try fixture.store.verify().isSound)
        withExtendedLifetime((fixture, context)) {}
    }

    /// Nobody has read the value meanwhile, which the save puts apart.
    @Test(arguments: Engine.allCases) func aSaveOfWhatAPendingChangeDoesToOne(engine: Engine) throws {
        let fixture = try fixture(engine)
        let context = ObjectContext(fixture.store)
        try context.delete(try #require(try context.fetch(LazyLaterAlbum.self, id: 1)))
        let song = try #require(try context.fetch(LazyTextSong.self).first())
        try context.save()
        #expect(song.album == nil && song.text == Self.text && context.faultErrors.isEmpty)
        #expect(try fixture.store.fetch(LazyTextSong.self).first()?.text == Self.text)
        #expect(try fixture.store.verify().isSound)
        withExtendedLifetime((fixture, context)) {}
    }

    /// A program of the version before goes on to write them so.
    @Test(arguments: Engine.allCases) func oneThatAnotherProgramHasChanged(engine: Engine) throws {
        let fixture = try fixture(engine)
        let other = try ObjectStore(engine.open(fixture.directory.file()), durability: .relaxed, models: PlainTextSong.self)
        let (context, theirs) = (ObjectContext(fixture.store), ObjectContext(other))
        let song = try #require(try context.fetch(LazyTextSong.self, id: 1))
        let new = String(repeating: "new", count: 100)
        song.text = new
        let same = try #require(try theirs.fetch(PlainTextSong.self, id: 1))
        same.title = "theirs"
        try theirs.save()
        // They have not changed the text.
        try context.refresh(song)
        #expect(song.title == "theirs" && song.text == new)
        #expect(try context.changedProperties(of: song) == ["text"])
        // Which puts the value apart that the context has met whole.
        #expect(try fixture.store.upgrade(LazyTextSong.self) == 1)
        try context.save()
        #expect(try fixture.store.fetch(LazyTextSong.self).first()?.title == "theirs")
        #expect(try fixture.store.fetch(LazyTextSong.self).where { $0.text == new }.count() == 1)
        try other.close()
        withExtendedLifetime((fixture, context, theirs)) {}
    }

    /// What the object names lies in the record now, since it is plain to the program that has stored this anew with the same values.
    @Test(arguments: Engine.allCases) func oneThatAnotherProgramHasStoredAnew(engine: Engine) throws {
        let fixture = try fixture(engine)
        let other = try ObjectStore(engine.open(fixture.directory.file()), durability: .relaxed, models: PlainTextSong.self)
        let (context, theirs) = (ObjectContext(fixture.store), ObjectContext(other))
        let song = try #require(try context.fetch(LazyTextSong.self, id: 1))
        // A save puts the value apart.
        song.title = "ours"
        try context.save()
        let same = try #require(try theirs.fetch(PlainTextSong.self, id: 1))
        for title in ["theirs", "ours"] {
            same.title = title
            try theirs.save()
        }
        song.title = "title"
        try context.save()
        #expect(song.title == "title" && song.text == Self.text && context.faultErrors.isEmpty)
        #expect(try fixture.store.fetch(LazyTextSong.self).first()?.text == Self.text)
        #expect(try fixture.store.verify().isSound)
        try other.close()
        withExtendedLifetime((fixture, context, theirs)) {}
    }
}

@Model final class LazyLaterAlbum {
    let id: Int

    init(id: Int) { self.id = id }
}

@Model("LazyLaterSong") final class PlainTextSong {
    let id: Int
    var title: String = ""
    var text: String = ""
    @Relationship var album: LazyLaterAlbum?

    init(id: Int) { self.id = id }
}

@Model("LazyLaterSong") final class LazyTextSong {
    let id: Int
    var title: String = ""
    @Attribute(.lazy) var text: String = ""
    @Relationship var album: LazyLaterAlbum?

    init(id: Int) { self.id = id }
}
