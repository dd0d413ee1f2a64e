import TestSupport
import Testing
import Trove

/// What properties were before they were changed, and one of them set back.
@Suite struct OriginalValueTests {
    private struct Fixture {
        let stores: StoreFixture
        let context: ObjectContext
        let album = ShelvedAlbum("Blue")
        let tracks = [ShelvedTrack("one"), ShelvedTrack("two"), ShelvedTrack("three")]

        init(_ engine: Engine, undo: UndoLimit = .none) throws {
            stores = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: ShelvedAlbum.self, ShelvedTrack.self) }
            context = ObjectContext(stores.store, options: ContextOptions(undo: undo))
            album.tracks = Array(tracks[..<2])
            try context.insert([album, tracks[2]])
        }
    }

    @Test(arguments: Engine.allCases) func areThoseOfTheLastSave(engine: Engine) throws {
        let fixture = try Fixture(engine)
        let (context, album) = (fixture.context, fixture.album)
        #expect(try context.originalValue(\.title, of: album) == nil)
        try context.save()
        #expect(try context.originalValue(\.title, of: album) == "Blue")
        album.title = "Green"
        album.title = "Red"
        album.year = 1959
        #expect(try context.originalValue(\.title, of: album) == "Blue")
        #expect(try context.originalValue(\.year, of: album) == .some(nil))
        try context.save()
        #expect(try context.originalValue(\.title, of: album) == "Red")
        #expect(try context.originalValue(\.year, of: album) == 1959)
    }

    @Test(arguments: Engine.allCases) func areOfWhatTheObjectStores(engine: Engine) throws {
        let fixture = try Fixture(engine)
        let (context, track) = (fixture.context, fixture.tracks[0])
        try context.save()
        track.title = "changed"
        func isUnsupported(_ error: any Error) -> Bool { if case TroveError.unsupportedKeyPath = error { true } else { false } }
        #expect { try context.originalValue(\.album?.title, of: track) } throws: { isUnsupported($0) }
        #expect { try context.originalValue(\.title.count, of: track) } throws: { isUnsupported($0) }
        #expect(try context.originalValue(\.title, of: track) == "one")
    }

    @Test(arguments: Engine.allCases) func aRelationshipsObjects(engine: Engine) throws {
        let fixture = try Fixture(engine)
        let (context, album, tracks) = (fixture.context, fixture.album, fixture.tracks)
        try context.save()
        album.tracks = [tracks[2]]
        #expect(try context.originalValue(\.tracks, of: album) == Array(tracks[..<2]))
        #expect(try context.originalValue(\.album, of: tracks[0]) == album)
        #expect(try context.originalValue(\.album, of: tracks[2]) == .some(nil))
        try context.revert(\.tracks, of: album)
        #expect(album.tracks == Array(tracks[..<2]))
        #expect(tracks.map(\.album) == [album, album, nil])
        try context.save()
        let other = ObjectContext(fixture.stores.store)
        let stored = try #require(try other.fetch(ShelvedAlbum.self).first())
        #expect(stored.tracks.map(\.title) == ["one", "two"])
    }

    /// What the relationship had pointed at was left out, so that it was set to something else without a word.
    @Test(arguments: Engine.allCases) func aRelationshipIsNotSetBackToLess(engine: Engine) throws {
        let fixture = try Fixture(engine)
        try fixture.context.save()
        let context = ObjectContext(fixture.stores.store)
        let track = try #require(try context.fetch(ShelvedTrack.self, id: fixture.tracks[0].id))
        let other = ShelvedAlbum("other")
        track.album = other
        try fixture.context.delete(fixture.album)
        try fixture.context.save()
        #expect { try context.revert(\.album, of: track) } throws: { if case TroveError.danglingReference = $0 { true } else { false } }
        #expect(track.album === other)
    }

    @Test(arguments: Engine.allCases) func aListOfObjectsIsNotSetBackToLess(engine: Engine) throws {
        let fixture = try Fixture(engine)
        try fixture.context.save()
        let context = ObjectContext(fixture.stores.store)
        let album = try #require(try context.fetch(ShelvedAlbum.self, id: fixture.album.id))
        let last = try #require(try context.fetch(ShelvedTrack.self, id: fixture.tracks[2].id))
        album.tracks = [last]
        try fixture.context.delete(fixture.tracks[0])
        try fixture.context.save()
        #expect { try context.revert(\.tracks, of: album) } throws: { if case TroveError.danglingReference = $0 { true } else { false } }
        #expect(album.tracks == [last])
        // What this context deletes itself is no more to be pointed at.
        try fixture.context.delete(fixture.tracks[1])
        let (own, kept) = (fixture.tracks[2], fixture.album)
        kept.tracks = [own]
        try fixture.context.revert(\.tracks, of: kept)
        #expect(kept.tracks.isEmpty)
    }

    /// A property has changed when a save would store other bytes of it.
    @Test(arguments: Engine.allCases) func changesGoByWhatIsStored(engine: Engine) throws {
        let fixture = try liveGraphFixture(engine)
        let context = ObjectContext(fixture.store)
        let song = LiveSong(title: "So What")
        song.rating = .nan
        try context.insert(song)
        try context.save()
        song.year = 1959
        #expect(try context.changedProperties(of: song) == ["year"])
        song.rating = 0
        try context.save()
        song.rating = -0.0
        #expect(try context.changedProperties(of: song) == ["rating"])
        #expect(try context.save().updatedCount == 1)
    }

    @Test(arguments: Engine.allCases) func oneIsSetBackAndTheOthersStay(engine: Engine) throws {
        let fixture = try Fixture(engine, undo: .unlimited)
        let (context, album) = (fixture.context, fixture.album)
        try context.save()
        album.title = "Red"
        album.year = 1960
        try context.revert(\.title, of: album)
        #expect(album.title == "Blue")
        #expect(album.year == 1960)
        #expect(try context.changedProperties(of: album) == ["year"])
        try context.revert(\.year, of: album)
        #expect(try context.changedProperties(of: album) == [])
        // Nothing is changed by setting back what was not.
        try context.save()
        try context.revert(\.title, of: album)
        #expect(!context.hasChanges)
    }

    @Test(arguments: Engine.allCases) func whatWasNotStoredCannotBeSetBack(engine: Engine) throws {
        let fixture = try Fixture(engine)
        let (context, album) = (fixture.context, fixture.album)
        #expect { try context.revert(\.title, of: album) } throws: { error in
            if case TroveError.contextMisuse(let reason) = error { reason.contains("was inserted and not saved yet") } else { false }
        }
        let stranger = ShelvedAlbum("none")
        #expect { try context.originalValue(\.title, of: stranger) } throws: { if case TroveError.notInContext = $0 { true } else { false } }
        try context.save()
        try context.delete(album)
        try context.save()
        #expect { try context.originalValue(\.title, of: album) } throws: { if case TroveError.notInContext = $0 { true } else { false } }
    }

    @Test(arguments: Engine.allCases) func anObjectTellsItsContext(engine: Engine) throws {
        let fixture = try Fixture(engine)
        #expect(fixture.album.modelContext === fixture.context)
        #expect(fixture.tracks[0].modelContext?.store === fixture.stores.store)
        #expect(ShelvedAlbum("none").modelContext == nil)
        try fixture.context.save()
        try fixture.context.delete(fixture.album)
        try fixture.context.save()
        #expect(fixture.album.modelContext == nil)
        var context: ObjectContext? = ObjectContext(fixture.stores.store)
        let track = try #require(try context?.fetch(ShelvedTrack.self).first())
        #expect(track.modelContext != nil)
        context = nil
        #expect(track.modelContext == nil)
    }
}

@Model final class ShelvedAlbum {
    var title: String
    var year: Int?
    @Relationship(inverse: \ShelvedTrack.album) var tracks: [ShelvedTrack] = []
    init(_ title: String) { self.title = title }
}

@Model final class ShelvedTrack {
    var title: String
    @Relationship var album: ShelvedAlbum?
    init(_ title: String) { self.title = title }
}
