import TestSupport
import Testing
import Trove

@Model struct Level: Equatable {
    var id: Double
    var name: String
}

@Model struct Sample: Equatable {
    var id: Int
    var level: Reference<Level>?
    var others: [Reference<Level>] = []
}

/// An id that is NaN equals nothing, and is the id of one object all the same: conditions through references find what refers to it.
@Suite struct ReferenceToNaNTests {
    @Test(arguments: Engine.allCases) func conditionsThroughReferences(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Level.self, Sample.self) }
        let store = fixture.store
        try store.save([Level(id: .nan, name: "none"), Level(id: 1, name: "one"), Level(id: 2, name: "two")])
        let (none, one, two) = (Reference<Level>(id: .nan), Reference<Level>(id: 1), Reference<Level>(id: 2))
        try store.save([
            Sample(id: 1, level: none, others: [one, none]), Sample(id: 2, level: one, others: [two]), Sample(id: 3), Sample(id: 4, level: two),
            Sample(id: 5, level: Reference(id: 99), others: [none]),
        ])
        func ids(_ condition: @escaping @Sendable (Fields<Sample>) -> Condition) throws -> [Int] {
            try store.fetch(Sample.self).where(condition).sorted(by: \.id).all().map(\.id)
        }
        #expect(try ids { $0.level.name == "none" } == [1])
        #expect(try ids { $0.level.name.isIn(["none", "two"]) } == [1, 4])
        #expect(try ids { $0.level.name != "one" } == [1, 3, 4, 5])
        #expect(try ids { $0.level.name != "none" } == [2, 3, 4, 5])
        #expect(try ids { $0.others.any { $0.name == "none" } } == [1, 5])
        #expect(try ids { $0.others.none { $0.name == "none" } } == [2, 3, 4])
    }
}
