import Dispatch
import TestSupport
import Testing
import Trove

@Suite struct FirstOrInsertTests {
    @Test(arguments: Engine.allCases) func itFindsOrMakes(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        try fixture.store.save(UpsertSong(isrc: "A", artist: "Evans"))
        let context = ObjectContext(fixture.store)
        let evans = context.fetch(UpsertSong.self).where { $0.artist == "Evans" }
        let song = try evans.firstOrInsert { throw Refusal() }
        #expect(song.isrc == "A")
        // One that is deleted is not found, and one that is inserted is.
        try context.delete(song)
        let new = try evans.firstOrInsert { UpsertSong(isrc: "B", artist: "Evans") }
        #expect(new.isrc == "B" && new.modelContext === context)
        #expect(try evans.firstOrInsert({ throw Refusal() }) === new)
        #expect(throws: Refusal.self) { try context.fetch(UpsertSong.self).where { $0.artist == "Davis" }.firstOrInsert { throw Refusal() } }
        try context.save()
        #expect(try fixture.store.fetch(UpsertSong.self).all().map(\.isrc) == ["B"])
        withExtendedLifetime((fixture, context)) {}
    }

    @Test(arguments: Engine.allCases) func whatDoesNotMatchIsRefused(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        let context = ObjectContext(fixture.store)
        #expect { try context.fetch(UpsertSong.self).where { $0.isrc == "A" }.firstOrInsert { UpsertSong(isrc: "B") } } throws: { error in
            if case TroveError.invalidQuery = error { true } else { false }
        }
        #expect(!context.hasChanges)
        // A context cannot insert inside of its own read.
        #expect(throws: TroveError.self) {
            try context.read { _ in _ = try context.fetch(UpsertSong.self).firstOrInsert { UpsertSong() } }
        }
        withExtendedLifetime((fixture, context)) {}
    }

    @Test(arguments: Engine.allCases) func threadsGetOneObject(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        let context = ObjectContext(fixture.store)
        // Another thread is first while the object is made.
        let first = UpsertTag("c")
        let found = try context.fetch(UpsertTag.self).where { $0.name == "c" }.firstOrInsert {
            try context.insert(first)
            return UpsertTag("c")
        }
        #expect(found === first)
        let names = ["a", "b"]
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            let name = names[number % 2]
            #expect(throws: Never.self) {
                let tag = try context.fetch(UpsertTag.self).where { $0.name == name }.firstOrInsert { UpsertTag(name) }
                let album = try context.fetchOrInsert(UpsertAlbum(name))
                #expect(tag.name == name && album.name == name)
                if number == 4 { try context.save() }
            }
        }
        try context.save()
        #expect(try fixture.store.fetch(UpsertTag.self).count() == 3)
        #expect(try fixture.store.fetch(UpsertAlbum.self).count() == 2)
        withExtendedLifetime((fixture, context)) {}
    }

    /// What does not stay is as if it had never been: it takes nothing with it, and leaves nothing.
    @Test(arguments: Engine.allCases) func whatIsRefusedTakesNothingWithIt(engine: Engine) throws {
        for undo in [UndoLimit.none, .steps(9)] {
            let fixture = try upsertFixture(engine)
            let album = UpsertAlbum("x")
            album.songs = [UpsertSong(isrc: "A"), UpsertSong(isrc: "B")]
            let context = ObjectContext(fixture.store, options: ContextOptions(undo: undo))
            try context.insert(album)
            try context.save()
            let (songs, new) = (album.songs, UpsertSong(isrc: "N"))
            #expect(throws: TroveError.self) {
                try context.fetch(UpsertAlbum.self).where { $0.name == "y" }.firstOrInsert {
                    let other = UpsertAlbum("z")
                    other.songs = songs + [new]
                    return other
                }
            }
            #expect(!context.hasChanges && new.modelContext == nil)
            #expect(album.songs.map(\.isrc) == ["A", "B"] && songs.allSatisfy { $0.album === album })
            try context.save()
            #expect(try fixture.store.fetch(UpsertSong.self).count() == 2)
            withExtendedLifetime((fixture, context)) {}
        }
    }

    @Test(arguments: Engine.allCases) func whoComesSecondLeavesNothing(engine: Engine) throws {
        for undo in [UndoLimit.none, .steps(9)] {
            let fixture = try upsertFixture(engine)
            let context = ObjectContext(fixture.store, options: ContextOptions(undo: undo))
            let (first, second) = (UpsertSong(isrc: "A", title: "t"), UpsertSong(isrc: "B", title: "t"))
            second.album = UpsertAlbum("held")
            let found = try context.fetch(UpsertSong.self).where { $0.title == "t" }.firstOrInsert {
                try context.insert(first)
                return second
            }
            #expect(found === first && second.modelContext == nil && context.insertedObjects.count == 1)
            try context.save()
            #expect(try fixture.store.fetch(UpsertAlbum.self).count() == 0)
            withExtendedLifetime((fixture, context)) {}
        }
    }
}
