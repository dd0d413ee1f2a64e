import TestSupport
import Testing

@testable import Trove

/// New objects whose unique values another context has stored since.
@Suite struct UniqueConflictTests {
    /// A context that has inserted an album with the song A and a note of it, and a store in which another one has stored that song since.
    private func sides(_ fixture: StoreFixture, _ policy: UniqueConflictPolicy) throws -> (mine: ObjectContext, new: UpsertSong) {
        let mine = ObjectContext(fixture.store, options: ContextOptions(uniqueConflicts: policy))
        let (new, album) = (UpsertSong(isrc: "A", artist: "mine", title: "mine"), UpsertAlbum("mine"))
        album.songs = [UpsertSong(isrc: "B"), new, UpsertSong(isrc: "C")]
        try mine.insert(UpsertNote("n", song: new))
        try mine.insert(album)
        let stored = UpsertSong(isrc: "A", artist: "theirs")
        stored.source = "theirs"
        let theirs = ObjectContext(fixture.store)
        let others = UpsertAlbum("theirs")
        others.songs = [stored]
        try theirs.insert(others)
        try theirs.save()
        withExtendedLifetime(theirs) {}
        return (mine, new)
    }

    @Test(arguments: Engine.allCases) func byDefaultItIsAnError(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        let sides = try sides(fixture, .error)
        #expect { try sides.mine.save() } throws: { error in
            guard case TroveError.uniqueViolation("UpsertSong", "unique isrc", let values, _, _) = error else { return false }
            return values.contains("A")
        }
        #expect(sides.mine.insertedObjects.count == 5)
        #expect(try fixture.store.fetch(UpsertSong.self).count() == 1)
    }

    @Test(arguments: Engine.allCases) func theNewObjectWins(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        let sides = try sides(fixture, .objectWins)
        try sides.mine.save()
        try check(fixture, sides.mine, title: "mine", artist: "mine", source: "theirs", album: "mine", songs: ["B", "A", "C"])
        #expect(sides.new.modelContext == nil && !sides.mine.hasChanges)
    }

    @Test(arguments: Engine.allCases) func theStoredObjectWins(engine: Engine) async throws {
        let fixture = try upsertFixture(engine)
        let sides = try sides(fixture, .storeWins)
        try await sides.mine.save()
        try check(fixture, sides.mine, title: "", artist: "theirs", source: "theirs", album: "theirs", songs: ["B", "C"])
        #expect(sides.new.modelContext == nil && !sides.mine.hasChanges)
    }

    private func check(
        _ fixture: StoreFixture, _ mine: ObjectContext, title: String, artist: String, source: String, album: String, songs: [String]
    ) throws {
        let other = ObjectContext(fixture.store)
        for context in [mine, other] {
            let song = try #require(try context.fetch(UpsertSong.self).where { $0.isrc == "A" }.first())
            #expect(song.title == title && song.artist == artist && song.source == source && song.album?.name == album)
            #expect(try context.fetch(UpsertNote.self).first()?.song === song)
            #expect(try context.fetch(UpsertAlbum.self).where { $0.name == "mine" }.first()?.songs.map(\.isrc) == songs)
        }
        #expect(try fixture.store.fetch(UpsertSong.self).count() == 3)
        withExtendedLifetime(other) {}
    }

    /// What owns objects keeps those that it has, and gains those of the one that gives way.
    @Test(arguments: Engine.allCases) func theStoredObjectGainsTheOthersObjects(engine: Engine) throws {
        for policy in [UniqueConflictPolicy.storeWins, .objectWins] {
            let fixture = try upsertFixture(engine)
            let mine = ObjectContext(fixture.store, options: ContextOptions(uniqueConflicts: policy))
            let (new, tag) = (UpsertSong(isrc: "B"), UpsertTag("x"))
            new.album = UpsertAlbum("ALBUM")
            new.tags = [tag]
            try mine.insert(new)
            let theirs = ObjectContext(fixture.store)
            let (old, other) = (UpsertSong(isrc: "A"), UpsertTag("x"))
            old.album = UpsertAlbum("album")
            old.tags = [other]
            try theirs.insert(old)
            try theirs.save()
            try mine.save()
            let context = ObjectContext(fixture.store)
            let (album, shared) = (try #require(try context.fetch(UpsertAlbum.self).first()), try #require(try context.fetch(UpsertTag.self).first()))
            #expect(album.songs.map(\.isrc) == ["A", "B"] && album.songs.allSatisfy { $0.album === album && $0.tags == [shared] })
            #expect(Set(shared.songs.map(\.isrc)) == ["A", "B"] && album.name == (policy == .storeWins ? "album" : "ALBUM"))
            #expect(new.album?.songs.count == 2 && new.tags.count == 1)
            #expect(try fixture.store.fetch(UpsertAlbum.self).count() == 1)
            withExtendedLifetime((fixture, mine, theirs, context)) {}
        }
    }

    /// Objects that are handed over with the save come into the context once, and leave it when no try succeeds.
    @Test(arguments: Engine.allCases) func objectsHandedOver(engine: Engine) async throws {
        let fixture = try upsertFixture(engine)
        let context = ObjectContext(fixture.store, options: ContextOptions(uniqueConflicts: .objectWins))
        try await fixture.store.save([UpsertSong(isrc: "A", artist: "a", number: 1), UpsertSong(isrc: "B", artist: "b", number: 2)])
        let (new, note) = (UpsertSong(isrc: "A", artist: "c", title: "new"), UpsertNote("n", song: nil))
        note.song = new
        try await context.save(inserting: [note])
        #expect(note.song?.title == "new" && note.song !== new && new.modelContext == nil)
        #expect(try await fixture.store.fetch(UpsertSong.self).count() == 2)
        let both = UpsertSong(isrc: "A", artist: "b", number: 2)
        await #expect(throws: TroveError.self) { try await context.save(inserting: [both]) }
        #expect(!context.hasChanges && both.modelContext == nil && context.faultErrors.isEmpty)
        withExtendedLifetime((fixture, context)) {}
    }

    /// What no stored object can stand for stays an error, and the context keeps all.
    @Test(arguments: Engine.allCases) func whatCannotBeSettled(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        let context = ObjectContext(fixture.store, options: ContextOptions(uniqueConflicts: .objectWins))
        try fixture.store.save([UpsertSong(isrc: "A", artist: "a", number: 1), UpsertSong(isrc: "B", artist: "b", number: 2)])
        // The values of two stored ones.
        let both = UpsertSong(isrc: "A", artist: "b", number: 2)
        try context.insert(both)
        #expect { try context.save() } throws: { isViolation($0) }
        #expect(context.insertedObjects.count == 1)
        try context.rollback()
        // Two new ones.
        try context.insert([UpsertSong(isrc: "C"), UpsertSong(isrc: "C")])
        #expect { try context.save() } throws: { isViolation($0) }
        #expect(context.insertedObjects.count == 2)
        try context.rollback()
        // One that is only changed.
        let song = try #require(try context.fetch(UpsertSong.self).where { $0.isrc == "A" }.first())
        song.isrc = "B"
        #expect { try context.save() } throws: { isViolation($0) }
        #expect(context.changedObjects.count == 1)
        withExtendedLifetime((fixture, context)) {}
    }

    private func isViolation(_ error: any Error) -> Bool { if case TroveError.uniqueViolation = error { true } else { false } }

    private static let ways: [(UniqueConflictPolicy, UndoLimit)] = [(.storeWins, .none), (.objectWins, .none), (.storeWins, .steps(9)), (.objectWins, .steps(9))]

    private func song(_ isrc: String, _ context: ObjectContext) throws -> UpsertSong {
        try #require(try context.fetch(UpsertSong.self).where { $0.isrc == isrc }.first())
    }

    /// What is settled for one class is not inserted again when another one is settled.
    @Test(.timeLimit(.minutes(2)), arguments: Engine.allCases) func twoClassesHandedOver(engine: Engine) async throws {
        for (policy, undo) in Self.ways {
            let fixture = try upsertFixture(engine)
            try await fixture.store.save(UpsertTag("x"))
            try await fixture.store.save(UpsertSong(isrc: "A", title: "old"))
            let context = ObjectContext(fixture.store, options: ContextOptions(uniqueConflicts: policy, undo: undo))
            let (tag, song) = (UpsertTag("x"), UpsertSong(isrc: "A", title: "new"))
            let note = UpsertNote("n", song: song)
            try await context.save(inserting: [tag, song, note])
            #expect(tag.modelContext == nil && song.modelContext == nil && note.song !== song && !context.hasChanges)
            #expect(note.song?.title == (policy == .storeWins ? "old" : "new"))
            #expect(try await fixture.store.fetch(UpsertTag.self).count() == 1)
            #expect(try await fixture.store.fetch(UpsertSong.self).count() == 1)
            if undo != .none {
                // It is one step, which takes the stored one's new values back too.
                #expect(try context.undo() && !context.canUndo)
                try await context.save()
                #expect(try await fixture.store.fetch(UpsertNote.self).count() == 0)
                #expect(try await fixture.store.fetch(UpsertSong.self).all().map(\.title) == ["old"])
            }
            withExtendedLifetime((fixture, context)) {}
        }
    }

    /// Where a deletion is pending, each try settles two objects.
    @Test(.timeLimit(.minutes(2)), arguments: Engine.allCases) func handedOverBesideADeletion(engine: Engine) async throws {
        for (policy, undo) in Self.ways {
            let fixture = try upsertFixture(engine)
            try await fixture.store.save([UpsertSong(isrc: "A"), UpsertSong(isrc: "B"), UpsertSong(isrc: "C")])
            let context = ObjectContext(fixture.store, options: ContextOptions(uniqueConflicts: policy, undo: undo))
            try context.delete(song("C", context))
            let (one, two) = (UpsertSong(isrc: "A"), UpsertSong(isrc: "B"))
            try await context.save(inserting: [one, two])
            #expect(one.modelContext == nil && two.modelContext == nil && !context.hasChanges)
            #expect(try await Set(fixture.store.fetch(UpsertSong.self).all().map(\.isrc)) == ["A", "B"])
            withExtendedLifetime((fixture, context)) {}
        }
    }

    /// A context with a new song that a stored one can stand for, a note of it, and a new song that none can.
    private func halfSettled(_ fixture: StoreFixture, _ policy: UniqueConflictPolicy, _ undo: UndoLimit) throws -> (ObjectContext, UpsertNote, UpsertSong) {
        try fixture.store.save([UpsertSong(isrc: "A"), UpsertSong(isrc: "B", artist: "b", number: 2), UpsertSong(isrc: "C", artist: "c", number: 3)])
        let context = ObjectContext(fixture.store, options: ContextOptions(uniqueConflicts: policy, undo: undo))
        return (context, UpsertNote("n", song: UpsertSong(isrc: "A", title: "mine")), UpsertSong(isrc: "B", artist: "c", number: 3))
    }

    @Test(arguments: Engine.allCases) func aSaveThatFailsAfterAllKeepsTheNewObject(engine: Engine) async throws {
        for (policy, undo) in Self.ways {
            for isAsync in [false, true] {
                let fixture = try upsertFixture(engine)
                let (context, note, both) = try halfSettled(fixture, policy, undo)
                let (new, stored) = (try #require(note.song), try song("A", context))
                try context.insert([note, both])
                await #expect { if isAsync { try await context.save() } else { try save(context) } } throws: { isViolation($0) }
                #expect(context.insertedObjects.count == 3 && context.changedObjects.isEmpty && context.deletedObjects.isEmpty)
                #expect(note.song === new && new.modelContext === context && new.title == "mine" && stored.title == "")
                // Without what nobody can settle the save does as it should.
                both.isrc = "D"
                both.number = nil
                try await context.save()
                #expect(note.song === stored && stored.title == (policy == .storeWins ? "" : "mine") && new.modelContext == nil)
                #expect(try await fixture.store.fetch(UpsertSong.self).count() == 4)
                withExtendedLifetime((fixture, context)) {}
            }
        }
    }

    /// A lazy value that the stored object was given, and that lies in no record yet, comes back with the others.
    @Test(arguments: Engine.allCases) func aLazyValueThatTheNewObjectTookThePlaceOf(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        let (context, note, both) = try halfSettled(fixture, .objectWins, .none)
        let (new, stored) = (try #require(note.song), try song("A", context))
        let texts = ["stored", "new", "both"].map { String(repeating: $0, count: 100) }
        (stored.text, new.text, both.text) = (texts[0], texts[1], texts[2])
        try context.insert([note, both])
        #expect { try context.save() } throws: { isViolation($0) }
        #expect([stored.text, new.text, both.text] == texts && context.faultErrors.isEmpty)
        (new.isrc, both.isrc, both.number) = ("D", "E", nil)
        try context.save()
        #expect(try fixture.store.fetch(UpsertSong.self).where { $0.text == texts[0] }.first()?.isrc == "A")
        #expect(try fixture.store.fetch(UpsertSong.self).count() == 5)
        withExtendedLifetime((fixture, context)) {}
    }

    /// The blocking save, also in an asynchronous function.
    private func save(_ context: ObjectContext) throws { try context.save() }

    @Test(arguments: Engine.allCases) func aFailedSaveOfWhatIsHandedOverLeavesNothing(engine: Engine) throws {
        for policy in [UniqueConflictPolicy.storeWins, .objectWins] {
            let fixture = try upsertFixture(engine)
            let (context, note, both) = try halfSettled(fixture, policy, .none)
            #expect { try context.save(inserting: [note, both]) } throws: { isViolation($0) }
            #expect(!context.hasChanges && note.modelContext == nil && both.modelContext == nil)
            #expect(try context.fetch(UpsertSong.self).where { $0.isrc == "A" }.first()?.title == "")
            withExtendedLifetime((fixture, context)) {}
        }
    }

    /// In a bag the stored object takes the place of the one that has become it.
    @Test(arguments: Engine.allCases) func aMemberOfABag(engine: Engine) async throws {
        for (policy, undo) in Self.ways {
            for isAsync in [false, true] {
                let fixture = try upsertFixture(engine)
                try await fixture.store.save(UpsertSong(isrc: "A"))
                let context = ObjectContext(fixture.store, options: ContextOptions(uniqueConflicts: policy, undo: undo))
                let stored = try song("A", context)
                let bag = Bag(named: "bag", in: context)
                bag.add(contentsOf: [UpsertSong(isrc: "B"), UpsertSong(isrc: "A"), UpsertSong(isrc: "C")])
                if isAsync { try await bag.save() } else { try save(bag) }
                #expect(!bag.hasUnsavedChanges && !context.hasChanges)
                let songs = try objects(of: bag)
                #expect(songs.map(\.isrc) == ["B", "A", "C"] && songs[1] === stored)
                #expect(try await fixture.store.bag(named: "bag")?.count == 3)
                #expect(try await fixture.store.fetch(UpsertSong.self).count() == 3)
                withExtendedLifetime((fixture, context)) {}
            }
        }
    }

    private func save(_ bag: Bag) throws { try bag.save() }

    private func objects(of bag: Bag) throws -> [UpsertSong] { try bag.objects(of: UpsertSong.self) }

    fileprivate enum PageID: Int32, StorableKey { case cover = 1, index = 2, back = 3 }

    @Model("ConflictPage") fileprivate final class Page {
        let id: PageID
        @Attribute(.unique) var name: String

        init(_ id: PageID, _ name: String) {
            self.id = id
            self.name = name
        }
    }

    /// An id that shows itself otherwise than its stored value is known beside a pending deletion too.
    @Test(arguments: Engine.allCases) func idsOfOtherKindsBesideADeletion(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Page.self, UpsertTag.self, UpsertSong.self, UpsertAlbum.self) }
        try fixture.store.save(Page(.cover, "a"))
        try fixture.store.save(Page(.index, "b"))
        let context = ObjectContext(fixture.store, options: ContextOptions(uniqueConflicts: .storeWins))
        try context.delete(#require(try context.fetch(Page.self, id: .index)))
        try context.insert(Page(.back, "a"))
        try context.save()
        #expect(try fixture.store.fetch(Page.self).all().map(\.id) == [.cover])
        withExtendedLifetime((fixture, context)) {}
    }

    @Model("ConflictEntry") fileprivate final class Entry {
        @Attribute(.unique) var name: String
        @Transient var onSave: (() throws -> Void)?
        init(_ name: String) { self.name = name }

        func willSave() throws { try onSave?() }
    }

    /// A hook that inserts what is stored, with each try anew, gets the error instead of tries without end.
    @Test(.timeLimit(.minutes(5)), arguments: Engine.allCases) func aHookThatInsertsTheSameAgain(engine: Engine) async throws {
        for isAsync in [false, true] {
            let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Entry.self) }
            try await fixture.store.save(Entry("taken"))
            let context = ObjectContext(fixture.store, options: ContextOptions(uniqueConflicts: .storeWins))
            let entry = Entry("new")
            entry.onSave = { [unowned context] in try context.insert(Entry("taken")) }
            try context.insert(entry)
            await #expect { if isAsync { try await context.save() } else { try save(context) } } throws: { isViolation($0) }
            #expect(try await fixture.store.fetch(Entry.self).count() == 1)
            #expect(entry.modelContext === context)
            withExtendedLifetime((fixture, context)) {}
        }
    }
}
