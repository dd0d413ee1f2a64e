import TestSupport
import Testing

@testable import TestModels
@testable import Trove

@Suite struct SavingTests {
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Song.self, Edition.self, Country.self) }
    }

    @Test(arguments: Engine.allCases) func saveIsAnUpsert(engine: Engine) throws {
        let fixture = try fixture(engine)
        var song = Song.sample(1)
        try fixture.store.save(song)
        song.title = "Changed"
        try fixture.store.save(song)
        #expect(try fixture.store.fetch(Song.self, id: song.id) == song)
        #expect(try fixture.store.fetch(Song.self).count() == 1)
        try fixture.reopenStore()
        #expect(try fixture.store.fetch(Song.self).all() == [song])
    }

    @Test(arguments: Engine.allCases) func manyInOneTransaction(engine: Engine) throws {
        let fixture = try fixture(engine)
        let songs = (0..<3_000).map(Song.sample)
        try fixture.store.save(songs.shuffled())
        #expect(try fixture.store.fetch(Song.self).all() == songs, "ascending by id, which is the order they were made in")
        #expect(try fixture.store.fetch(Song.self).first() == songs[0])
        #expect(try fixture.store.fetch(Song.self).ids() == songs.map(\.id))
        #expect(try fixture.store.fetch(Song.self).count() == songs.count)
    }

    @Test(arguments: Engine.allCases) func lastOfEqualIdsWins(engine: Engine) throws {
        let fixture = try fixture(engine)
        let first = Song.sample(1)
        var second = first
        second.title = "second"
        try fixture.store.save([first, Song.sample(2), second])
        #expect(try fixture.store.fetch(Song.self, id: first.id)?.title == "second")
        #expect(try fixture.store.fetch(Song.self).count() == 2)
    }

    @Test(arguments: Engine.allCases) func insertRefusesAnExistingId(engine: Engine) throws {
        let fixture = try fixture(engine)
        let song = Song.sample(1)
        try fixture.store.insert(song)
        var other = song
        other.title = "other"
        #expect { try fixture.store.insert(other) } throws: { error in
            guard case TroveError.alreadyExists("Song", song.id.description) = error else { return false }
            return true
        }
        #expect(throws: TroveError.self) { try fixture.store.insert([Song.sample(2), other]) }
        #expect(try fixture.store.fetch(Song.self).all() == [song], "nothing of the refused batch is stored")
    }

    /// A batch that fails half-way cannot be committed by swallowing its error.
    @Test(arguments: Engine.allCases) func halfABatchIsNeverCommitted(engine: Engine) throws {
        let fixture = try fixture(engine)
        let old = Song.sample(1)
        try fixture.store.save(old)
        #expect { 
            try fixture.store.write { transaction in
                #expect(throws: TroveError.self) { try transaction.insert([Song.sample(2), old]) }
            }
        } throws: { error in
            guard case TroveError.transactionPoisoned = error else { return false }
            return true
        }
        #expect(try fixture.store.fetch(Song.self).all() == [old])
        // Under a savepoint only the batch is taken back.
        let kept = Song.sample(3)
        try fixture.store.write { transaction in
            try transaction.save(kept)
            #expect(throws: TroveError.self) { try transaction.savepoint { try transaction.insert([Song.sample(2), old]) } }
        }
        #expect(try fixture.store.fetch(Song.self).all() == [old, kept])
    }

    @Test(arguments: Engine.allCases) func naturalKeys(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.store.save([Edition(work: "Ulysses", number: 1, pages: 732), Edition(work: "Ulysses", number: 2, pages: 740)])
        try fixture.store.save(Edition(work: "Ulysses", number: 1, pages: 730))
        #expect(try fixture.store.fetch(Edition.self).count() == 2)
        #expect(try fixture.store.fetch(Edition.self, id: .init(work: "Ulysses", number: 1))?.pages == 730)
        try fixture.store.save([Country(code: "ch", name: "Switzerland"), Country(code: "", name: "nowhere")])
        try fixture.store.save(Country(code: "ch", name: "Schweiz"))
        #expect(try fixture.store.fetch(Country.self).all() == [Country(code: "", name: "nowhere"), Country(code: "ch", name: "Schweiz")])
    }

    @Test(arguments: Engine.allCases) func deleting(engine: Engine) throws {
        let fixture = try fixture(engine)
        let songs = (0..<20).map(Song.sample)
        try fixture.store.save(songs)
        #expect(try fixture.store.delete(songs[0]))
        #expect(try !fixture.store.delete(songs[0]))
        #expect(try fixture.store.delete(Song.self, id: songs[1].id))
        #expect(try fixture.store.delete(Song.self, ids: songs[0..<5].map(\.id)) == 3)
        #expect(try fixture.store.fetch(Song.self).all() == Array(songs[5...]))
        #expect(try !fixture.store.contains(Song.self, id: songs[4].id))
        #expect(try fixture.store.contains(Song.self, id: songs[5].id))
        try fixture.store.save(Country(code: "ch", name: "Switzerland"))
        #expect(try fixture.store.deleteAll(Song.self) == 15)
        #expect(try fixture.store.fetch(Song.self).count() == 0)
        #expect(try fixture.store.deleteAll(Song.self) == 0)
        #expect(try fixture.store.fetch(Country.self).count() == 1, "other types stay")
    }

    @Test(arguments: Engine.allCases) func fetchByIds(engine: Engine) throws {
        let fixture = try fixture(engine)
        let songs = (0..<10).map(Song.sample)
        #expect(try fixture.store.fetch(Song.self, ids: songs.map(\.id)).isEmpty)
        try fixture.store.save(songs)
        let ids = [songs[7].id, ObjectID(), songs[2].id, songs[7].id]
        #expect(try fixture.store.fetch(Song.self, ids: ids) == [songs[7], songs[2], songs[7]])
        #expect(try fixture.store.fetch(Song.self, ids: []).isEmpty)
    }

    /// Ids over the engines' key limit work like others, also where their shortened keys begin alike.
    @Test(arguments: Engine.allCases) func longIds(engine: Engine) throws {
        let fixture = try fixture(engine)
        let countries = [508, 509, 510, 511, 512, 600, 5_000].map { Country(code: String(repeating: "x", count: $0), name: "\($0)") }
        try fixture.store.save(countries)
        try fixture.store.save(countries)
        #expect(try fixture.store.fetch(Country.self).count() == countries.count)
        for country in countries {
            #expect(try fixture.store.fetch(Country.self, id: country.code) == country)
            #expect(try fixture.store.contains(Country.self, id: country.code))
        }
        #expect(try fixture.store.fetch(Country.self, id: String(repeating: "x", count: 601)) == nil)
        #expect(try Set(fixture.store.fetch(Country.self).ids()) == Set(countries.map(\.code)))
        #expect(try fixture.store.verify().isSound)
        #expect(try fixture.store.delete(Country.self, ids: countries.map(\.code)) == countries.count)
    }

    @Test(arguments: Engine.allCases) func stopsEarly(engine: Engine) throws {
        let fixture = try fixture(engine)
        let songs = (0..<100).map(Song.sample)
        try fixture.store.save(songs)
        var seen: [Song] = []
        try fixture.store.fetch(Song.self).forEach { song, stop in
            seen.append(song)
            stop = seen.count == 7
        }
        #expect(seen == Array(songs[..<7]))
    }

    @Test(arguments: Engine.allCases) func errorsRollBack(engine: Engine) throws {
        struct Refusal: Error {}
        let fixture = try fixture(engine)
        let song = Song.sample(1)
        try fixture.store.save(song)
        #expect(throws: Refusal.self) {
            try fixture.store.write { transaction in
                try transaction.save(Song.sample(2))
                try transaction.delete(song)
                #expect(try transaction.fetch(Song.self).count() == 1, "it reads its own changes")
                throw Refusal()
            }
        }
        #expect(try fixture.store.fetch(Song.self).all() == [song])
    }

    @Test(arguments: Engine.allCases) func savepointsNest(engine: Engine) throws {
        struct Refusal: Error {}
        let fixture = try fixture(engine)
        let songs = (0..<4).map(Song.sample)
        try fixture.store.write { transaction in
            try transaction.save(songs[0])
            try transaction.savepoint {
                try transaction.save(songs[1])
                #expect(throws: Refusal.self) {
                    try transaction.savepoint {
                        try transaction.save(songs[2])
                        throw Refusal()
                    }
                }
                try transaction.save(songs[3])
            }
        }
        #expect(try fixture.store.fetch(Song.self).all() == [songs[0], songs[1], songs[3]])
    }

    @Test(arguments: Engine.allCases) func misuseIsATypedError(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        var escaped: WriteTransaction?
        try store.write { escaped = $0 }
        #expect { try escaped?.save(Song.sample(1)) } throws: { error in
            guard case TroveError.transactionFinished = error else { return false }
            return true
        }
        #expect { try escaped?.fetch(Song.self).all() } throws: { error in
            guard case TroveError.transactionFinished = error else { return false }
            return true
        }
        #expect { try store.write { _ in try store.save(Song.sample(1)) } } throws: { error in
            guard case StorageError.writeInsideWrite = error else { return false }
            return true
        }
        #expect { try store.fetch(EveryType.self).all() } throws: { error in
            guard case TroveError.unknownModel("EveryType") = error else { return false }
            return true
        }
        try store.close()
        try store.close()
        #expect { try store.fetch(Song.self).all() } throws: { error in
            guard case StorageError.closed = error else { return false }
            return true
        }
        #expect { try store.save(Song.sample(1)) } throws: { error in
            guard case StorageError.closed = error else { return false }
            return true
        }
    }
}
