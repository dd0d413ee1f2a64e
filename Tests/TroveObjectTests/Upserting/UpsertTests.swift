import TestSupport
import Testing

@testable import Trove

/// New live objects that become the ones with their ids and unique values.
@Suite struct UpsertTests {
    @Test(arguments: Engine.allCases) func anUpsertChangesTheStoredObject(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        let stored = UpsertSong(isrc: "A", artist: "Evans", number: 1, title: "old")
        try fixture.store.save(stored)
        let context = ObjectContext(fixture.store)
        let given = UpsertSong(isrc: "A", artist: "Evans", number: 1, title: "new")
        let song = try context.upsert(given)
        #expect(song !== given && song.id == stored.id && given.modelContext == nil)
        #expect(try context.changedProperties(of: song) == ["title"])
        #expect(try context.save() == context.summary(updated: 1))
        #expect(try fixture.store.fetch(UpsertSong.self).select(\.title).all() == ["new"])
        // The same once more changes nothing; another one is new.
        try context.upsert(UpsertSong(isrc: "A", artist: "Evans", number: 1, title: "new"))
        #expect(!context.hasChanges)
        let other = UpsertSong(isrc: "B", artist: "Evans", number: 2)
        #expect(try context.upsert(other) === other)
        #expect(try context.upsert(other) === other)
        #expect(try context.save() == context.summary(inserted: 1))
        withExtendedLifetime((fixture, context)) {}
    }

    @Test(arguments: Engine.allCases) func itSeesWhatIsNotSaved(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        try fixture.store.save([UpsertSong(isrc: "A", artist: "a", number: 1), UpsertSong(isrc: "B", artist: "b", number: 2)])
        let context = ObjectContext(fixture.store)
        let new = UpsertSong(isrc: "C")
        try context.insert(new)
        #expect(try context.upsert(UpsertSong(isrc: "C", title: "x")) === new && new.title == "x")
        // One that has given up its value, and one that has taken it.
        let a = try #require(try context.fetch(UpsertSong.self).where { $0.isrc == "A" }.first())
        a.isrc = "D"
        #expect(try context.fetchOrInsert(UpsertSong(isrc: "D")) === a)
        let second = UpsertSong(isrc: "A", artist: "z")
        #expect(try context.fetchOrInsert(second) === second)
        // One that is deleted, and whose values are free.
        let b = try #require(try context.fetch(UpsertSong.self).where { $0.isrc == "B" }.first())
        try context.delete(b)
        let third = UpsertSong(isrc: "B", artist: "b", number: 2)
        #expect(try context.upsert(third) === third)
        try context.save()
        #expect(try Set(fixture.store.fetch(UpsertSong.self).all().map(\.isrc)) == ["A", "B", "C", "D"])
        withExtendedLifetime((fixture, context)) {}
    }

    @Test(arguments: Engine.allCases) func whatOthersHaveChangedIsFoundAsItIs(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        try fixture.store.save(UpsertSong(artist: "a", title: "t"))
        let (mine, theirs) = (ObjectContext(fixture.store), ObjectContext(fixture.store))
        let (song, same) = (try #require(try mine.fetch(UpsertSong.self).first()), try #require(try theirs.fetch(UpsertSong.self).first()))
        same.isrc = "A"
        same.artist = "b"
        try theirs.save()
        #expect(try mine.upsert(UpsertSong(isrc: "A", title: "u"), updating: [\.title]) === song)
        #expect(song.artist == "b" && song.title == "u")
        try mine.save()
        #expect(try fixture.store.fetch(UpsertSong.self).select(\.title).all() == ["u"])
        withExtendedLifetime((fixture, mine, theirs)) {}
    }

    @Test(arguments: Engine.allCases) func whatACascadeDeletesIsFree(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        let context = ObjectContext(fixture.store)
        let album = UpsertAlbum("Portrait")
        album.songs = [UpsertSong(isrc: "A")]
        try context.insert(album)
        try context.save()
        try context.delete(album)
        let song = UpsertSong(isrc: "A", title: "new")
        #expect(try context.upsert(song) === song)
        try context.save()
        #expect(try fixture.store.fetch(UpsertSong.self).select(\.title).all() == ["new"])
        withExtendedLifetime((fixture, context)) {}
    }

    @Test(arguments: Engine.allCases) func nilIsNoUniqueValue(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        let context = ObjectContext(fixture.store)
        try context.upsert([UpsertSong(artist: "a"), UpsertSong(artist: "a")])
        try context.save()
        try context.upsert(UpsertSong(artist: "a"))
        try context.save()
        #expect(try fixture.store.fetch(UpsertSong.self).count() == 3)
        withExtendedLifetime((fixture, context)) {}
    }

    @Test(arguments: Engine.allCases) func caseIsIgnoredWhereTheIndexDoes(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        let context = ObjectContext(fixture.store)
        let album = try context.upsert(UpsertAlbum("Kind of Blue"))
        #expect(try context.fetchOrInsert(UpsertAlbum("KIND OF BLUE")) === album && album.name == "Kind of Blue")
        try context.save()
        #expect(try context.upsert(UpsertAlbum("kind of blue")) === album && album.name == "kind of blue")
        withExtendedLifetime((fixture, context)) {}
    }

    @Test(arguments: Engine.allCases) func twoObjectsAreAnError(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        let context = ObjectContext(fixture.store)
        let (a, b) = (UpsertSong(isrc: "A", artist: "a", number: 1), UpsertSong(isrc: "B", artist: "b", number: 2))
        try context.insert([a, b])
        try context.save()
        #expect { try context.upsert(UpsertSong(isrc: "A", artist: "b", number: 2, title: "x")) } throws: { error in
            guard case TroveError.ambiguousUpsert("UpsertSong", let id, _, let otherID, _) = error else { return false }
            return Set([id, otherID]) == [a.shownID, b.shownID] && "\(error)".contains("unique isrc")
        }
        #expect(throws: TroveError.self) { try context.fetchOrInsert(UpsertSong(isrc: "A", artist: "b", number: 2)) }
        #expect(!context.hasChanges)
        withExtendedLifetime((fixture, context)) {}
    }

