import TestSupport
import Testing

@testable import Trove

/// Different values that an index's ranges have, where each value is in several of them.
@Suite struct DistinctTests {
    /// A condition twice over: as Trove has it, and as plain Swift.
    private struct Case {
        let filter: Filter
        let passes: (Tune) -> Bool

        init(_ parts: (filter: Filter, passes: (Tune) -> Bool)...) {
            filter = .and(parts.map(\.filter))
            passes = { tune in parts.allSatisfy { $0.passes(tune) } }
        }
    }

    private static func artist(_ names: String...) -> (filter: Filter, passes: (Tune) -> Bool) {
        (.membership(.path("artist"), names.map { .string($0) }), { names.contains($0.artist) })
    }

    private static func artist(not name: String) -> (filter: Filter, passes: (Tune) -> Bool) {
        (.comparison(.path("artist"), .notEqual, .value(.string(name))), { $0.artist != name })
    }

    private static func year(_ years: Int...) -> (filter: Filter, passes: (Tune) -> Bool) {
        (.membership(.path("year"), years.map { .int(Int64($0)) }), { years.contains($0.year) })
    }

    private static func year(not year: Int) -> (filter: Filter, passes: (Tune) -> Bool) {
        (.comparison(.path("year"), .notEqual, .value(.int(Int64(year)))), { $0.year != year })
    }

    private static func seconds(_ seconds: Int32...) -> (filter: Filter, passes: (Tune) -> Bool) {
        (.membership(.path("seconds"), seconds.map { .int(Int64($0)) }), { seconds.contains($0.seconds) })
    }

    private static func rating(_ rating: Double?) -> (filter: Filter, passes: (Tune) -> Bool) {
        guard let rating else { return (.isNil("rating"), { $0.rating == nil }) }
        return (.comparison(.path("rating"), .notEqual, .value(.double(rating))), { $0.rating != rating })
    }

    private static var cases: [Case] {
        [
            Case(artist("A", "C"), year(1_960, 1_961)), Case(artist("A", "B", "E"), year(not: 1_962)), Case(artist(not: "C"), year(1_960, 1_962)),
            Case(artist("A", "C", "D"), year(1_960, 1_964), seconds(1, 3)), Case(artist("B"), year(1_961, 1_962), seconds(0, 3)),
            Case(artist("B"), year(not: 1_962), seconds(0, 3)), Case(year(1_961, 1_964)), Case(year(1_961, 1_964), seconds(0, 3)),
            Case(year(not: 1_962), seconds(2)), Case(artist("A", "E"), rating(3)), Case(artist("A", "E"), rating(nil), year(1_960, 1_963)),
        ]
    }

    /// Indexes on these parts, each in both directions.
    static let parts = [["artist", "year"], ["artist", "year", "seconds"], ["artist", "rating", "year"], ["year", "artist", "seconds"]]

    @Test(arguments: TestShare.trials(Array(parts.indices)))
    func eachValueIsGivenOnce(_ engine: Engine, _ number: Int) throws {
        let names = Self.parts[number]
        let keyed: [String: (IndexKey<Tune>, IndexKey<Tune>)] = [
            "artist": (.ascending(\.artist), .descending(\.artist)), "year": (.ascending(\.year), .descending(\.year)),
            "seconds": (.ascending(\.seconds), .descending(\.seconds)), "rating": (.ascending(\.rating), .descending(\.rating)),
        ]
        for directions in 0..<(1 << names.count) {
            let parts = try names.enumerated().map { place, name in
                let part = try #require(keyed[name])
                return directions >> place & 1 == 0 ? part.0 : part.1
            }
            try Self.check(engine, [Index(parts, name: "several")])
        }
    }

    @Test(arguments: TestShare.trials(IndexSet.allCases))
    func withAllIndexes(_ engine: Engine, _ indexes: IndexSet) throws {
        try Self.check(engine, indexes.indexes)
    }

    /// 800 objects: 5 artists, 5 years, 4 lengths, so that an artist has more in a year than are passed over one by one.
    private static func check(_ engine: Engine, _ indexes: [Index<Tune>]) throws {
        let fixture = try Tune.$declared.withValue(indexes) { try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Tune.self) } }
        let tunes = (0..<800).map { number in
            Tune(
                artist: ["A", "B", "C", "D", "E"][number % 5], year: 1_960 + number / 5 % 5, rating: number / 100 % 3 == 0 ? nil : Double(number / 100),
                tags: [], title: "\(number % 7)", seconds: Int32(number / 25 % 4))
        }
        try fixture.store.save(tunes)
        for (number, condition) in cases.enumerated() {
            let fetch = fixture.store.fetch(Tune.self).where(condition.filter)
            let found = tunes.filter(condition.passes)
            let note: Comment = "condition \(number), \(condition.filter), indexes \(indexes.map { try? $0.checkedSchema().name })"
            #expect(try fetch.distinct(\.artist) == Set(found.map(\.artist)).sorted(), note)
            #expect(try fetch.distinct(\.year) == Set(found.map(\.year)).sorted(), note)
            #expect(try fetch.distinct(\.seconds) == Set(found.map(\.seconds)).sorted(), note)
            #expect(try fetch.distinct(\.title) == Set(found.map(\.title)).sorted(), note)
            #expect(try fetch.aggregate(.countDistinct(\.artist)) == Set(found.map(\.artist)).count, note)
            #expect(try fetch.aggregate(.countDistinct(\.year)) == Set(found.map(\.year)).count, note)
            #expect(try fetch.aggregate(.countDistinct(\.seconds)) == Set(found.map(\.seconds)).count, note)
        }
    }
}
