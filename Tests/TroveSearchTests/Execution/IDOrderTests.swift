import TestSupport
import Testing
import Trove

/// Sorts by ids that are texts, with and without case.
@Suite struct IDOrderTests {
    @Model struct Named: Equatable {
        let id: String
        @Attribute(.indexed) var group: Int
    }

    @Model struct Other: Equatable {
        let id: String
    }

    /// Of two ids that are equal without case, the smaller one comes first in either direction.
    private static func isBefore(_ left: String, _ right: String, _ direction: SortDirection) -> Bool {
        let (first, second) = (left.lowercased(), right.lowercased())
        return first == second ? left < right : (first < second) == (direction == .ascending)
    }

    @Test(arguments: Engine.allCases, [SortDirection.ascending, .descending]) func withoutCase(engine: Engine, direction: SortDirection) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Named.self, Other.self) }
        let ids = ["B", "a", "C", "b", "A", "d"]
        try fixture.store.save(ids.enumerated().map { Named(id: $1, group: $0 % 2) })
        let expected = ids.sorted { Self.isBefore($0, $1, direction) }
        let fetch = fixture.store.fetch(Named.self).sorted(by: \.id, direction, ignoringCase: true)
        #expect(try fetch.all().map(\.id) == expected)
        #expect(try fetch.first()?.id == expected.first)
        #expect(try fetch.last()?.id == expected.last)
        #expect(try fetch.limit(4).last()?.id == expected[3])
        var (found, next): ([String], ContinuationToken?) = ([], nil)
        repeat {
            let page = try fetch.page(1, after: next)
            found += page.objects.map(\.id)
            next = page.next
        } while next != nil
        #expect(found == expected)
        let groups = fixture.store.fetch(Named.self).sorted(by: \.group).sorted(by: \.id, direction, ignoringCase: true)
        let indices = ids.indices.sorted { $0 % 2 == $1 % 2 ? Self.isBefore(ids[$0], ids[$1], direction) : $0 % 2 < $1 % 2 }
        #expect(try groups.ids() == indices.map { ids[$0] })
        let plain = fixture.store.fetch(Named.self).sorted(by: \.id, direction)
        #expect(try plain.ids() == (direction == .ascending ? ids.sorted() : ids.sorted().reversed()))
    }

    @Test(arguments: Engine.allCases) func ofSeveralModels(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Named.self, Other.self) }
        let (named, others) = (["B", "a", "C", "b"], ["A", "c", "D", "e"])
        try fixture.store.save(named.map { Named(id: $0, group: 0) })
        try fixture.store.save(others.map { Other(id: $0) })
        let fetch = fixture.store.fetchModels(Named.self, Other.self).sorted(using: [SortKey(.id, .ascending, ignoringCase: true)])
        func id(_ object: any Model) -> String { (object as? Named)?.id ?? (object as? Other)?.id ?? "" }
        // Equal ones come model by model.
        let expected = ["a", "A", "B", "b", "C", "c", "D", "e"]
        #expect(try fetch.all().map { id($0) } == expected)
        var (found, next): ([String], ContinuationToken?) = ([], nil)
        repeat {
            let page = try fetch.page(1, after: next)
            found += page.objects.map { id($0) }
            next = page.next
        } while next != nil
        #expect(found == expected)
    }
}
