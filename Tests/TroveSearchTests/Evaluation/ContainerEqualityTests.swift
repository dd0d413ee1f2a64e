import TestSupport
import Testing

@testable import Trove

/// When sets and dictionaries are equal.
@Suite struct ContainerEqualityTests {
    @Model struct Labelled {
        var id: Int
        var tags: Set<String>
        var numbers: Set<Double>
        var counts: [Int: Double]
    }

    private func fixture(_ engine: Engine) throws -> EvaluationFixture<Labelled> {
        try EvaluationFixture(
            [
                Labelled(id: 1, tags: ["Live"], numbers: [1, 2], counts: [1: 1, 2: 2, 3: 3]),
                Labelled(id: 2, tags: ["Live", "live"], numbers: [.nan, 1], counts: [1: .nan]),
                Labelled(id: 3, tags: ["solo"], numbers: [], counts: Dictionary(uniqueKeysWithValues: (0..<5_000).map { ($0, Double($0)) })),
            ], on: engine)
    }

    private func texts(_ texts: String...) -> StoredValue { .array(texts.map { .string($0) }) }

    @Test(arguments: Engine.allCases) func setsWithoutCase(engine: Engine) throws {
        let fixture = try fixture(engine)
        let tags = Operand.path(FieldPath("tags"))
        #expect(try fixture.ids(condition("tags", .equal, texts("live"), ignoringCase: true)) == [1, 2])
        #expect(try fixture.ids(condition("tags", .equal, texts("LIVE", "live", "lIVE"), ignoringCase: true)) == [1, 2])
        #expect(try fixture.ids(condition("tags", .notEqual, texts("live"), ignoringCase: true)) == [3])
        #expect(try fixture.ids(condition("tags", .equal, texts("live", "solo"), ignoringCase: true)) == [])
        #expect(try fixture.ids(.membership(tags, [texts("live"), texts("SOLO", "x")], ignoringCase: true)) == [1, 2])
        #expect(try fixture.ids(.membership(tags, [texts("live"), texts("SOLO")], ignoringCase: true)) == [1, 2, 3])
        #expect(try fixture.ids(.comparison(tags, .equal, tags, ignoringCase: true)) == [1, 2, 3])
        #expect(try fixture.ids(condition("tags", .equal, texts("live"))) == [])
        #expect(try fixture.ids(condition("tags", .equal, texts("live", "Live"))) == [2], "in whatever order")
        #expect(try fixture.ids(.membership(tags, [texts("live"), texts("Live")])) == [1])
    }

    @Test(arguments: Engine.allCases) func withoutANumber(engine: Engine) throws {
        let fixture = try fixture(engine)
        for field in ["numbers", "counts"] {
            let path = Operand.path(FieldPath(field))
            #expect(try fixture.ids(.comparison(path, .equal, path)) == [1, 3], "NaN equals nothing: \(field)")
            #expect(try fixture.ids(.comparison(path, .notEqual, path)) == [2], "\(field)")
        }
        #expect(try fixture.ids(condition("numbers", .equal, .array([.double(2), .double(1)]))) == [1])
        #expect(try fixture.ids(condition("numbers", .equal, .array([]))) == [3])
    }
}
