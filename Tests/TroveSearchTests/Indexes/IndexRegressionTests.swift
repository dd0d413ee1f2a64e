import Foundation
import TestSupport
import Testing
import TroveBackendKit
import TroveTesting

@testable import Trove

/// Mistakes that a review found, each told by its test.
@Suite struct IndexRegressionTests {
    private struct Stop: Error {}

    private func tune(_ number: Int, year: Int = 1900, seconds: Int32 = 0, artist: String = "a") -> Tune {
        Tune(artist: artist, year: year, rating: nil, tags: [], title: "t\(number)", seconds: seconds)
    }

    private func fixture(_ engine: Engine, _ indexes: [Index<Tune>]) throws -> StoreFixture {
        try Tune.$declared.withValue(indexes) { try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Tune.self) } }
    }

    private func expectSound(_ store: ObjectStore) throws {
        let report = try store.verify()
        #expect(report.isSound, "\(report.problems)")
    }

    @Model fileprivate struct Reading {
        #Index<Reading>([\.value], aggregates: [.count])
        #Index<Reading>([\.day], aggregates: [.count])
        var id: Int
        var value: Double
        var day: Date
    }

    /// Of NaNs with other bits the one that came first was kept in their group, and the check expected that of the lowest id.
    @Test(arguments: Engine.allCases) func aGroupOfAllNaNs(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Reading.self) }
        let store = fixture.store
        for (id, number) in [(3, Double.nan), (2, -Double.nan), (1, Double(nan: 7, signaling: false))] {
            try store.save(Reading(id: id, value: number, day: Date(timeIntervalSinceReferenceDate: number)))
            try expectSound(store)
        }
        #expect(try store.fetch(Reading.self).grouped(by: \.value).aggregate(.count).map(\.values) == [3])
        try store.delete(Reading.self, id: 2)
        try expectSound(store)
        try store.rebuildIndexes(of: Reading.self)
        try store.save(Reading(id: 0, value: -.nan, day: Date(timeIntervalSinceReferenceDate: .nan)))
        try expectSound(store)
    }

    /// That there were no records left was remembered after the deletion had been taken back.
    @Test(arguments: Engine.allCases) func aDeletionOfAllThatIsTakenBack(engine: Engine) throws {
        let fixture = try fixture(engine, [Index(\.year)])
        var song = tune(1)
        try fixture.store.save(song)
        try fixture.store.write { transaction in
            #expect(throws: Stop.self) {
                try transaction.savepoint {
                    try transaction.deleteAll(Tune.self)
                    throw Stop()
                }
            }
            song.year = 1950
            try transaction.save(song)
        }
        try expectSound(fixture.store)
    }

    /// The same of the highest record.
    @Test(arguments: Engine.allCases) func aDeletionOfTheLastThatIsTakenBack(engine: Engine) throws {
        let fixture = try fixture(engine, [Index(\.year)])
        let first = tune(1)
        var last = tune(2)
        try fixture.store.save([first, last])
        try fixture.store.write { transaction in
            #expect(throws: Stop.self) {
                try transaction.savepoint {
                    try transaction.delete(last)
                    try transaction.save(first)
                    throw Stop()
                }
            }
            last.year = 1950
            try transaction.save(last)
        }
        try expectSound(fixture.store)
    }

    /// An insertion did not count for what is known of the highest record, so a later save took the object for new.
    @Test(arguments: Engine.allCases) func insertedThenSavedInOneTransaction(engine: Engine) throws {
        let fixture = try fixture(engine, [Index(\.year)])
        let first = tune(1)
        var second = tune(2)
        try fixture.store.write { transaction in
            try transaction.save(first)
            try transaction.insert(second)
            second.year = 1950
            try transaction.save(second)
        }
        try expectSound(fixture.store)
        #expect(try fixture.store.fetch(Tune.self).where { $0.year == 1900 }.ids() == [first.id])
    }

    /// The sample lacked entries that were made and given other covered values in one transaction.
    @Test(arguments: Engine.allCases) func coveredValuesThatChangeAtOnce(engine: Engine) throws {
        let fixture = try fixture(engine, [Index(\.year, covering: [\.artist])])
        try fixture.store.write { transaction in
            var songs = (0..<1_500).map { tune($0, year: $0) }
            try transaction.save(songs)
            for index in songs.indices { songs[index].artist = "other" }
            try transaction.save(songs)
        }
        try expectSound(fixture.store)
    }

    /// What a record had noted that was too large to be stored was noted still when the next one came.
    @Test(arguments: Engine.allCases) func aRefusedRecordLeavesNoEntry(engine: Engine) throws {
        let fixture = try Tune.$declared.withValue([Index(\.year)]) {
            try StoreFixture(engine) { try ObjectStore(SmallValueBackend($0), durability: .relaxed, models: Tune.self) }
        }
        let small = tune(2)
        try fixture.store.write { transaction in
            var large = tune(1, year: 1999)
            large.title = String(repeating: "x", count: SmallValueBackend.limit)
            #expect(throws: StorageError.self) { try transaction.save(large) }
            try transaction.save(small)
        }
        #expect(try fixture.store.fetch(Tune.self).ids() == [small.id])
        #expect(try fixture.store.fetch(Tune.self).where { $0.year == 1999 }.count() == 0)
        try expectSound(fixture.store)
    }

    /// Objects of equal sort values were put in order within a range of the index, not across ranges.
    @Test(arguments: Engine.allCases) func groupsThatGoOverSeveralRanges(engine: Engine) throws {
        let fixture = try fixture(engine, [Index(\.year, \.seconds)])
        let all = (0..<3_000).map { tune($0, year: 1900 + $0 % 150, seconds: $0 / 150 % 2 == 0 ? 5 : 1, artist: "x\($0 * 7_919 % 4_001)") }
        try fixture.store.save(all)
        let wanted = fixture.store.fetch(Tune.self).where { $0.year.isIn([1900, 1901, 1902, 1903]) && $0.seconds.isIn([1, 5]) }
        let expected = all.filter { $0.year < 1904 }
        let byYear = expected.sorted { ($0.year, $0.id) < ($1.year, $1.id) }.map(\.id)
        let byArtist = expected.sorted { ($0.year, $0.artist, $0.id) < ($1.year, $1.artist, $1.id) }.map(\.id)
        for limit in [3, 10, 50, 1_000] {
            #expect(try wanted.sorted(by: \.year).limit(limit).all().map(\.id) == Array(byYear.prefix(limit)))
            #expect(try wanted.sorted(by: \.year).limit(limit).ids() == Array(byYear.prefix(limit)))
            #expect(try wanted.sorted(by: \.year).sorted(by: \.artist).limit(limit).all().map(\.id) == Array(byArtist.prefix(limit)))
        }
    }

    /// Groups with keys that the index cuts came in the order of what replaced their ends.
    @Test(arguments: Engine.allCases) func keptGroupsOfLongTexts(engine: Engine) throws {
        let fixture = try fixture(engine, [Index(\.title, aggregates: [.count])])
        let long = String(repeating: "x", count: 230)
        let songs = (0..<40).map { number -> Tune in
            var song = tune(number)
            song.title = long + "\(100 + number) and more to be cut"
            return song
        }
        try fixture.store.save(songs)
        let kept = try fixture.store.fetch(Tune.self).grouped(by: \.title).aggregate(.count).map(\.key)
        #expect(kept == songs.map(\.title).sorted())
    }

    /// A stream began again when its plan changed between two batches.
    @Test(arguments: Engine.allCases) func aStreamWhoseIndexGoesAway(engine: Engine) async throws {
        let fixture = try fixture(engine, [Index(\.year)])
        let store = fixture.store
        try await store.save((0..<600).map { tune($0, year: $0) })
        var years: [Int] = []
        for try await song in store.fetch(Tune.self).sorted(by: \.year).stream(batchSize: 10) {
            years.append(song.year)
            if years.count == 25 { try await store.write { try $0.restartIndexes($0.indexTable.entries.map(\.number), .asked) } }
        }
        #expect(years == Array(0..<600))
    }

    /// Numbers at the ends of their range trapped.
    @Test func numbersThatAreTooLarge() throws {
        let highlighter = try FullTextHighlighter("b", fields: FullTextFields("t"))
        #expect(highlighter.snippet(of: "a b c", words: .max, before: "[", after: "]") == "a [b] c")
        #expect(throws: TroveError.self) { try Filter(criteria: "price = decimal 1e-9223372036854775808") }
    }
}
