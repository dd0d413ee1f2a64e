import Foundation
import TestSupport
import Testing
@testable import Trove

/// What indexes answer without the records, and by jumping: against plain Swift, whichever plan is chosen, and that these plans are.
@Suite struct IndexOnlyTests {
    @Test(arguments: TestShare.trials(IndexSet.allCases))
    func valuesAreThoseOfPlainSwift(_ engine: Engine, _ indexes: IndexSet) throws {
        let seed: UInt64 = 20_261_122 + UInt64(indexes.number)
        var random = SeededGenerator(seed: seed)
        let (fixture, tracks) = try indexes.fixture(engine, count: 300, &random)
        for number in 0..<TestShare.rounds(40) {
            var query = number == 0 ? OracleQuery() : OracleQuery.random(&random, tracks)
            if number % 4 != 3 { (query.offset, query.limit) = (0, nil) }
            let fetch = query.fetch(fixture.store.fetch(Tune.self))
            let answer = query.answer(tracks)
            let note: Comment = "seed \(seed), query \(number): \(query)"

            #expect(try fetch.distinct(\.artist).map(Self.shown) == Self.distinct(answer) { Self.shown($0.artist) } by: { OracleSort.order($0.artist, $1.artist) }, note)
            #expect(try fetch.distinct(\.title) == Self.distinct(answer, \.title) { OracleSort.order($0.title, $1.title) }, note)
            #expect(try fetch.distinct(\.year) == Self.distinct(answer, \.year) { $0.year - $1.year }, note)
            #expect(
                try fetch.distinct(\.rating).map(Self.shown) == Self.distinct(answer) { Self.shown($0.rating) } by: { OracleSort.order($0.rating, $1.rating) }, note)
            #expect(try fetch.distinct(\.seconds) == Set(answer.map(\.seconds)).sorted(), note)

            #expect(try fetch.aggregate(.countDistinct(\.artist)) == Set(answer.map { Self.shown($0.artist) }).count, note)
            #expect(try fetch.aggregate(.countDistinct(\.title)) == Set(answer.map(\.title)).count, note)
            #expect(try fetch.aggregate(.countDistinct(\.rating)) == Set(answer.filter { $0.rating != nil }.map { Self.shown($0.rating) }).count, note)

            #expect(try fetch.sum(\.year) == answer.reduce(0) { $0 + $1.year }, note)
            let (sum, least, greatest) = try fetch.aggregate(.sum(\.seconds), .minimum(\.seconds), .maximum(\.year))
            #expect(sum == answer.reduce(0) { $0 + Int($1.seconds) }, note)
            #expect(least == answer.map(\.seconds).min() && greatest == answer.map(\.year).max(), note)

            let groups = try fetch.grouped(by: \.artist, \.year).aggregate(.count, .sum(\.year))
            let expected = Dictionary(grouping: answer) { [Self.shown($0.artist), "\($0.year)"] }
            #expect(groups.count == expected.count, note)
            #expect(groups.allSatisfy { $0.values == (expected[[Self.shown($0.key.0), "\($0.key.1)"]]?.count ?? 0, $0.values.0 * $0.key.1) }, note)

            #expect(try fetch.select(\.year, \.artist).all().map { "\($0.0) \(Self.shown($0.1))" } == answer.map { "\($0.year) \(Self.shown($0.artist))" }, note)
            #expect(try fetch.select(\.title).all() == answer.map(\.title), note)
            #expect(try fetch.select(\.id, \.seconds).all().map { [$0.0.description, "\($0.1)"] } == answer.map { [$0.id.description, "\($0.seconds)"] }, note)
        }
    }

    /// An index whose first part has few values finds what is behind it; with enough objects for that to pay.
    @Test(arguments: Engine.allCases)
    func firstPartsAreSkipped(_ engine: Engine) throws {
        var random = SeededGenerator(seed: 99)
        let fixture = try Tune.$declared.withValue([Index([.descending(\.artist), .ascending(\.seconds)], name: "both"), Index(\.rating, \.year, \.seconds)]) {
            try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Tune.self) }
        }
        let tracks = (0..<2_500).map { _ in Tune.random(&random) }.sorted { $0.id < $1.id }
        try fixture.store.save(tracks)
        var skipped = 0
        for number in 0..<30 {
            var query = OracleQuery()
            let second = Int32.random(in: -5...300, using: &random)
            let year = Int.random(in: 1955...1965, using: &random)
            switch number % 3 {
            case 0: (query.filter, query.passes) = (.comparison(.path("seconds"), .equal, .value(.int(Int64(second)))), { $0.seconds == second })
            case 1:
                query.filter = .and([
                    .comparison(.path("year"), .equal, .value(.int(Int64(year)))), .comparison(.path("seconds"), .less, .value(.int(40))),
                ])
                query.passes = { $0.year == year && $0.seconds < 40 }
            default:
                query.filter = .membership(.path("seconds"), [.int(Int64(second)), .int(7)])
                query.passes = { $0.seconds == second || $0.seconds == 7 }
            }
            if Bool.random(using: &random) { query.sort.append(.random(&random)) }
            if number % 5 == 4 { query.limit = Int.random(in: 0...20, using: &random) }
            let fetch = query.fetch(fixture.store.fetch(Tune.self))
            let answer = query.answer(tracks)
            #expect(try fetch.ids() == answer.map(\.id), "query \(number): \(query)")
            #expect(try fetch.count() == answer.count, "query \(number): \(query)")
            #expect(try fetch.sum(\.year) == answer.reduce(0) { $0 + $1.year }, "query \(number): \(query)")
            if try fetch.explain(running: false).description.contains(" for each of ") { skipped += 1 }
        }
        #expect(skipped > 15, "the plans that are tested here are reached")
    }

    @Test func valuesAreWalkedFromOneToTheNext() throws {
        let fixture = try Self.thousands([Index([.descending(\.artist)], name: "artist down"), Index(\.year, \.rating)])
        let fetch = fixture.store.fetch(Tune.self)
        let artists = try fetch.grouped(by: \.artist).explain()
        #expect(artists.steps.map(\.kind) == [.index])
        #expect(artists.step.actualRows == 20 && artists.indexes == ["artist down"])
        #expect(artists.step.summary.contains("from each value of artist to the next"))
        #expect(try fetch.distinct(\.artist) == (0..<20).map { String(format: "Artist %02d", $0) })
        // Behind parts that are fixed, and within a range.
        #expect(try fetch.where { $0.year == 1_903 }.grouped(by: \.rating).explain().steps.map(\.kind) == [.group, .read, .index], "a Double is not told by its part")
        let early = fetch.where { $0.year < 1_910 }
        #expect(try early.grouped(by: \.year).explain().step.summary.contains("from each value of year to the next"))
        #expect(try early.distinct(\.year) == Array(1_900..<1_910))
        #expect(try early.aggregate(.countDistinct(\.year)) == 10)
    }

    @Test func aggregatesComeFromEntriesAlone() throws {
        let fixture = try Self.thousands([Index(\.artist, \.seconds), Index([.ascending(\.year)], covering: [\.seconds])])
        let fetch = fixture.store.fetch(Tune.self)
        let byArtist = try fetch.grouped(by: \.artist).explain(.sum(\.seconds))
        #expect(byArtist.steps.map(\.kind) == [.group, .index])
        #expect(byArtist.steps[1].actualRows == 2_000)
        let most = fetch.where { $0.year > 1_902 }
        #expect(try most.grouped(by: \.year).explain(.count, .maximum(\.seconds)).steps.map(\.kind) == [.group, .index])
        #expect(try most.grouped(by: \.year).explain(.count, .maximum(\.title)).steps.map(\.kind) != [.group, .index], "the title is in no index")
        #expect(try most.grouped(by: \.year).aggregate(.sum(\.seconds)).reduce(0) { $0 + $1.values } == most.sum(\.seconds))
        #expect(try most.select(\.seconds, \.id).explain().steps.map(\.kind) == [.index])
    }

    @Test func groupsOfAWindowTellWhatItLetThrough() throws {
        let fixture = try Self.thousands([])
        let fetch = fixture.store.fetch(Tune.self).sorted(by: \.title)
        func window(_ fetch: Fetch<Tune, ObjectStore>) throws -> Int? {
            try fetch.grouped(by: \.artist).explain(.count).steps.first { $0.kind == .window }?.actualRows
        }
        #expect(try window(fetch.limit(10)) == 10)
        #expect(try window(fetch.offset(5).limit(10)) == 10)
        #expect(try window(fetch.where { $0.seconds < 200 }.offset(5).limit(10)) == 10)
        #expect(try window(fetch.offset(1_995)) == 5)
    }

    @Test func fewResultsAreNotCountedFirst() throws {
        let fixture = try Self.thousands([Index(\.artist), Index(\.year)])
        let fetch = fixture.store.fetch(Tune.self).where { $0.artist == "Artist 03" }
        let ten = try fetch.limit(10).explain()
        #expect(ten.steps.map(\.kind) == [.window, .read, .index])
        #expect(ten.steps.last?.actualRows == 10 && ten.steps.last?.estimatedRows == 10)
        let newest = try fixture.store.fetch(Tune.self).sorted(by: \.year, .descending).limit(3).explain()
        #expect(newest.steps.map(\.kind) == [.window, .read, .index])
    }

    /// 2,000 tracks: 20 artists of 100, years 1900 to 1999.
    private static func thousands(_ indexes: [Index<Tune>]) throws -> StoreFixture {
        let fixture = try Tune.$declared.withValue(indexes) { try StoreFixture(.memory) { try ObjectStore($0, models: Tune.self) } }
        try fixture.store.save(
            (0..<2_000).map { number in
                Tune(
                    artist: String(format: "Artist %02d", number % 20), year: 1_900 + number % 100, rating: number % 3 == 0 ? nil : Double(number % 5),
                    tags: [], title: "Title \(number)", seconds: Int32(number % 400))
            })
        return fixture
    }

    /// Texts by their bytes: Swift takes canonical equivalents for equal.
    private static func shown(_ text: String) -> String { text.utf8.map { String($0, radix: 16) }.joined(separator: " ") }

    /// Numbers of which each kind of zero and of NaN is one.
    private static func shown(_ number: Double?) -> String { number.map { $0 == 0 ? "0" : "\($0)" } ?? "nil" }

    /// The different values of tracks, in an order.
    private static func distinct<Value: Equatable>(_ tracks: [Tune], _ value: (Tune) -> Value, by order: (Tune, Tune) -> Int) -> [Value] {
        var values: [Value] = []
        for track in tracks.sorted(by: { order($0, $1) < 0 }) where values.last != value(track) { values.append(value(track)) }
        return values
    }
}
