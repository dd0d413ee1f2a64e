import Foundation
import TestSupport
import Testing
import TroveTesting

@testable import TestModels
@testable import Trove

/// What a snapshot shows: the one state, in every way of reading, whatever is committed.
@Suite struct StoreSnapshotTests {
    private func byTitle(_ left: Song, _ right: Song) -> Bool { left.title == right.title ? left.id < right.id : left.title < right.title }

    @Test(arguments: Engine.keepingSnapshots) func itStaysAsItIs(engine: Engine) throws {
        let (fixture, songs) = try StoreFixture.ofSongs(engine)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store
        let notes = (0..<20).map { Document(["n": .int(Int64($0))]) }
        try store.documents("notes").save(notes)
        let bag = Bag(named: "best", in: store)
        bag.add(songs[3])
        bag.add(songs[5])
        try bag.save()
        let snapshot = try store.snapshot()

        var changed = songs
        for index in changed.indices { changed[index].title += "!" }
        try store.save(changed)
        try store.delete(Song.self, ids: songs[..<50].map(\.id))
        try store.save((200..<300).map(Song.sample))
        try store.documents("notes").deleteAll()
        try store.documents("later").save(Document(["n": 1]))
        try store.deleteBag(named: "best")

        #expect(try snapshot.fetch(Song.self).all() == songs.sorted { $0.id < $1.id })
        #expect(try snapshot.fetch(Song.self).count() == 100)
        #expect(try snapshot.fetch(Song.self, id: songs[7].id) == songs[7])
        #expect(try snapshot.fetch(Song.self, ids: [songs[9].id, songs[2].id]) == [songs[9], songs[2]])
        #expect(try snapshot.contains(Song.self, id: songs[0].id))
        #expect(try snapshot.fetch(Song.self).where { $0.year > 1_950 }.ids() == songs.filter { $0.year > 1_950 }.map(\.id).sorted())
        #expect(try snapshot.fetch(Song.self, "artist = ?", "Artist 3").count() == songs.count { $0.artist == "Artist 3" })
        #expect(try snapshot.fetch(Song.self).sum(\.year) == songs.map(\.year).reduce(0, +))
        #expect(try snapshot.fetch(Song.self).maximum(\.rating) == songs.compactMap(\.rating).max())
        #expect(try snapshot.documents("notes").fetch().all() == notes.sorted { $0.id < $1.id })
        #expect(try snapshot.documents("later").count() == 0)
        #expect(try snapshot.read { try $0.collectionNames() } == ["notes"])
        // Its members are those of the state, and it is the store's.
        let best = try #require(try snapshot.bag(named: "best"))
        #expect(best.count == 2)
        #expect(try snapshot.fetch(Song.self, in: best).all() == [songs[3], songs[5]].sorted { $0.id < $1.id })
        #expect(try best.fetch(Song.self).count() == 0)
        #expect(try snapshot.counts()["Song"] == 100)
        #expect(try store.fetch(Song.self).count() == 150)
        #expect(try store.bag(named: "best") == nil)

        let later = try store.snapshot()
        let new = try later.fetch(Song.self).ids().filter { try !snapshot.contains(Song.self, id: $0) }
        #expect(new.count == 100)
        #expect(try snapshot.fetch(Song.self).count() == 100)
    }

    /// Pages, of minutes apart as it were, have each song once.
    @Test(arguments: Engine.keepingSnapshots) func pagesAreOfOneState(engine: Engine) throws {
        let (fixture, songs) = try StoreFixture.ofSongs(engine)
        defer { withExtendedLifetime(fixture) {} }
        let snapshot = try fixture.store.snapshot()
        let fetch = snapshot.fetch(Song.self).sorted(by: \.title)
        var (found, token): ([Song], ContinuationToken?) = ([], nil)
        repeat {
            let page = try fetch.page(30, after: token)
            found += page.objects
            token = page.next
            try fixture.store.deleteAll(Song.self)
            try fixture.store.save(Song.sample(1_000 + found.count))
        } while token != nil
        #expect(found == songs.sorted(by: byTitle))
    }

