import TestSupport
import Testing

@testable import Trove

/// Ids of text in an index: as long as none of them is longer than an entry has room for, entries of one value are in the order of the ids, and a walk stops
/// where it has enough.
@Suite struct TextIDWalkTests {
    @Model struct User: Equatable {
        var id: String
        @Attribute(.indexed) var country: String
    }

    private struct Undone: Error {}

    private static let count = 5_000
    private static func id(_ number: Int) -> String { "user " + String(10_000 + number) }
    /// Two ids that entries have no room for: one before all others, one in the middle.
    private static let long = ["a" + String(repeating: "x", count: 300), id(2_500) + String(repeating: "y", count: 600)]

    private static func fixture(_ engine: Engine) throws -> (fixture: StoreFixture, backend: ScanCountingBackend) {
        var counting: ScanCountingBackend?
        let fixture = try StoreFixture(engine) {
            let backend = ScanCountingBackend($0)
            counting = backend
            return try ObjectStore(backend, durability: .relaxed, models: User.self)
        }
        try fixture.store.save((0..<count).map { User(id: id($0), country: "DE") })
        return (fixture, try #require(counting))
    }

    private static func rows(_ source: some ObjectSource) throws -> Int {
        let plan = try source.fetch(User.self).where { $0.country == "DE" }.limit(1).explain()
        return try #require(plan.steps.first { $0.index != nil }?.actualRows, "\(plan)")
    }

    private static func index(_ transaction: ReadTransaction) throws -> IndexBinding {
        try #require(try transaction.usableIndexes(of: transaction.core.binding(for: User.self)).first)
    }

    private static func keyspaceName(_ store: ObjectStore) throws -> String { try store.read { try index($0).keyspaceName } }

    private static func pages(_ fetch: Fetch<User, some ObjectSource>, _ size: Int) throws -> [String] {
        var (ids, next): ([String], ContinuationToken?) = ([], nil)
        repeat {
            let page = try fetch.page(size, after: next)
            ids += page.objects.map(\.id)
            next = page.next
        } while next != nil
        return ids
    }

    private static func saveLong(_ store: ObjectStore) throws { try store.save(long.map { User(id: $0, country: "DE") }) }

    private static func sorted(_ ids: [String]) -> [String] { ids.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

    private static let short = (0..<count).map(id)

    @Test(arguments: Engine.allCases) func aWalkStopsWhereItHasEnough(_ engine: Engine) throws {
        let (fixture, backend) = try Self.fixture(engine)
        let fetch = fixture.store.fetch(User.self).where { $0.country == "DE" }
        #expect(try Self.rows(fixture.store) <= 33)
        #expect(try fetch.first()?.id == Self.short[0])
        let keyspace = try Self.keyspaceName(fixture.store)
        backend.reset()
        #expect(try Self.pages(fetch, 100) == Self.short)
        #expect(backend.met(in: keyspace) <= 10 * Self.count, "\(backend.met(in: keyspace)) entries were met")
    }

    /// Without a long id the batches go on where the last one ended; with one the keys are gathered once.
    @Test(arguments: Engine.allCases) func aStreamMeetsEntriesOnce(_ engine: Engine) async throws {
        let (fixture, backend) = try Self.fixture(engine)
        let keyspace = try Self.keyspaceName(fixture.store)
        for hasLong in [false, true] {
            if hasLong { try Self.saveLong(fixture.store) }
            let ids = Self.sorted(Self.short + (hasLong ? Self.long : []))
            let fetch = fixture.store.fetch(User.self).where { $0.country == "DE" }
            for fetch in [fetch, fetch.sorted(by: \.country)] {
                backend.reset()
                var found: [String] = []
                for try await user in fetch.stream(batchSize: 50) { found.append(user.id) }
                #expect(found == ids)
                #expect(backend.met(in: keyspace) <= 10 * Self.count, "\(backend.met(in: keyspace)) entries were met")
            }
        }
    }

    /// Everything that gives an order, compared with plain Swift.
    private func check(_ source: some ObjectSource, _ ids: [String], _ comment: Comment) throws {
        let ids = Self.sorted(ids)
        let fetch = source.fetch(User.self).where { $0.country == "DE" }
        #expect(try fetch.first()?.id == ids.first, comment)
        #expect(try fetch.ids() == ids, comment)
        // Sorted so, a scan of the records is of no use.
        for fetch in [fetch, fetch.sorted(by: \.country, .descending)] {
            #expect(try fetch.limit(40).all().map(\.id) == Array(ids.prefix(40)), comment)
            #expect(try fetch.offset(2_480).limit(40).ids() == Array(ids.dropFirst(2_480).prefix(40)), comment)
            #expect(try fetch.limit(3).select(\.id).all() == Array(ids.prefix(3)), comment)
            #expect(try Self.pages(fetch, 1_000) == ids, comment)
        }
    }

    @Test(arguments: Engine.allCases) func longIDsAreKnown(_ engine: Engine) throws {
        let (fixture, _) = try Self.fixture(engine)
        let store = fixture.store
        try check(store, Self.short, "without long ids")
        // A savepoint takes back what it counted.
        try store.write { transaction in
            #expect(throws: Undone.self) {
                try transaction.savepoint {
                    try transaction.save(Self.long.map { User(id: $0, country: "DE") })
                    #expect(try transaction.fetch(User.self).where { $0.country == "DE" }.first()?.id == Self.long[0])
                    throw Undone()
                }
            }
            #expect(try Self.rows(transaction) <= 33)
            try check(transaction, Self.short, "after the savepoint")
        }
        try Self.saveLong(store)
        try check(store, Self.short + Self.long, "with long ids")
        #expect(try store.verify().isSound)
        try store.rebuildIndexes(of: User.self)
        try check(store, Self.short + Self.long, "rebuilt")
        // As many entries as before, none of which is of a long id.
        try store.write { transaction in
            for id in Self.long { try transaction.delete(User.self, id: id) }
            try transaction.save([User(id: "b", country: "DE"), User(id: "c", country: "DE")])
        }
        #expect(try Self.rows(store) <= 33)
        try check(store, Self.short + ["b", "c"], "after the long ids")
        #expect(try store.verify().isSound)
    }

    /// A store of a version that did not count long ids.
    @Test(arguments: Engine.allCases) func withoutTheNumberNothingIsTakenForShort(_ engine: Engine) throws {
        let (fixture, _) = try Self.fixture(engine)
        let store = fixture.store
        func setCount(_ numbers: [Int]) throws {
            try store.core.write(.durable) { transaction in
                let keyspace = try #require(try transaction.writer.keyspace(named: IndexSample.keyspaceName))
                let bytes = numbers.flatMap { number in withUnsafeBytes(of: Int64(number).littleEndian) { [UInt8]($0) } }
                try transaction.writer.put(IndexSample.countKey(Self.index(transaction).number), bytes, in: keyspace)
            }
        }
        func hasShortKeys() throws -> Bool { try store.read { try $0.hasShortKeys(Self.index($0)) } }
        #expect(try hasShortKeys())
        try setCount([Self.count])
        #expect(try !hasShortKeys())
        try Self.saveLong(store)
        #expect(try !hasShortKeys())
        try check(store, Self.short + Self.long, "not counted")
        #expect(try store.verify().isSound)
        try setCount([Self.count + 2, 0])
        #expect(try store.verify().problems.contains { "\($0.error)".contains("entries of long ids") })
        try store.rebuildIndexes(of: User.self)
        #expect(try store.verify().isSound && !hasShortKeys())
        try check(store, Self.short + Self.long, "rebuilt")
    }
}
