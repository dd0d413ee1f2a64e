import Foundation
import TestSupport
import Testing
@testable import Trove

/// Which plan known queries get.
@Suite struct PlanTests {
    /// 4,000 tracks: 40 artists of 100, years 1900 to 1999, ratings nil or 0 to 9, titles of their own.
    private static func fixture(_ indexes: [Index<Tune>]) throws -> (StoreFixture, [Tune]) {
        let fixture = try Tune.$declared.withValue(indexes) { try StoreFixture(.memory) { try ObjectStore($0, models: Tune.self) } }
        let tracks = (0..<4_000).map { number in
            Tune(
                artist: "Artist \(number % 40)", year: 1900 + number % 100, rating: number % 4 == 0 ? nil : Double(number % 10),
                tags: number % 50 == 0 ? ["rare", "x"] : ["common"], title: "Title \(number)", seconds: Int32(number))
        }
        try fixture.store.save(tracks)
        return (fixture, tracks)
    }

    private static func equals(_ field: String, _ value: StoredValue) -> Filter {
        .comparison(.path(FieldPath(field)), .equal, .value(value))
    }

    private static func kinds(_ explanation: Explanation) -> [Explanation.Kind] { explanation.steps.map(\.kind) }

    @Test func equalityIsARangeOfItsIndex() throws {
        let (fixture, _) = try Self.fixture([Index(\.artist), Index(\.year)])
        let explanation = try fixture.store.fetch(Tune.self).where(Self.equals("artist", .string("Artist 7"))).explain()
        #expect(Self.kinds(explanation) == [.read, .index])
        #expect(explanation.indexes == ["artist"])
        #expect(explanation.step.actualRows == 100)
        #expect(explanation.step.estimatedRows == 100)
        #expect(explanation.description.contains("index 'artist': artist = 'Artist 7'"))
    }

    @Test func idsAreLookedUp() throws {
        let (fixture, tracks) = try Self.fixture([Index(\.year)])
        let fetch = fixture.store.fetch(Tune.self)
        let two = fetch.where(.membership(.path(.id), [.objectID(tracks[3].id), .objectID(tracks[1].id), .objectID(ObjectID())]))
        #expect(try Self.kinds(two.explain()) == [.read, .lookUp])
        #expect(try two.all().map(\.id) == [tracks[1].id, tracks[3].id])
        #expect(try two.count() == 2)
        let above = fetch.where(.comparison(.path(.id), .greater, .value(.objectID(tracks[3_989].id))))
        #expect(try Self.kinds(above.explain()) == [.scan])
        #expect(try above.explain().step.actualRows == 10)
    }

    @Test func compositeIndexServesItsFirstPartsAndARange() throws {
        let (fixture, _) = try Self.fixture([Index(\.artist, \.year)])
        let fetch = fixture.store.fetch(Tune.self).where(Self.equals("artist", .string("Artist 7")))
            .where(.comparison(.path("year"), .greaterOrEqual, .value(.int(1950)))).sorted(by: \.year, .descending).limit(3)
        let explanation = try fetch.explain()
        #expect(Self.kinds(explanation) == [.window, .read, .index], "neither sorted nor checked")
        #expect(explanation.description.contains("backwards"))
        #expect((explanation.steps.last?.actualRows ?? 0) < 100, "it stops at the limit")
    }

    @Test func orderOfAnIndexStopsEarly() throws {
        let (fixture, tracks) = try Self.fixture([Index(\.year)])
        for direction in [SortDirection.ascending, .descending] {
            let fetch = fixture.store.fetch(Tune.self).sorted(by: \.year, direction).limit(5)
            let explanation = try fetch.explain()
            #expect(!explanation.sorts)
            #expect((explanation.steps.last?.actualRows ?? .max) < 200)
            let year = direction == .ascending ? 1900 : 1999
            #expect(try fetch.ids() == Array(tracks.filter { $0.year == year }.map(\.id).sorted().prefix(5)))
        }
    }

    @Test func withoutAnIndexTheFirstFewAreKept() throws {
        let (fixture, _) = try Self.fixture([])
        let explanation = try fixture.store.fetch(Tune.self).sorted(by: \.seconds, .descending).limit(5).explain()
        #expect(Self.kinds(explanation) == [.window, .sort, .scan])
        #expect(explanation.steps[1].summary.contains("the first 5"))
        #expect(explanation.steps[1].actualRows == 5)
        #expect(explanation.steps[2].actualRows == 4_000)
    }

    @Test func severalIndexesAreIntersectedAndJoined() throws {
        let (fixture, tracks) = try Self.fixture([Index(\.artist), Index(\.year), Index(\.tags)])
        let fetch = fixture.store.fetch(Tune.self)
        let both = fetch.where(Self.equals("artist", .string("Artist 10"))).where(Self.equals("year", .int(1950)))
        #expect(try Self.kinds(both.explain()) == [.read, .intersection, .index, .index])
        #expect(try both.count() == tracks.count { $0.artist == "Artist 10" && $0.year == 1950 })
        let either = fetch.where(.or([Self.equals("artist", .string("Artist 10")), Self.equals("year", .int(1950))]))
        #expect(try Self.kinds(either.explain()) == [.read, .union, .index, .index])
        #expect(try either.count() == tracks.count { $0.artist == "Artist 10" || $0.year == 1950 })
    }