    /// Indexes come, go and are built anew; the snapshot has those of its state.
    @Test(arguments: Engine.keepingSnapshots) func indexesAreThoseOfTheState(engine: Engine) throws {
        let (fixture, _) = try StoreFixture.ofSongs(engine, count: 0)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store
        let tracks = (0..<60).map { Track(id: "t\($0)", artist: "a\($0 % 7)", year: Int32(1950 + $0 % 9), serial: $0, plays: UInt64($0)) }
        try store.save(tracks)
        let before = try store.snapshot()
        try store.createIndex("by plays", on: Track.self, \.plays)
        try store.rebuildIndexes(of: Track.self)
        try store.save((0..<60).map { Track(id: "t\($0)", artist: "b", year: 2000, serial: 100 + $0) })
        let after = try store.snapshot()
        try store.dropIndex(named: "by plays", of: Track.self)
        for _ in 0..<2 {
            #expect(try before.fetch(Track.self).where { $0.artist == "a3" }.ids() == tracks.filter { $0.artist == "a3" }.map(\.id).sorted())
            #expect(try before.fetch(Track.self).where { $0.year == 1_953 }.sum(\.plays) == tracks.filter { $0.year == 1_953 }.reduce(0) { $0 + $1.plays })
            #expect(try before.fetch(Track.self).where { $0.serial == 9 }.first() == tracks[9])
            #expect(try after.fetch(Track.self).where { $0.plays > 5 }.count() == 0)
            #expect(try after.fetch(Track.self).where { $0.artist == "b" }.count() == 60)
            #expect(try after.fetch(Track.self).where { $0.serial == 9 }.first() == nil)
            #expect(try store.fetch(Track.self).where { $0.artist == "b" }.count() == 60)
        }
    }

    /// What points where in an old state is nothing that the store goes by.
    @Test(arguments: Engine.keepingSnapshots) func relationshipsAreThoseOfTheState(engine: Engine) throws {
        let (fixture, _) = try StoreFixture.ofSongs(engine, count: 1)
        let store = fixture.store
        let snapshot = try store.snapshot()
        let other = try ObjectStore(engine.open(fixture.directory.file()), models: Country.self)
        let newest = try store.read { try $0.relationships }
        let old = try snapshot.read { try $0.relationships }
        #expect(old !== newest)
        #expect(store.core.rules === newest.rules)
        snapshot.close()
        try other.close()
    }

    @Test(arguments: Engine.keepingSnapshots) func asynchronousReads(engine: Engine) async throws {
        let (fixture, songs) = try StoreFixture.ofSongs(engine)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store
        let snapshot = try await store.snapshot()
        try await store.deleteAll(Song.self)
        #expect(try await snapshot.fetch(Song.self).all() == songs.sorted { $0.id < $1.id })
        #expect(try await snapshot.fetch(Song.self).count() == 100)
        #expect(try await snapshot.fetch(Song.self, id: songs[4].id) == songs[4])
        #expect(try await snapshot.fetch(Song.self, ids: [songs[4].id]) == [songs[4]])
        #expect(try await snapshot.contains(Song.self, id: songs[4].id))
        #expect(try await snapshot.fetch(Song.self).sum(\.year) == songs.map(\.year).reduce(0, +))
        #expect(try await snapshot.read { try $0.fetch(Song.self).first() } == songs.min { $0.id < $1.id })
        #expect(try await snapshot.counts()["Song"] == 100)
        var streamed: [Song] = []
        for try await song in snapshot.fetch(Song.self).sorted(by: \.title).stream(batchSize: 7) {
            streamed.append(song)
            if streamed.count % 20 == 0 { try await store.save(Song.sample(500 + streamed.count)) }
        }
        #expect(streamed == songs.sorted(by: byTitle))
        // The stream keeps the snapshot.
        var first: [Song] = []
        for try await song in try await store.snapshot().fetch(Song.self).stream(batchSize: 1) { first.append(song) }
        #expect(first.count == 5)
    }

