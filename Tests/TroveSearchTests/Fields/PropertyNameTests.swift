import TestSupport
import Testing
import Trove

/// Properties whose names are also those of what can be asked of an object or a field, stored and found on every engine.
@Suite struct PropertyNameTests {
    struct Inner: Codable, Equatable, Sendable {
        var isIn: Int
        var at: Int
        var isEmpty: String
    }

    @Model struct Odd: Equatable {
        @Attribute(.indexed) var at: Int
        var hasWords: Bool
        var derivedValue: String
        var path: Int
        var not: Int
        var `default`: Int
        var `init`: Int
        var `self`: Int
        var contains: String
        var inner: Inner
    }

    @Model final class OddObject {
        var at: Int
        var `in`: Int
        var hasWords: Bool
        @Relationship var `self_`: OddObject?
        init(_ number: Int) {
            at = number
            `in` = number % 3
            hasWords = number % 2 == 0
        }
    }

    private static let values = (0..<40).map { number in
        Odd(
            at: number, hasWords: number % 2 == 0, derivedValue: "v\(number % 5)", path: number % 7, not: -number, default: number % 4, init: number % 6, self: number % 10,
            contains: "c\(number % 3)", inner: Inner(isIn: number % 8, at: number % 9, isEmpty: number % 2 == 0 ? "" : "full"))
    }

    @Test(arguments: Engine.allCases) func structs(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Odd.self) }
        try fixture.store.save(Self.values)
        func expect(
            _ condition: (Fields<Odd>) -> some ConditionConvertible, _ isMember: (Odd) -> Bool, _ location: SourceLocation = #_sourceLocation
        ) throws {
            let found = try fixture.store.fetch(Odd.self).where(condition).sorted(by: \.at).all()
            #expect(found == Self.values.filter(isMember), sourceLocation: location)
        }
        try expect({ $0.at == 5 || $0.at.isIn([6, 7]) }) { [5, 6, 7].contains($0.at) }
        try expect({ $0.hasWords }) { $0.hasWords }
        try expect({ !$0.hasWords && $0.derivedValue == "v1" }) { !$0.hasWords && $0.derivedValue == "v1" }
        try expect({ $0.path > 3 && $0.not < -10 }) { $0.path > 3 && $0.not < -10 }
        try expect({ $0.default == 1 && $0.`init` == 1 }) { $0.default == 1 && $0.`init` == 1 }
        try expect({ $0.`self` == 7 }) { $0.`self` == 7 }
        try expect({ $0.contains.contains("2") }) { $0.contains.contains("2") }
        try expect({ $0.inner.isIn == 3 || $0.inner.at == 4 }) { $0.inner.isIn == 3 || $0.inner.at == 4 }
        try expect({ $0.inner.at("at", as: Int.self) == 4 && $0.at("inner.isIn", as: Int.self) > 2 }) { $0.inner.at == 4 && $0.inner.isIn > 2 }
        try expect({ $0.inner.isEmpty.isEmpty }) { $0.inner.isEmpty.isEmpty }
    }

    @Test(arguments: Engine.allCases) func objects(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: OddObject.self) }
        let context = ObjectContext(fixture.store)
        let objects = (0..<20).map(OddObject.init)
        objects[3].self_ = objects[4]
        try context.insert(objects)
        try context.save()
        #expect(try context.fetch(OddObject.self).where { $0.in == 1 && $0.hasWords }.sorted(by: \.at).all().map(\.at) == [4, 10, 16])
        #expect(try context.fetch(OddObject.self).where { $0.self_.at == 4 }.all().map(\.at) == [3])
    }
}
