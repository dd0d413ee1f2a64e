import TestSupport
import Testing
@testable import TestModels
@testable import Trove

/// Updates and deletions by query, and queries inside write transactions.
@Suite struct ChangingTests {
    private static let indexes: [IndexSet] = [.none, .year, .artistYear, .all]

    @Test(arguments: Engine.allCases, indexes)
    func updatesAndDeletionsAreThoseOfPlainSwift(_ engine: Engine, _ indexes: IndexSet) throws {
        var random = SeededGenerator(seed: 99)
        let (fixture, start) = try indexes.fixture(engine, count: 150, &random)
        var tracks = start
        for number in 0..<12 {
            let query = OracleQuery.random(&random, tracks)
            let chosen = Set(query.answer(tracks).map(\.id))
            let fetch = query.fetch(fixture.store.fetch(Tune.self))
            if number.isMultiple(of: 3) {
                #expect(try fetch.delete() == chosen.count, "\(query)")
                tracks.removeAll { chosen.contains($0.id) }
            } else {
                // It changes the very values that are searched for and sorted by.
                let count = try fetch.update { track in
                    track.year += 1
                    track.artist = track.artist + "x"
                }
                #expect(count == chosen.count, "\(query)")
                for index in tracks.indices where chosen.contains(tracks[index].id) {
                    tracks[index].year += 1
                    tracks[index].artist += "x"
                }
            }
            #expect(try fixture.store.fetch(Tune.self).all().map(\.year) == tracks.map(\.year))
            let check = OracleQuery.random(&random, tracks)
            #expect(try check.fetch(fixture.store.fetch(Tune.self)).ids() == check.answer(tracks).map(\.id), "\(check)")
        }
    }

    /// What the closure of an update does in the same transaction is heeded: the record may be another one than was read.
    @Test(arguments: Engine.allCases)
    func anUpdateWhoseClosureChangesRecords(_ engine: Engine) throws {
        var random = SeededGenerator(seed: 7)
        let (fixture, start) = try IndexSet.all.fixture(engine, count: 40, &random)
        let counts = try fixture.store.write { transaction in
            let all = transaction.fetch(Tune.self)
            // Another update inside of it, over other records of the same model.
            let nested = try all.where { $0.id == start[0].id }.update { outer in
                outer.year = 1_001
                try transaction.fetch(Tune.self).where { $0.id == start[1].id }.update { $0.year = 1_002 }
            }
            // The same record saved and deleted inside of it.
            let saved = try all.where { $0.id == start[2].id }.update { track in
                var between = track
                between.artist = "between"
                try transaction.save(between)
                track.artist = "after"
            }
            let deleted = try all.where { $0.id == start[3].id }.update { track in
                try transaction.delete(track)
                track.artist = "back again"
            }
            return [nested, saved, deleted]
        }
        #expect(counts == [1, 1, 1])
        let found = try fixture.store.fetch(Tune.self).all()
        #expect(found.first { $0.id == start[0].id }?.year == 1_001)
        #expect(found.first { $0.id == start[1].id }?.year == 1_002)
        #expect(found.first { $0.id == start[2].id }?.artist == "after")
        #expect(found.first { $0.id == start[3].id }?.artist == "back again")
        #expect(try fixture.store.fetch(Tune.self).where { $0.artist == "between" }.count() == 0)
        #expect(try fixture.store.verify().isSound)
    }

    /// What the closure of an update reads for an update of its own, which then changes nothing, is another record than the one that is replaced.
    @Test(arguments: Engine.allCases)
    func anUpdateWhoseClosureReadsOtherRecords(_ engine: Engine) throws {
        let fixture = try Tune.$declared.withValue(IndexSet.all.indexes) {
            try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Tune.self, Song.self) }
        }
        let tunes = (0..<4).map { Tune(artist: "\($0)", year: 1960 + $0, rating: nil, tags: ["\($0)"], title: "\($0)", seconds: Int32($0)) }
        try fixture.store.save(tunes)
        var song = Song(title: "", artist: "", year: 1, rating: nil)
        song.id = tunes[2].id
        try fixture.store.save(song)
        try fixture.store.write { transaction in
            try transaction.fetch(Tune.self).where { $0.id == tunes[0].id }.update { tune in
                try transaction.fetch(Tune.self).where { $0.id == tunes[1].id }.update(\.rating, adding: 1)
                tune.year += 10
            }
            // A record of another model under the same key.
            try transaction.fetch(Tune.self).where { $0.id == tunes[2].id }.update { tune in
                try transaction.fetch(Song.self).update(\.rating, adding: 1)
                tune.year += 10
            }
            try transaction.fetch(Tune.self).where { $0.id == tunes[3].id }.update { tune in
                _ = try transaction.fetch(Tune.self).sorted(by: \.year).all()
                tune.year += 10
            }
            let plan = try transaction.fetch(Tune.self).where { $0.year == 1_970 }.explain(running: false)
            #expect(!plan.indexes.isEmpty, "no record was taken for a damaged one, for which indexes are built anew")
        }
        #expect(try fixture.store.fetch(Tune.self).sorted(by: \.year).all().map(\.year) == [1961, 1970, 1972, 1973])
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases)
    func anUpdateThatMovesObjectsAheadChangesEachOnce(_ engine: Engine) throws {
        var random = SeededGenerator(seed: 5)
        let (fixture, tracks) = try IndexSet.year.fixture(engine, count: 100, &random)
        let above = Filter.comparison(.path("year"), .greater, .value(.int(1900)))
        #expect(try fixture.store.fetch(Tune.self).where(above).sorted(by: \.year).update { $0.year += 1 } == 100)
        #expect(try fixture.store.fetch(Tune.self).all().map(\.year) == tracks.map { $0.year + 1 })
        try fixture.store.write { transaction in
            var seen: Set<ObjectID> = []
            try transaction.fetch(Tune.self).sorted(by: \.year).forEach { track, _ in
                #expect(seen.insert(track.id).inserted, "no object comes twice")
                var moved = track
                moved.year += 5
                try transaction.save(moved)
            }
            #expect(seen.count == 100)
        }
        #expect(try fixture.store.fetch(Tune.self).all().map(\.year) == tracks.map { $0.year + 6 })
    }

    @Test(arguments: Engine.allCases, indexes)
    func transactionsSeeTheirOwnChanges(_ engine: Engine, _ indexes: IndexSet) throws {
        var random = SeededGenerator(seed: 31)
        let (fixture, start) = try indexes.fixture(engine, count: 60, &random)
        try fixture.store.write { transaction in
            var tracks = start
            for _ in 0..<8 {
                let added = Tune.random(&random)
                try transaction.save(added)
                tracks.append(added)
                let removed = tracks.remove(at: Int.random(in: 0..<tracks.count, using: &random))
                try transaction.delete(removed)
                tracks.sort { $0.id < $1.id }
                let query = OracleQuery.random(&random, tracks)
                #expect(try query.fetch(transaction.fetch(Tune.self)).ids() == query.answer(tracks).map(\.id), "\(query)")
            }
        }
    }

    @Test func anUpdateMayNotChangeTheID() throws {
        var random = SeededGenerator(seed: 1)
        let (fixture, tracks) = try IndexSet.year.fixture(.memory, count: 3, &random)
        #expect { try fixture.store.fetch(Tune.self).update { $0.id = ObjectID() } } throws: { error in
            guard case TroveError.invalidQuery = error else { return false }
            return true
        }
        #expect(try fixture.store.fetch(Tune.self).ids() == tracks.map(\.id))
    }
}
