import TestSupport
import Testing
import Trove

/// An index of a property whose original name comes, goes or changes has entries of other values, of the same type and under the same declaration.
@Suite struct OriginalNameIndexTests {
    @Model("Album") struct Album {
        let id: Int
    }

    enum First {
        @Model("Song") struct Song {
            let id: Int
            var name: String
            @Attribute(.fullText) var words: String
            var album: Reference<Album>?
            var plays: Int
        }
    }

    /// The properties have other names, and nobody has said which they had.
    enum Forgetful {
        @Model("Song") struct Song {
            let id: Int
            @Attribute(.indexed) var title = "none"
            @Attribute(.fullText) var text = "empty"
            var disc: Reference<Album>?
            @Attribute(.indexed) var count = 0
        }
    }

    enum Mindful {
        @Model("Song") struct Song {
            #Index<Song>([\.title, \.count])

            let id: Int
            @Attribute(.indexed, originalName: "name") var title = "none"
            @Attribute(.fullText, originalName: "words") var text = "empty"
            @Relationship(originalName: "album") var disc: Reference<Album>?
            @Attribute(.indexed, originalName: "plays") var count = 0
        }
    }

    enum Unique {
        @Model("Song") struct Song {
            let id: Int
            @Attribute(.unique, originalName: "name") var title = "none"
        }
    }

    enum NotUnique {
        @Model("Song") struct Song {
            let id: Int
            @Attribute(.unique) var title = "none"
        }
    }

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: First.Song.self, Album.self) }
        try fixture.store.save(Album(id: 1))
        try fixture.store.save((1...3).map { First.Song(id: $0, name: "n\($0)", words: "song of \($0)", album: Reference(id: 1), plays: $0 * 10) })
        return fixture
    }

    @Test(arguments: Engine.allCases) func itIsNamedLater(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Forgetful.Song.self, Album.self) }
        #expect(try fixture.store.fetch(Forgetful.Song.self).where { $0.title == "none" }.count() == 3)
        try fixture.store.createIndex("own", on: Forgetful.Song.self, \.count, \.title)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Mindful.Song.self, Album.self) }
        let store = fixture.store
        #expect(try store.fetch(Mindful.Song.self).where { $0.title == "n2" }.all().map(\.id) == [2])
        #expect(try store.fetch(Mindful.Song.self).where { $0.title == "none" }.count() == 0)
        #expect(try store.fetch(Mindful.Song.self).where { $0.count >= 20 }.all().map(\.id) == [2, 3])
        #expect(try store.fetch(Mindful.Song.self).search("song").count == 3)
        #expect(try store.fetch(Mindful.Song.self).where { $0.disc == Reference(id: 1) }.count() == 3)
        #expect(try store.verify().isSound)
        // The rule of the relationship runs by its index.
        try store.delete(Album.self, id: 1)
        #expect(try store.fetch(Mindful.Song.self).where { $0.disc == nil }.count() == 3)
        #expect(try store.danglingReferences().isEmpty)
        #expect(try store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func itIsForgotten(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Mindful.Song.self, Album.self) }
        #expect(try fixture.store.fetch(Mindful.Song.self).where { $0.title == "n3" }.count() == 1)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Forgetful.Song.self, Album.self) }
        #expect(try fixture.store.fetch(Forgetful.Song.self).where { $0.title == "n3" }.count() == 0)
        #expect(try fixture.store.fetch(Forgetful.Song.self).where { $0.title == "none" }.count() == 3)
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func uniquenessIsJudgedAnew(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Unique.Song.self, Album.self) }
        // All three would be called "none".
        #expect { try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: NotUnique.Song.self, Album.self) } } throws: { error in
            if case TroveError.uniqueViolation = error { true } else { false }
        }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Unique.Song.self, Album.self) }
        #expect(try fixture.store.fetch(Unique.Song.self).where { $0.title == "n1" }.all().map(\.id) == [1])
        #expect(try fixture.store.verify().isSound)
    }
}
