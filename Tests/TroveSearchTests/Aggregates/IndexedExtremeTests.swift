import TestSupport
import Testing

@testable import Trove

/// Least and greatest values that an index has at its ends.
@Suite struct IndexedExtremeTests {
    private func fixture(_ engine: Engine, _ indexes: [Index<Tune>]) throws -> StoreFixture {
        try Tune.$declared.withValue(indexes) { try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Tune.self) } }
    }

    private static let indexes = [
        Index<Tune>([.descending(\.year), .ascending(\.tags)], name: "years"), Index<Tune>(\.rating, \.seconds, name: "ratings"),
        Index<Tune>([.ascending(\.artist, ignoringCase: true)], name: "folded artists"), Index<Tune>(\.title, name: "titles"),
    ]

    /// What the ends of the indexes tell; nil where they do not tell all.
    private func ends(_ transaction: ReadTransaction, _ paths: String...) throws -> [StoredValue]? {
        let specifications = paths.flatMap { path in
            [AggregateFunction.minimum, .maximum].map { AggregateSpecification(function: $0, path: FieldPath(path)) }
        }
        return try transaction.extremes(specifications, of: transaction.open(Tune.self))
    }

    /// The answers are those of a scan, whatever the values are.
    @Test(arguments: Engine.allCases) func answersAreThoseOfAScan(engine: Engine) throws {
        let (plain, indexed) = (try fixture(engine, []), try fixture(engine, Self.indexes))
        var random = SeededGenerator(seed: 77)
        for round in 0..<8 {
            let fresh = (0..<(round == 0 ? 1 : 20)).map { _ in Tune.random(&random) }
            for store in [plain.store, indexed.store] { try store.save(fresh) }
            let answers = try [plain.store, indexed.store].map { store -> [String] in
                let fetch = store.fetch(Tune.self)
                let (count, oldest, newest) = try fetch.aggregate(.count, .minimum(\.year), .maximum(\.year))
                return [
                    "\(count) \(oldest ?? 0) \(newest ?? 0)", "\(String(describing: try fetch.minimum(\.rating)))", "\(String(describing: try fetch.maximum(\.rating)))",
                    try fetch.minimum(\.title) ?? "", try fetch.maximum(\.title) ?? "", try fetch.minimum(\.artist) ?? "", try fetch.maximum(\.artist) ?? "",
                    "\(String(describing: try fetch.where { $0.year > 1960 }.minimum(\.year)))", "\(String(describing: try fetch.sorted(by: \.seconds).limit(3).maximum(\.year)))",
                ]
            }
            #expect(answers[0] == answers[1])
        }
    }

    /// Only the records at the ends are read, which shows in one between them that cannot be.
    @Test(arguments: Engine.allCases) func recordsBetweenAreNotRead(engine: Engine) throws {
        let fixture = try fixture(engine, Self.indexes)
        let tunes = (0..<50).map {
            Tune(artist: "a\($0)", year: 1950 + $0, rating: $0 < 5 ? nil : Double($0), tags: ["x", "y"], title: "t", seconds: 0)
        }
        try fixture.store.save(tunes)
        try fixture.store.core.write(.durable) { transaction in
            let keyspace = try #require(try transaction.writer.keyspace(named: "Tune"))
            var record = try #require(try transaction.writer.value(of: tunes[20].id.keyBytes, in: keyspace))
            record[record.count - 1] ^= 1
            try transaction.writer.put(tunes[20].id.keyBytes, record, in: keyspace)
        }
        let fetch = fixture.store.fetch(Tune.self)
        #expect(try fetch.minimum(\.year) == 1950)
        #expect(try fetch.maximum(\.year) == 1999)
        #expect(try fetch.minimum(\.rating) == 5)
        let (count, newest) = try fetch.aggregate(.count, .maximum(\.year))
        #expect(count == 50)
        #expect(newest == 1999)
        #expect(try fetch.maximum(\.rating) == 49)
        // An index of folded text does not tell, nor any of a sum.
        #expect(throws: TroveError.self) { try fetch.minimum(\.artist) }
        #expect(throws: TroveError.self) { try fetch.aggregate(.minimum(\.year), .sum(\.year)) }
        let found = try fixture.store.read { try ends($0, "year", "rating") }
        #expect(found == [.int(1950), .int(1999), .double(5), .double(49)])
    }

    /// In a write transaction its own changes count; of nothing, and of nil alone, there is none; long texts are left to a scan.
    @Test(arguments: Engine.allCases) func theEnds(engine: Engine) throws {
        let fixture = try fixture(engine, Self.indexes)
        var tune = Tune(artist: "", year: 1, rating: nil, tags: [], title: String(repeating: "x", count: 300), seconds: 0)
        try fixture.store.write { transaction in
            #expect(try transaction.fetch(Tune.self).minimum(\.year) == nil)
            try transaction.save(tune)
            #expect(try ends(transaction, "year", "rating") == [.int(1), .int(1), .null, .null])
            tune.year = 2
            try transaction.save(tune)
            let (oldest, newest) = try transaction.fetch(Tune.self).aggregate(.minimum(\.year), .maximum(\.year))
            #expect(oldest == 2)
            #expect(newest == 2)
            #expect(try ends(transaction, "title") == nil)
            #expect(try transaction.fetch(Tune.self).minimum(\.title) == tune.title)
            tune.title = "short"
            try transaction.save(tune)
            #expect(try ends(transaction, "title") == [.string("short"), .string("short")])
        }
    }

    @Test(arguments: Engine.allCases) func groupsExplainThemselves(engine: Engine) async throws {
        let fixture = try fixture(engine, [Index([.ascending(\.year)], name: "kept", aggregates: [.count])])
        let store = fixture.store
        try await store.save((0..<30).map { Tune(artist: "a", year: 1950 + $0 % 3, rating: nil, tags: [], title: "t", seconds: 0) })
        let kept = try await store.fetch(Tune.self).grouped(by: \.year).explain(.count)
        #expect(kept.steps.map(\.kind) == [.index])
        #expect(kept.indexes == ["kept"])
        #expect(kept.step.actualRows == 3)
        let other = store.fetch(Tune.self).where { $0.artist == "a" }.grouped(by: \.year, \.seconds)
        let made = try await other.explain(.count, .maximum(\.rating))
        #expect(made.steps.map(\.kind) == [.group, .check, .scan])
        #expect(made.steps.map(\.actualRows) == [3, 30, 30])
        #expect(made.step.summary == "group by year, seconds")
        #expect(try await other.explain(.count, running: false).steps.allSatisfy { $0.actualRows == nil })
    }
}
