import TestSupport
import Testing

@testable import Trove

/// Conditions behind references, in fetches that read batch after batch.
@Suite struct BatchConditionTests {
    @Model struct Maker {
        var id: Int
        var name: String
    }

    @Model struct Sketch {
        var id: Int
        @Relationship var maker: Reference<Maker>?
        @Attribute(.indexed) var rank: Int
        var place: Int
    }

    @Model struct Work {
        var id: Int
        @Relationship var maker: Reference<Maker>?
        @Attribute(.indexed) var rank: Int
        var place: Int
    }

    private static let makers = (0..<10).map { Maker(id: $0, name: $0 % 2 == 0 ? "a" : "b") }
    private static let works = (0..<2_000).map { Work(id: $0, maker: Reference(id: $0 % 10), rank: $0 * 7 % 501, place: $0 * 11 % 303) }
    private static let sketches = (0..<200).map { Sketch(id: $0, maker: Reference(id: $0 % 10), rank: $0 * 3 % 101, place: $0 % 17) }

    private static func fixture(_ engine: Engine) throws -> (fixture: StoreFixture, backend: ScanCountingBackend) {
        var counting: ScanCountingBackend?
        let fixture = try StoreFixture(engine) {
            let backend = ScanCountingBackend($0)
            counting = backend
            return try ObjectStore(backend, durability: .relaxed, models: Maker.self, Sketch.self, Work.self)
        }
        try fixture.store.save(makers)
        try fixture.store.save(sketches)
        try fixture.store.save(works)
        return (fixture, try #require(counting))
    }

    /// The keys of what is found, in an order that has the models' names and the ids last.
    private static func expected(_ rank: (_ sketch: Sketch?, _ work: Work?) -> Int) -> [[UInt8]] {
        let sketches = sketches.filter { $0.id % 2 == 0 }.map { (rank: rank($0, nil), model: 0, id: $0.id) }
        let works = works.filter { $0.id % 2 == 0 }.map { (rank: rank(nil, $0), model: 1, id: $0.id) }
        return (sketches + works).sorted { ($0.rank, $0.model, $0.id) < ($1.rank, $1.model, $1.id) }.map(\.id.keyBytes)
    }

    /// All batches are of one snapshot, so that what is behind the references is asked once for each model.
    @Test(arguments: Engine.allCases) func aFetchOfSeveralModelsAsksOnce(engine: Engine) throws {
        let (fixture, backend) = try Self.fixture(engine)
        let fetch = fixture.store.fetchRecords(of: ["Work", "Sketch"])
        let orders: [(String, [[UInt8]])] = [
            ("", Self.expected { _, _ in 0 }), (" order by rank", Self.expected { ($0?.rank ?? 0) + ($1?.rank ?? 0) }),
            (" order by place", Self.expected { ($0?.place ?? 0) + ($1?.place ?? 0) }),
        ]
        for (order, keys) in orders {
            backend.reset()
            #expect(try fetch.matching("maker.name = 'a'" + order).all().map(\.key) == keys, "\(order)")
            #expect(backend.met(in: "Maker") == 2 * Self.makers.count, "\(order)")
        }
    }

    /// Each batch of a stream is of its own snapshot, and sees what the condition comes to there.
    @Test(arguments: Engine.allCases) func aStreamAsksForEachBatch(engine: Engine) async throws {
        let (fixture, _) = try Self.fixture(engine)
        let store = fixture.store
        var found: [Int] = []
        for try await work in store.fetch(Work.self).matching("maker.name = 'a' order by place, id").stream(batchSize: 100) {
            found.append(work.id)
            if found.count == 100 { try await store.save(Maker(id: 0, name: "b")) }
        }
        let all = Self.works.sorted { ($0.place, $0.id) < ($1.place, $1.id) }.map(\.id).filter { $0 % 2 == 0 }
        #expect(found == all.prefix(100) + all.dropFirst(100).filter { $0 % 10 != 0 })
    }
}