    @Test(arguments: Engine.allCases) func onlySomeProperties(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        let context = ObjectContext(fixture.store)
        let (song, album) = (UpsertSong(isrc: "A", artist: "a", number: 1, title: "t"), UpsertAlbum("x"))
        song.album = album
        song.source = "first"
        song.note = "n"
        song.text = "long"
        try context.insert(song)
        try context.save()
        let given = UpsertSong(isrc: "A", artist: "b", title: "u")
        given.album = UpsertAlbum("y")
        #expect(try context.upsert(given, updating: [\.title]) === song)
        #expect(song.title == "u" && song.artist == "a" && song.number == 1 && song.album === album && context.insertedObjects.isEmpty)
        // What nobody has set leaves a relationship as it is, unless it is named; options keep by their rules.
        let bare = UpsertSong(isrc: "A", artist: "a", number: 1, title: "u")
        bare.source = "second"
        try context.upsert(bare)
        #expect(song.album === album && song.source == "first" && song.note == "n" && song.text == "")
        try context.upsert(bare, updating: [\.album])
        #expect(song.album == nil && album.songs.isEmpty)
        #expect { try context.upsert(UpsertAlbum("z"), updating: [\.songs.count]) } throws: { error in
            if case TroveError.unsupportedKeyPath = error { true } else { false }
        }
        #expect { try context.upsert(bare, updating: [\.album?.name]) } throws: { error in
            if case TroveError.unsupportedKeyPath = error { true } else { false }
        }
        withExtendedLifetime((fixture, context)) {}
    }

    @Test(arguments: Engine.allCases) func anIDOfProperties(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        try fixture.store.save([UpsertSeat(row: 1, place: 1, guest: "x", code: "c"), UpsertSeat(row: 1, place: 2)])
        let context = ObjectContext(fixture.store)
        let seat = try context.upsert(UpsertSeat(row: 1, place: 1, guest: "y", code: "c"))
        #expect(seat.guest == "y" && context.insertedObjects.isEmpty)
        #expect(try context.fetchOrInsert(UpsertSeat(row: 2, place: 2, code: "c")) === seat)
        // It would get another id.
        #expect { try context.upsert(UpsertSeat(row: 2, place: 2, guest: "z", code: "c")) } throws: { error in
            if case TroveError.contextMisuse = error { true } else { false }
        }
        #expect(throws: TroveError.self) { try context.upsert(UpsertSeat(row: 1, place: 2, code: "c")) }
        try context.upsert(UpsertSeat(row: 2, place: 2, guest: "z", code: "c"), updating: [\.guest])
        #expect(seat.guest == "z")
        try context.save()
        #expect(try fixture.store.fetch(UpsertSeat.self).count() == 2)
        withExtendedLifetime((fixture, context)) {}
    }

    @Test(arguments: Engine.allCases) func modelsThatShareAPropertyAreApart(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        let context = ObjectContext(fixture.store)
        let pen = try context.upsert(UpsertPen(code: "A", text: "pen"))
        let cup = UpsertCup(code: "A", text: "cup")
        #expect(try context.upsert(cup) === cup)
        try context.save()
        #expect(try context.upsert(UpsertPen(code: "A", text: "new")) === pen)
        #expect(pen.text == "new" && cup.text == "cup")
        withExtendedLifetime((fixture, context)) {}
    }

    @Test(arguments: Engine.allCases) func severalTogether(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        try fixture.store.save(UpsertSong(isrc: "A", title: "stored"))
        let context = ObjectContext(fixture.store)
        let twice = UpsertSong(isrc: "C", title: "c")
        let songs = try context.upsert([
            UpsertSong(isrc: "A", artist: "1", title: "a"), UpsertSong(isrc: "B", title: "b"), UpsertSong(isrc: "B", title: "last"), twice, twice,
        ])
        #expect(songs.map(\.title) == ["a", "last", "last", "c", "c"] && songs[1] === songs[2] && songs[3] === twice && songs[4] === twice)
        #expect(try context.save() == context.summary(inserted: 2, updated: 1))
        #expect(try context.fetchOrInsert(["A", "B", "C"].map { UpsertSong(isrc: $0) }).map(\.title) == ["a", "last", "c"])
        #expect(!context.hasChanges)
        withExtendedLifetime((fixture, context)) {}
    }

    @Test(arguments: Engine.allCases) func undoTakesItBackAsOneStep(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        try fixture.store.save(UpsertSong(isrc: "A", artist: "a", title: "t"))
        let context = ObjectContext(fixture.store, options: ContextOptions(undo: .unlimited))
        let given = UpsertSong(isrc: "A", artist: "b", title: "u")
        given.album = UpsertAlbum("x")
        let song = try context.upsert(given)
        #expect(song.artist == "b" && song.album?.name == "x" && context.undoNames.count == 1)
        try context.undo()
        #expect(song.artist == "a" && song.title == "t" && song.album == nil && context.insertedObjects.isEmpty)
        try context.redo()
        #expect(song.artist == "b" && song.album?.songs.first === song)
        try context.save()
        #expect(try fixture.store.fetch(UpsertAlbum.self).count() == 1)
        withExtendedLifetime((fixture, context)) {}
    }

    @Test(arguments: Engine.allCases) func whereItCannotBe(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        let (context, other) = (ObjectContext(fixture.store), ObjectContext(fixture.store))
        let foreign = UpsertSong(isrc: "A")
        try other.insert(foreign)
        func isForeign(_ error: any Error) -> Bool { if case TroveError.foreignObject = error { true } else { false } }
        func isMisuse(_ error: any Error) -> Bool { if case TroveError.contextMisuse = error { true } else { false } }
        #expect { try context.upsert(foreign) } throws: { isForeign($0) }
        #expect { try context.read { _ in _ = try context.upsert(UpsertSong(isrc: "B")) } } throws: { isMisuse($0) }
        #expect { try fixture.store.write { _ in _ = try context.fetchOrInsert(UpsertSong(isrc: "B")) } } throws: { isMisuse($0) }
        #expect(!context.hasChanges)
        // Inside perform it may be, as a fetch may.
        context.perform { #expect(throws: Never.self) { _ = try context.upsert(UpsertSong(isrc: "B")) } }
        // An object that refers to one of another context is left outside.
        try context.save()
        let given = UpsertNote("n", song: foreign)
        #expect { try context.upsert(given) } throws: { isForeign($0) }
        #expect(!context.hasChanges)
        withExtendedLifetime((fixture, context, other)) {}
    }

    @Test(arguments: Engine.allCases) func asynchronously(engine: Engine) async throws {
        let fixture = try upsertFixture(engine)
        let context = ObjectContext(fixture.store)
        let song = try await context.upsert(UpsertSong(isrc: "A", title: "a"))
        #expect(try await context.fetchOrInsert([UpsertSong(isrc: "A"), UpsertSong(isrc: "B")])[0] === song)
        #expect(try await context.upsert([UpsertSong(isrc: "A", title: "x")], updating: [\.title])[0].title == "x")
        #expect(try await context.fetchOrInsert(UpsertSong(isrc: "A")) === song)
        try await context.save()
        #expect(try await fixture.store.fetch(UpsertSong.self).count() == 2)
        withExtendedLifetime((fixture, context)) {}
    }
}

extension ObjectContext {
    /// The summary of a save that stored so many objects.
    func summary(inserted: Int = 0, updated: Int = 0) -> SaveSummary {
        var summary = SaveSummary()
        summary.insertedCount = inserted
        summary.updatedCount = updated
        return summary
    }
}
