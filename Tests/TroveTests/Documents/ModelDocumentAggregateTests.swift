import Foundation
import TestSupport
import Testing

@testable import Trove

/// Aggregates and groups of a model by its name, against a plain loop over its objects.
@Suite struct ModelDocumentAggregateTests {
    fileprivate struct Place: Codable, Equatable {
        var city: String
        var zip: Int?
    }

    @Model("Tune") fileprivate struct Tune: Equatable {
        #Index<Tune>([\.artist], aggregates: [.count, .sum(\.seconds)])
        #Index<Tune>([\.year], covering: [\.rating])
        var id: Int
        var artist: String?
        var year: Int16
        var seconds: Int
        var rating: Double?
        var recorded: Place?
        var price: Decimal
        var tags: [String] = []
    }

    fileprivate struct Key: Hashable {
        let values: [StoredValue]
    }

    private static func tunes(_ count: Int, seed: UInt64) -> [Tune] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { id in
            Tune(
                id: id, artist: [nil, "Ann", "Bo", "Cid", "ann"].randomElement(using: &random)!, year: Int16.random(in: 1_955...1_960, using: &random),
                seconds: .random(in: -5...600, using: &random), rating: [nil, 0.25, 0.5, 4.25, 5].randomElement(using: &random)!,
                recorded: Bool.random(using: &random) ? Place(city: ["Oslo", "Rome"].randomElement(using: &random)!, zip: [nil, 1, 2].randomElement(using: &random)!) : nil,
                price: Decimal(Int.random(in: 0...300, using: &random)) / 100)
        }
    }

    /// Where the program has the model and where it has none.
    private func withBoth(_ engine: Engine, _ body: (ObjectStore, [Tune]) throws -> Void) throws {
        for knowsModels in [true, false] {
            let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Tune.self) }
            let tunes = Self.tunes(300, seed: 23)
            try fixture.store.save(tunes)
            if !knowsModels { try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) } }
            try body(fixture.store, tunes)
        }
    }

    private static func text(_ value: String?) -> StoredValue { value.map { .string($0) } ?? .null }

    /// Nil before all texts.
    private static func text(_ key: [StoredValue]) -> String { if case .string(let text)? = key.first { text } else { "" } }

    private static func grouped(_ tunes: [Tune], _ key: (Tune) -> [StoredValue]) -> [Key: [Tune]] { Dictionary(grouping: tunes) { Key(values: key($0)) } }

    private static func average(_ numbers: [Double]) -> Double? { numbers.isEmpty ? nil : numbers.reduce(0, +) / Double(numbers.count) }

    @Test(arguments: Engine.allCases) func groupsAreThoseOfALoop(engine: Engine) throws {
        try withBoth(engine) { store, tunes in
            let documents = store.documents(of: "Tune")
            for (criteria, passes) in [
                ("true", { (_: Tune) in true }), ("year > 1957", { $0.year > 1_957 }), ("year between 1956 and 1958 and seconds >= 0", { (1_956...1_958).contains($0.year) && $0.seconds >= 0 }),
                ("recorded.city = 'Oslo'", { $0.recorded?.city == "Oslo" }), ("$id < 40", { $0.id < 40 }), ("artist is nil or $id in (3, 5, 299)", { $0.artist == nil || [3, 5, 299].contains($0.id) }),
                ("year = 1800", { $0.year == 1_800 }),
            ] as [(String, (Tune) -> Bool)] {
                let chosen = tunes.filter(passes)
                let fetch = documents.fetch(criteria)
                // The index keeps these of all.
                let byArtist = try fetch.grouped(by: "artist").aggregate(.count, .sum("seconds"))
                let artists = Self.grouped(chosen) { [Self.text($0.artist)] }
                let order = artists.keys.map(\.values).sorted { Self.text($0) < Self.text($1) }
                #expect(byArtist.map(\.key) == order, "\(criteria)")
                for group in byArtist {
                    let expected = try #require(artists[Key(values: group.key)])
                    #expect(group.values.0 == expected.count && group.values.1 == .int(Int64(expected.reduce(0) { $0 + $1.seconds })), "\(criteria)")
                }
                // Several keys, one inside a value.
                let several = try fetch.grouped(by: "recorded.city", "year").aggregate(.count, .average("rating"), .minimum("artist"), .maximum("seconds"), .countDistinct("recorded.zip"), .sum("price"))
                let expected = Self.grouped(chosen) { [Self.text($0.recorded?.city), .int(Int64($0.year))] }
                #expect(several.count == expected.count && Set(several.map { Key(values: $0.key) }) == Set(expected.keys), "\(criteria)")
                for group in several {
                    let members = try #require(expected[Key(values: group.key)])
                    let (count, rating, artist, seconds, zips, price) = group.values
                    #expect(count == members.count && rating == Self.average(members.compactMap(\.rating)), "\(criteria) \(group)")
                    #expect(artist == members.compactMap(\.artist).min().map { .string($0) }, "\(criteria) \(group)")
                    #expect(seconds == members.map(\.seconds).max().map { .int(Int64($0)) }, "\(criteria) \(group)")
                    #expect(zips == Set(members.compactMap { $0.recorded?.zip }).count, "\(criteria) \(group)")
                    #expect(price == .decimal(members.reduce(0) { $0 + $1.price }), "\(criteria) \(group)")
                }
                let many = try fetch.grouped(by: "year").aggregate(.count) { $0.values > 10 }
                #expect(many.count == Dictionary(grouping: chosen, by: \.year).filter { $0.value.count > 10 }.count, "\(criteria)")
                // Without groups, and different values.
                let (count, rating, first) = try fetch.aggregate(.count, .average("rating"), .minimum("year"))
                #expect(count == chosen.count && rating == Self.average(chosen.compactMap(\.rating)), "\(criteria)")
                #expect(first == chosen.map(\.year).min().map { .int(Int64($0)) }, "\(criteria)")
                #expect(try fetch.aggregate(.sum("seconds", as: Int.self)) == chosen.reduce(0) { $0 + $1.seconds })
                #expect(try fetch.distinct("year") == Set(chosen.map(\.year)).sorted().map { .int(Int64($0)) })
                // The same by names that a program finds while it runs.
                let records = store.fetchRecords(of: ["Tune"]).matching(criteria)
                let listed = try records.aggregate([.count, .average(FieldPath("rating")), .countDistinct(FieldPath("$id"))], by: [FieldPath("recorded.city"), FieldPath("year")])
                let known = several.map { group -> [StoredValue] in
                    let count = StoredValue.int(Int64(group.values.0))
                    return [count, group.values.1.map { .double($0) } ?? .null, count]
                }
                #expect(listed.map(\.key) == several.map(\.key) && listed.map(\.values) == known, "\(criteria)")
                let whole: [StoredValue] = [.int(Int64(chosen.count)), chosen.map(\.year).max().map { .int(Int64($0)) } ?? .null]
                #expect(try records.aggregate([.count, .maximum(FieldPath("year"))])[0].values == whole)
            }
        }
    }

    @Test(arguments: Engine.allCases) func indexesAnswerThem(engine: Engine) throws {
        try withBoth(engine) { store, _ in
            let documents = store.documents(of: "Tune")
            let kept = try documents.fetch().grouped(by: "artist").explain(.count, .sum("seconds"))
            #expect("\(kept)".contains("the groups it keeps by artist"))
            let listed = try store.fetchRecords(of: ["Tune"]).explainAggregates([.count], by: [FieldPath("artist")])
            #expect("\(listed)".contains("the groups it keeps by artist"))
            let covered = try documents.fetch("year = 1958").grouped(by: "year").explain(.average("rating"))
            #expect("\(covered)".contains("index 'year") && !"\(covered)".contains("records"), "\(covered)")
        }
    }

    @Test(arguments: Engine.allCases) func windowsComeFirst(engine: Engine) throws {
        try withBoth(engine) { store, tunes in
            let first = tunes.sorted { ($0.seconds, $0.id) < ($1.seconds, $1.id) }.dropFirst(10).prefix(50)
            let fetch = store.documents(of: "Tune").fetch("true order by seconds limit 50 offset 10")
            let (count, seconds) = try fetch.aggregate(.count, .sum("seconds"))
            #expect(count == 50 && seconds == .int(Int64(first.reduce(0) { $0 + $1.seconds })))
            #expect(try fetch.grouped(by: "year").aggregate(.count).map(\.values) == Dictionary(grouping: first, by: \.year).sorted { $0.key < $1.key }.map(\.value.count))
            // A transaction sees what it changed.
            try store.write { transaction in
                try transaction.documents(of: "Tune").save([ModelDocument(["artist": "Zoe", "year": 1, "seconds": 1, "price": .decimal(1)], id: 9_999)])
                let groups = try transaction.documents(of: "Tune").fetch().grouped(by: "artist").aggregate(.count)
                let zoe = groups.filter { $0.key == [StoredValue.string("Zoe")] }
                #expect(zoe.map(\.values) == [1])
            }
        }
    }

    @Test(arguments: Engine.allCases) func asynchronousTwinsSayTheSame(engine: Engine) async throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Tune.self) }
        let store = fixture.store
        let tunes = Self.tunes(100, seed: 5)
        try await store.save(tunes)
        let fetch = store.documents(of: "Tune").fetch("year > 1957")
        let count = tunes.filter { $0.year > 1_957 }.count
        #expect(try await fetch.aggregate(.count) == count)
        let pair = try await fetch.aggregate(.count, .maximum("year"))
        #expect(pair.0 == count && pair.1 == .int(1_960))
        #expect(try await fetch.distinct("year") == [1_958, 1_959, 1_960])
        let groups = try await fetch.grouped(by: "year").aggregate(.count) { $0.values > 0 }
        #expect(groups.map(\.values).reduce(0, +) == count)
        let listed = try await store.fetchRecords(of: ["Tune"]).matching("year > 1957").aggregate([.count], by: [FieldPath("year")])
        #expect(listed.map(\.key) == groups.map(\.key) && listed.map(\.values) == groups.map { [.int(Int64($0.values))] })
    }

    @Test(arguments: Engine.allCases) func whatIsWrongIsTold(engine: Engine) throws {
        try withBoth(engine) { store, _ in
            let documents = store.documents(of: "Tune")
            func mistake(_ body: () throws -> some Any) -> String {
                do { return "\(try body())" } catch { return "\(error)" }
            }
            #expect(mistake { try documents.fetch().grouped(by: "artst").aggregate(.count) }.contains("no field named 'artst'; did you mean 'artist'?"))
            #expect(mistake { try documents.fetch().aggregate(.sum("artist")) }.contains("cannot be added up"))
            #expect(mistake { try documents.fetch().grouped(by: "tags").aggregate(.count) }.contains("have no order"))
            #expect(mistake { try documents.fetch("yaer = 1").grouped(by: "artist").aggregate(.count) }.contains("did you mean 'year'?"))
            #expect(mistake { try store.documents(of: "Nothing").fetch().aggregate(.count) }.contains("Nothing"))
            try store.documents("notes").save(["a": 1, "list": [1]])
            #expect(mistake { try store.fetchRecords(of: ["Tune", "notes"]).aggregate([.count]) }.contains("Tune, notes; ask for each"))
            #expect(mistake { try store.documents(of: "notes").fetch().aggregate(.count) }.contains("notes"))
            let token = try #require(try documents.fetch().page(5).next)
            #expect(mistake { try documents.fetch().after(token).aggregate(.count) }.contains("not paged"))
            // Lists of documents have no order either, and were one group before.
            #expect(mistake { try store.documents("notes").fetch().grouped(by: "list").aggregate(.count) }.contains("have no order"))
            #expect(mistake { try store.documents("notes").fetch().aggregate(.countDistinct("list")) }.contains("have no order"))
        }
    }
}
