import Foundation
import TestSupport
import Testing
import Trove

/// Fields, predicates and criteria text that say the same give the same objects, on every engine.
@Suite struct FrontEndTests {
    struct Sample: Sendable {
        let criteria: String
        let fields: @Sendable (Fields<Recording>) -> Condition
        let predicate: Predicate<Recording>
        let plain: @Sendable (Recording) -> Bool
    }

    static let samples: [Sample] = [
        Sample(
            criteria: "year > 1950 and artist = 'Bill Evans'", fields: { $0.year > 1950 && $0.artist == "Bill Evans" },
            predicate: #Predicate { $0.year > 1950 && $0.artist == "Bill Evans" }, plain: { $0.year > 1950 && $0.artist == "Bill Evans" }),
        Sample(
            criteria: "not (rating > 3) or rating is nil", fields: { !($0.rating > 3) || $0.rating == nil },
            predicate: #Predicate { !(($0.rating ?? 0) > 3) || $0.rating == nil }, plain: { !(($0.rating ?? 0) > 3) }),
        Sample(
            criteria: "any tags begins with 'l' and none lines (price > 5 and quantity > 0)",
            fields: { $0.tags.any { $0.hasPrefix("l") } && $0.lines.none { $0.price > 5 && $0.quantity > 0 } },
            predicate: #Predicate { $0.tags.contains { $0.starts(with: "l") } && !$0.lines.contains { $0.price > 5 && $0.quantity > 0 } },
            plain: { $0.tags.contains { $0.hasPrefix("l") } && !$0.lines.contains { $0.price > 5 && $0.quantity > 0 } }),
        Sample(
            criteria: "home.city = 'Paris' and labels.genre != 'Pop' and format in ('vinyl', 'disc')",
            fields: { $0.home.city == "Paris" && $0.labels["genre"] != "Pop" && $0.format.isIn([.vinyl, .disc]) },
            predicate: {
                let formats: [Recording.Format] = [.vinyl, .disc]
                return #Predicate { $0.home?.city == "Paris" && $0.labels["genre"] != "Pop" && formats.contains($0.format) }
            }(),
            plain: { $0.home?.city == "Paris" && $0.labels["genre"] != "Pop" && $0.format != .tape }),
        Sample(
            criteria: "isLive = true or recorded between date '2001-01-01' and date '2030-01-01'",
            fields: { $0.isLive || $0.recorded.isBetween(Date(timeIntervalSinceReferenceDate: 0), and: Date(timeIntervalSinceReferenceDate: 9e8)) },
            predicate: {
                let (low, high) = (Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 9e8))
                return #Predicate<Recording> { $0.isLive || (low...high).contains($0.recorded) }
            }(),
            plain: { $0.isLive || $0.recorded.timeIntervalSinceReferenceDate >= 0 }),
    ]

    @Test(arguments: Engine.allCases)
    func allSayTheSame(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Recording.self) }
        let objects = Recording.samples(200, seed: 3).sorted { $0.id < $1.id }
        try fixture.store.save(objects)
        let all = fixture.store.fetch(Recording.self)
        for sample in Self.samples {
            let expected = objects.filter(sample.plain).map(\.id)
            #expect(!expected.isEmpty && expected.count < objects.count)
            #expect(try all.where(sample.fields).ids() == expected, "\(sample.criteria)")
            #expect(try all.where(sample.predicate).ids() == expected, "\(sample.criteria)")
            #expect(try all.matching(sample.criteria).ids() == expected, "\(sample.criteria)")
        }
    }

    @Test(arguments: Engine.allCases)
    func clausesAddUp(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Recording.self) }
        let objects = Recording.samples(100, seed: 5)
        try fixture.store.save(objects)
        let expected = objects.filter { $0.isLive && $0.year > 1950 && $0.artist.contains("a") }
            .sorted { ($1.year, $0.id) < ($0.year, $1.id) }.dropFirst(2).prefix(5).map(\.id)
        let fetch = fixture.store.fetch(Recording.self).where { $0.isLive }.limit(90)
        #expect(try fetch.matching("year > ? order by year desc limit 5 offset 2", 1950).where { $0.artist.contains("a") }.ids() == expected)
        let text = "isLive = true and artist contains 'a' and year > :year order by year desc limit 5 offset 2"
        let named = try fixture.store.read { snapshot in try snapshot.fetch(Recording.self, text, with: ["year": 1950]).ids() }
        #expect(named == expected)
        #expect(try fixture.store.fetch(Recording.self, "isLive = ? and year = 1950", true).count()
            == objects.count { $0.isLive && $0.year == 1950 })
    }

    @Test func wholeValuesCompare() throws {
        let store = try ObjectStore(MemoryBackend(), models: Recording.self)
        let objects = Recording.samples(200, seed: 11).sorted { $0.id < $1.id }
        try store.save(objects)
        let all = store.fetch(Recording.self)
        let one = objects[0]
        func check(_ fetch: Fetch<Recording, ObjectStore>, _ plain: (Recording) -> Bool) throws {
            let expected = objects.filter(plain).map(\.id)
            #expect(!expected.isEmpty && expected.count < objects.count)
            #expect(try fetch.ids() == expected, "\(fetch.query)")
            // The text of a value means the same value.
            #expect(try all.matching(fetch.query.description).ids() == expected, "\(fetch.query)")
        }
        try check(all.where { $0.place == one.place }) { $0.place == one.place }
        try check(all.where { $0.home == one.home }) { $0.home == one.home }
        try check(all.where { $0.tags == one.tags }) { $0.tags == one.tags }
        try check(all.where { $0.scores == one.scores }) { $0.scores == one.scores }
        try check(all.where { $0.labels == one.labels }) { $0.labels == one.labels }
        try check(all.where { $0.counts != one.counts }) { $0.counts != one.counts }
        try check(all.where { $0.lines.contains(Recording.Line(price: 1, quantity: 0, parts: ["a"])) }) {
            $0.lines.contains(Recording.Line(price: 1, quantity: 0, parts: ["a"]))
        }
        try check(all.where { $0.code == one.code }) { $0.code == one.code }
        try check(all.where { $0.image == one.image && $0.price == one.price && $0.cover == one.cover }) {
            $0.image == one.image && $0.price == one.price && $0.cover == one.cover
        }
        let late = Date(timeIntervalSinceReferenceDate: 5e8)
        try check(all.where { $0.recorded < late }) { $0.recorded < late }
        try check(all.where { $0.id == one.id }) { $0.id == one.id }
        try store.close()
    }

    @Test func mistakesAreThrownWhenTheFetchRuns() throws {
        let store = try ObjectStore(MemoryBackend(), models: Recording.self)
        let bad = store.fetch(Recording.self).matching("year >")
        let error = #expect(throws: TroveError.self) { try bad.first() }
        #expect(error.map { "\($0)" } == "at character 7 of 'year >': expected a field, a value or a parameter")
        #expect(throws: TroveError.self) { try store.fetch(Recording.self).where { $0.display == "x" }.count() }
        #expect(throws: TroveError.self) { try store.fetch(Recording.self, "yeer > 5").all() }
        #expect(throws: TroveError.self) { try store.fetch(Recording.self, "tags > 5").all() }
        try store.close()
    }
}
