import TestSupport
import Testing

@testable import Trove

/// What an upsert finds of objects that are stored in an older layout, that have left the context, or that the given one holds.
@Suite struct UpsertFindingTests {
    fileprivate enum Before {
        @Model("UpsertWork") struct Work {
            @Attribute(.unique) var code: String
        }
    }

    @Model("UpsertWork") fileprivate final class Work {
        @Attribute(.unique) var code: String
        @Attribute(.writeOnce) var source: String = "none"

        init(code: String, source: String) {
            self.code = code
            self.source = source
        }
    }

    /// The default value of a property that came later was never written.
    @Test(arguments: Engine.allCases) func whatTheStoredRecordLacksIsWrittenOnce(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Before.Work.self) }
        try fixture.store.save(Before.Work(code: "A"))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Work.self) }
        let context = ObjectContext(fixture.store)
        let work = try context.upsert(Work(code: "A", source: "first"))
        #expect(work.source == "first")
        try context.save()
        #expect(try context.upsert(Work(code: "A", source: "second")) === work && work.source == "first" && !context.hasChanges)
        #expect(try fixture.store.fetch(Work.self).all().map(\.source) == ["first"])
        withExtendedLifetime((fixture, context)) {}
    }

    /// A value that lies apart from its record, or in no record yet, is found as others are.
    @Test(arguments: Engine.allCases) func aLazyUniqueValue(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: UpsertScan.self) }
        let texts = ["a", "b", "c"].map { String(repeating: $0, count: 200) }
        try fixture.store.save(UpsertScan(text: texts[0], title: "old"))
        let context = ObjectContext(fixture.store)
        let scan = try context.upsert(UpsertScan(text: texts[0], title: "new"))
        #expect(scan.title == "new" && context.insertedObjects.isEmpty)
        let other = UpsertScan(text: texts[1])
        #expect(try context.upsert(other) === other)
        #expect(try context.fetchOrInsert(UpsertScan(text: texts[1])) === other)
        scan.text = texts[2]
        #expect(try context.fetchOrInsert(UpsertScan(text: texts[2])) === scan)
        try context.save()
        #expect(try fixture.store.fetch(UpsertScan.self).count() == 2)
        #expect(try fixture.store.verify().isSound)
        withExtendedLifetime((fixture, context)) {}
    }

    /// Lazy values that nobody has read come along from another store.
    @Test(arguments: Engine.allCases) func lazyValuesOfAnotherStore(engine: Engine) throws {
        let (fixture, other) = (try upsertFixture(engine), try upsertFixture(engine))
        let texts = ["a", "b", "c", "d"].map { String(repeating: $0, count: 200) }
        for (number, text) in texts.enumerated() {
            let (old, new) = (UpsertSong(isrc: "\(number)"), UpsertSong(isrc: "\(number)"))
            (old.text, new.text) = (String(repeating: "old", count: 100), text)
            try other.store.save(old)
            try fixture.store.save(new)
        }
        let given = try fixture.store.fetch(UpsertSong.self).sorted(by: \.isrc).all()
        let context = ObjectContext(other.store)
        let songs = try context.upsert(given)
        #expect(songs[0].text == texts[0] && context.changedObjects.count == 4)
        try context.save()
        #expect(try other.store.fetch(UpsertSong.self).sorted(by: \.isrc).all().map(\.text) == texts)
        #expect(songs.map(\.text) == texts && context.faultErrors.isEmpty)
        #expect(try other.store.verify().isSound)
        withExtendedLifetime((fixture, other, context)) {}
    }

    /// What an object that has left goes on to change is nothing to the one that has come with its id.
    @Test(arguments: Engine.allCases) func theNextObjectWithAnIDKeepsItsValues(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        let context = ObjectContext(fixture.store)
        let left = UpsertSeat(row: 1, place: 1, code: "a")
        for row in 2...5 { try context.insert(UpsertSeat(row: row, place: 1)) }
        try context.insert(left)
        try context.fetchOrInsert(UpsertSeat(row: 6, place: 1, code: "x"))
        try context.delete(left)
        let seat = UpsertSeat(row: 1, place: 1, code: "b")
        try context.insert(seat)
        #expect(try context.fetchOrInsert(UpsertSeat(row: 7, place: 1, code: "b")) === seat)
        left.code = "c"
        #expect(try context.fetchOrInsert(UpsertSeat(row: 8, place: 1, code: "b")) === seat)
        withExtendedLifetime((fixture, context)) {}
    }

    @Test(arguments: Engine.allCases) func severalInsertionsAreOneStep(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        let context = ObjectContext(fixture.store, options: ContextOptions(undo: .unlimited))
        try context.insert(UpsertTag("before"))
        try context.fetchOrInsert(["A", "B"].map { UpsertSong(isrc: $0) })
        #expect(context.undoNames.count == 2)
        #expect(try context.undo() && context.insertedObjects.count == 1)
        withExtendedLifetime((fixture, context)) {}
    }

    /// What an object holds counts only where it is stored.
    @Test(arguments: Engine.allCases) func anObjectThatIsFoundStoresNothingThatTheGivenOneHolds(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        let song = UpsertSong(isrc: "A")
        try fixture.store.save(song)
        song.album = UpsertAlbum("new")
        try fixture.store.write { transaction in
            let found = try transaction.fetchOrInsert(song)
            #expect(found.id == song.id)
            let all = try transaction.fetchOrInsert([song])
            #expect(all.count == 1)
        }
        #expect(try fixture.store.fetch(UpsertAlbum.self).count() == 0)
        let other = UpsertSong(isrc: "B")
        other.album = UpsertAlbum("other")
        #expect(throws: TroveError.self) { try fixture.store.write { _ = try $0.fetchOrInsert(other) } }
        #expect(try fixture.store.fetch(UpsertSong.self).count() == 1)
    }

    /// Of several objects each meets those before it: new ones, ones that are changed by it, and ones that come back.
    @Test(arguments: Engine.allCases) func eachMeetsThoseBeforeIt(engine: Engine) throws {
        let fixture = try upsertFixture(engine)
        try fixture.store.save(UpsertSong(isrc: "S"))
        let context = ObjectContext(fixture.store)
        try context.insert((0..<9).map { UpsertSong(isrc: "\($0)") })
        let stored = try context.upsert(UpsertSong(isrc: "S", artist: "a", number: 1))
        // None has left the context: all that are pending are looked at once.
        let given = [
            UpsertSong(isrc: "S", artist: "b", number: 2), UpsertSong(artist: "b", number: 2, title: "met"), UpsertSong(artist: "a", number: 1),
            UpsertSong(isrc: "N"), UpsertSong(isrc: "N", title: "last"),
        ]
        let songs = try context.upsert(given)
        #expect(songs[0] === stored && songs[1] === stored && songs[2] === given[2] && stored.title == "met")
        #expect(songs[3] === given[3] && songs[4] === given[3] && given[3].title == "last")
        let deleted = UpsertSong(isrc: "D")
        try context.insert(deleted)
        try context.delete(deleted)
        let back = try context.upsert([deleted, UpsertSong(isrc: "D", title: "back")])
        #expect(back[0] === deleted && back[1] === deleted && deleted.title == "back")
        withExtendedLifetime((fixture, context)) {}
    }
}