    /// Tasks and threads beside a writer.
    @Test(arguments: Engine.keepingSnapshots) func manyUseOne(engine: Engine) async throws {
        let (fixture, songs) = try StoreFixture.ofSongs(engine)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store
        let snapshot = try await store.snapshot()
        let expected = songs.sorted { $0.id < $1.id }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask {
                    switch number % 4 {
                    case 0: try await snapshot.fetch(Song.self).all() == expected
                    case 1: try await onThread { try snapshot.fetch(Song.self).all() } == expected
                    case 2: try await snapshot.read { try $0.fetch(Song.self).count() } == 100
                    default:
                        try await store.write { transaction in
                            try transaction.deleteAll(Song.self)
                            try transaction.save(Song.sample(number))
                            return true
                        }
                    }
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test(arguments: Engine.keepingSnapshots) func readsInsideOfReads(engine: Engine) throws {
        let (fixture, songs) = try StoreFixture.ofSongs(engine)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store
        let snapshot = try store.snapshot()
        try snapshot.read { transaction in
            try store.delete(songs[0])
            #expect(try transaction.contains(Song.self, id: songs[0].id))
            #expect(try snapshot.contains(Song.self, id: songs[0].id))
            #expect(try !store.contains(Song.self, id: songs[0].id))
            var found: [Song?] = []
            try transaction.fetch(Song.self).limit(3).forEach { song, _ in found.append(try snapshot.fetch(Song.self, id: song.id)) }
            #expect(found == Array(songs[..<3]))
            let nested = try store.snapshot()
            #expect(try nested.fetch(Song.self).count() == 99)
        }
        // One that is taken inside of a write has the state before it.
        let inside = try store.write { transaction in
            try transaction.deleteAll(Song.self)
            return try store.snapshot()
        }
        #expect(try inside.fetch(Song.self).count() == 99)
        #expect(try store.fetch(Song.self).count() == 0)
    }

    /// Its transactions are those of their closures, and an error ends one alone.
    @Test(arguments: Engine.keepingSnapshots) func transactionsEndWithTheirClosures(engine: Engine) throws {
        struct Refusal: Error {}
        let (fixture, _) = try StoreFixture.ofSongs(engine)
        defer { withExtendedLifetime(fixture) {} }
        let snapshot = try fixture.store.snapshot()
        let kept = try snapshot.read { $0 }
        #expect { try kept.fetch(Song.self).count() } throws: { if case TroveError.transactionFinished = $0 { true } else { false } }
        #expect(throws: Refusal.self) { try snapshot.read { _ in throw Refusal() } }
        #expect(try snapshot.fetch(Song.self).count() == 100)
    }

    /// Through wrappers, and on an engine that is taken for one across a network.
    @Test(arguments: Engine.keepingSnapshots) func wrappedEngines(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let store = try ObjectStore(CountingBackend(LimitedSnapshotBackend(engine.open(directory.file()), limit: 1)), models: Song.self)
        let songs = (0..<50).map(Song.sample)
        try store.save(songs)
        let snapshot = try store.snapshot()
        try store.deleteAll(Song.self)
        #expect(try snapshot.fetch(Song.self).sorted(by: \.year).all().count == 50)
        try store.close()
    }

    @Test(arguments: [Engine.sqlite, .lmdb]) func storesThatAreOnlyRead(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let writing = try ObjectStore(engine.open(directory.file()), models: Song.self)
        try writing.save((0..<10).map(Song.sample))
        let reading = try ObjectStore(engine.open(directory.file()), access: .readOnly, models: Song.self)
        let snapshot = try reading.snapshot()
        try writing.deleteAll(Song.self)
        #expect(try snapshot.fetch(Song.self).count() == 10)
        #expect(throws: StorageError.self) { try reading.compact() }
        try reading.close()
        #expect(snapshot.isClosed)
        try writing.close()
    }
}
