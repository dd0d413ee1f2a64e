import TestSupport
import Testing

@testable import Trove

/// Groups that an index keeps, against those that a query makes.
@Suite struct KeptGroupsTests {
    @Model struct Order {
        struct Details: Codable, Sendable, Equatable {
            var kind: [String]
            var name: String?
        }

        var id: Int
        var details: Details
    }

    @Model struct Parts {
        #Index<Parts>([\.a, \.b, \.c, \.d, \.e, \.f, \.g, \.h], aggregates: [.count])
        var id: Int
        var a, b, c, d, e, f, g, h: String
    }

    /// Of lists a part of an index tells only that they are some.
    @Test(arguments: Engine.allCases) func listsAreNoGroups(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Order.self) }
        let store = fixture.store
        try store.save(["a", "b"].enumerated().map { Order(id: $0, details: .init(kind: [$1], name: $0 == 0 ? nil : $1)) })
        for isKept in [false, true] {
            if isKept {
                try store.createIndex(Index<Order>([.path("details.kind")], name: "kinds", aggregates: [.count]))
                try store.createIndex(Index<Order>([.path("details.name")], name: "names", aggregates: [.count]))
            }
            let kinds = store.fetch(Order.self).grouped { $0.at("details.kind", as: StoredValue.self) }
            #expect {
                _ = try kinds.aggregate(.count)
            } throws: { error in
                if case TroveError.incomparable("Order", "details.kind", _) = error { true } else { false }
            }
            let names = store.fetch(Order.self).grouped { $0.at("details.name", as: String?.self) }
            let groups = try names.aggregate(.count)
            #expect(groups.map(\.key) == [nil, "b"] && groups.map(\.values) == [1, 1])
            #expect(try names.explain(.count).steps.contains { $0.summary.contains("the groups it keeps") } == isKept)
        }
        #expect(try store.verify().isSound)
    }

    /// Parts of which none is long are cut together, and what replaces their end has no order.
    @Test(arguments: Engine.allCases) func groupsOfManyPartsAreInOrder(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Parts.self) }
        let same = String(repeating: "s", count: 32)
        let last = (0..<30).map { String(repeating: "t", count: 30) + String(10 + $0) }
        try fixture.store.save(last.enumerated().map { Parts(id: 30 - $0, a: same, b: same, c: same, d: same, e: same, f: same, g: same, h: $1) })
        let groups = fixture.store.fetch(Parts.self).grouped(by: \.a, \.b, \.c, \.d, \.e, \.f, \.g, \.h)
        #expect(try groups.explain(.count).steps.contains { $0.summary.contains("the groups it keeps") })
        #expect(try groups.aggregate(.count).map(\.key.7) == last)
    }
}
