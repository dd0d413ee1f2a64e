import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// The generators of random filters make filters of every case: a new one that they do not know would be tested by none of the tests that use them.
@Suite struct RandomFilterKindTests {
    private static let draws = 3_000

    /// Those that criteria text and JSON are read back of.
    @Test func textsAndJSONHaveEveryCase() {
        var filters = RandomFilters(random: SeededGenerator(seed: 1))
        var kinds: Set<FilterKind> = []
        for _ in 0..<Self.draws { kinds.formUnion(FilterKind.all(in: filters.filter(3))) }
        let missing = Set(FilterKind.allCases).subtracting(kinds)
        #expect(missing.isEmpty, "RandomFilters makes no filter that is \(missing)")
    }

    /// Those that are compared with the reference, but for what ``ReferenceEvaluator`` leaves to other tests: words, and what points where.
    @Test func comparisonsWithTheReferenceHaveEveryCase() throws {
        let fixture = try StoreFixture(.memory) { try ObjectStore($0, durability: .relaxed, models: EveryType.self) }
        var pool = ValuePool(seed: 1)
        var kinds: Set<FilterKind> = []
        try fixture.store.read { transaction in
            let model = try transaction.open(EveryType.self)
            for _ in 0..<Self.draws { kinds.formUnion(FilterKind.all(in: try pool.filter(model.binding))) }
        }
        let missing = Set(FilterKind.allCases).subtracting(kinds)
        #expect(missing == [.fullText, .isUnreferenced, .hasDanglingReferences], "RandomFilter makes no filter that is \(missing)")
    }
}