    @Test func listsAndAlternativesOfOnePropertyAreRangesOfOneIndex() throws {
        let (fixture, tracks) = try Self.fixture([Index(\.year)])
        let fetch = fixture.store.fetch(Tune.self)
        let list = fetch.where(.membership(.path("year"), [.int(1901), .int(1950), .double(1901), .double(1950.5)]))
        #expect(try Self.kinds(list.explain()) == [.read, .index])
        #expect(try list.explain().description.contains("in 2 ranges"))
        let either = fetch.where(.or([Self.equals("year", .int(1999)), .comparison(.path("year"), .less, .value(.int(1902)))]))
        #expect(try Self.kinds(either.explain()) == [.read, .index])
        #expect(try either.count() == tracks.count { $0.year == 1999 || $0.year < 1902 })
    }

    @Test func mostOfTheObjectsAreScanned() throws {
        let (fixture, _) = try Self.fixture([Index(\.year)])
        let explanation = try fixture.store.fetch(Tune.self).where(.comparison(.path("year"), .greater, .value(.int(1905)))).explain()
        #expect(Self.kinds(explanation) == [.check, .scan])
    }

    @Test func contradictionsReadNothing() throws {
        let (fixture, _) = try Self.fixture([Index(\.year)])
        let fetch = fixture.store.fetch(Tune.self)
        let never = fetch.where(.comparison(.path("year"), .greater, .value(.int(5)))).where(.comparison(.path("year"), .less, .value(.int(3))))
        #expect(try Self.kinds(never.explain()) == [.nothing])
        #expect(try never.all().isEmpty)
        #expect(throws: TroveError.self, "folding hides no mistake") {
            try fetch.where(.and([.constant(false), .isNil("nowhere")])).all()
        }
    }

    @Test func explanationsAreTrees() throws {
        let (fixture, _) = try Self.fixture([Index(\.artist), Index(\.year)])
        let text = try fixture.store.fetch(Tune.self)
            .where(.or([Self.equals("artist", .string("Artist 10")), Self.equals("year", .int(1950))]))
            .where(.text(.path("title"), .contains, .value(.string("1")))).sorted(by: \.title).limit(3).explain().description
        #expect(text.hasPrefix("step"))
        #expect(text.contains("├─ index 'artist'") && text.contains("└─ index 'year'"))
    }

    /// Conditions are criteria text, but for what is cut.
    @Test func explanationsAreCriteria() throws {
        let (fixture, _) = try Self.fixture([])
        for text in [
            "artist = 'O''Neill' ignoring case and not (year < 1950)", "any tags = 'live' or title is not nil", "rating is nil or year in (1950, 1951)",
        ] {
            let filter = try Filter(criteria: text)
            let check = try #require(try fixture.store.fetch(Tune.self).where(filter).explain(running: false).steps.first { $0.kind == .check })
            #expect(try Filter(criteria: String(check.summary.dropFirst("check ".count))).normalized == filter.normalized)
        }
        let long = try fixture.store.fetch(Tune.self).where { $0.year.isIn([1, 3, 5, 7, 9]) || $0.title == String(repeating: "x", count: 90) }.explain(running: false)
        let check = try #require(long.steps.first { $0.kind == .check })
        #expect(check.summary == "check year in (1, 3, 5, 7, … 5 values) or title = '\(String(repeating: "x", count: 40))…'")
    }

    @Test func asynchronousTwinsOfSelections() async throws {
        let (fixture, tracks) = try Self.fixture([])
        let fetch = fixture.store.fetch(Tune.self).where(Self.equals("artist", .string("Artist 7"))).sorted(by: \.seconds)
        let expected = tracks.filter { $0.artist == "Artist 7" }
        let first = try await fetch.select(\.title, \.seconds).first()
        #expect(first?.0 == expected[0].title)
        #expect(first?.1 == expected[0].seconds)
        #expect(try await fetch.offset(expected.count).select(\.title).first() == nil)
        let paths = [FieldPath("title"), FieldPath("year")]
        #expect(try await fetch.partial(paths).map { $0["title"] } == expected.map { .string($0.title) })
        #expect(try await fetch.select(\.title).explain(running: false).steps.map(\.kind) == [.sort, .check, .scan])
    }

    @Test func coveredPropertiesNeedNoRecords() throws {
        let (fixture, tracks) = try Self.fixture([Index([.ascending(\.artist)], covering: [\.year, \.title])])
        let fetch = fixture.store.fetch(Tune.self).where(Self.equals("artist", .string("Artist 7")))
        let expected = tracks.filter { $0.artist == "Artist 7" }
        for running in [true, false] {
            let covered = try fetch.select(\.title, \.year, \.artist).explain(running: running)
            #expect(covered.steps.map(\.kind) == [.index])
            #expect(covered.step.actualRows == (running ? expected.count : nil))
            #expect(try fetch.select(\.title, \.seconds).explain(running: running).steps.map(\.kind) == [.read, .index])
        }
        #expect(try fetch.select(\.title, \.year, \.artist).all().map(\.0) == expected.map(\.title))
        #expect(try fetch.select(\.year).all() == expected.map(\.year))
        #expect(try fetch.sorted(by: \.seconds, .descending).select(\.seconds, \.rating).first()?.0 == expected.last?.seconds)
    }
}
