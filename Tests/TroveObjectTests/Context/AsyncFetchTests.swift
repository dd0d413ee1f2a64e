import TestSupport
import Testing
import Trove

/// Everything that a fetch gives, it gives asynchronously too, whatever it reads from: a store, a context, a context's saved objects, a bag.
@Suite struct AsyncFetchTests {
    fileprivate static let origin = GeoPoint(latitude: 0, longitude: 0)!

    @Model final class Tune {
        #FullText<Tune>([\.title])
        let id: Int
        @Attribute(.indexed) var title: String
        var plays: Int
        var stars: Double?
        var place: GeoPoint
        init(_ id: Int) {
            self.id = id
            title = "tune \(id % 3)"
            plays = id * 10
            stars = id % 4 == 0 ? nil : Double(id)
            place = GeoPoint(latitude: Double(id), longitude: 0) ?? AsyncFetchTests.origin
        }
    }

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Tune.self) }
        let context = ObjectContext(fixture.store)
        try context.insert((0..<12).map { Tune($0) })
        try context.save()
        return fixture
    }

    /// The results as text, read asynchronously.
    private func results<Source: AsyncObjectSource>(of fetch: Fetch<Tune, Source>) async throws -> [String] {
        [
            "\(try await fetch.all().map(\.id))", "\(try await fetch.first()?.id ?? -1)", "\(try await fetch.last()?.id ?? -1)", "\(try await fetch.requireFirst().id)",
            "\(try await fetch.ids())", "\(try await fetch.count())", "\(try await fetch.exists())", "\(try await fetch.page(3).objects.map(\.id))",
            "\(try await fetch.sum(\.plays))", "\(try await fetch.sum(\.stars))", "\(try await fetch.average(\.plays) ?? -1)", "\(try await fetch.minimum(\.stars) ?? -1)",
            "\(try await fetch.maximum(\.plays) ?? -1)", "\(try await fetch.aggregate(.countDistinct(\.title)))", "\(try await fetch.distinct(\.title))",
            "\(try await fetch.grouped(by: \.title).aggregate(.count).map { "\($0.key) \($0.values)" })", "\(try await fetch.select(\.title, \.plays).all())",
            "\(try await fetch.search("tune").count)", "\(try await fetch.nearest(2, to: AsyncFetchTests.origin, by: \.place).map(\.object.id))",
            "\(try await fetch.explain(running: false).description.isEmpty)",
        ]
    }

    /// The same, read on the test's thread.
    private func resultsAtOnce<Source: ObjectSource>(of fetch: Fetch<Tune, Source>) throws -> [String] {
        [
            "\(try fetch.all().map(\.id))", "\(try fetch.first()?.id ?? -1)", "\(try fetch.last()?.id ?? -1)", "\(try fetch.requireFirst().id)",
            "\(try fetch.ids())", "\(try fetch.count())", "\(try fetch.exists())", "\(try fetch.page(3).objects.map(\.id))",
            "\(try fetch.sum(\.plays))", "\(try fetch.sum(\.stars))", "\(try fetch.average(\.plays) ?? -1)", "\(try fetch.minimum(\.stars) ?? -1)",
            "\(try fetch.maximum(\.plays) ?? -1)", "\(try fetch.aggregate(.countDistinct(\.title)))", "\(try fetch.distinct(\.title))",
            "\(try fetch.grouped(by: \.title).aggregate(.count).map { "\($0.key) \($0.values)" })", "\(try fetch.select(\.title, \.plays).all())",
            "\(try fetch.search("tune").count)", "\(try fetch.nearest(2, to: AsyncFetchTests.origin, by: \.place).map(\.object.id))",
            "\(try fetch.explain(running: false).description.isEmpty)",
        ]
    }

    @Test(arguments: Engine.allCases) func sameAsAtOnce(_ engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let context = ObjectContext(store)
        func isSame<Source: AsyncObjectSource>(_ source: Source) async throws -> Bool {
            let fetch = source.fetch(Tune.self).where { $0.plays > 20 }.sorted(by: \.plays, .descending)
            let ranked = source.fetch(Tune.self).where { $0.plays > 20 }
            let (later, atOnce) = (try await results(of: ranked), try resultsAtOnce(of: ranked))
            let sorted = try await fetch.all().map(\.id)
            return later == atOnce && sorted == Array((3...11).reversed())
        }
        #expect(try await isSame(store))
        #expect(try await isSame(context))
        #expect(try await isSame(context.saved))
        // With changes that are not saved, which a context's fetch shows and a store's does not.
        let tune = try #require(try await context.fetch(Tune.self, id: 2))
        tune.plays = 1_000
        #expect(try await context.fetch(Tune.self).maximum(\.plays) == 1_000)
        #expect(try await context.saved.fetch(Tune.self).maximum(\.plays) == 110)
        #expect(try await context.fetch(Tune.self).last()?.id == 11)
        #expect(try await context.fetch(Tune.self, ids: [2, 99, 4]).map(\.id) == [2, 4])
        #expect(try await context.fetch(Tune.self, id: 99) == nil)
        #expect(try await context.read { try $0.fetch(Tune.self).count() } == 12)
        try context.delete(tune)
        #expect(try await context.fetch(Tune.self, id: 2) == nil)
    }
}
