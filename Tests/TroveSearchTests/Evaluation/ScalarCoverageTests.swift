import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// The data that many tests share have values of every type. A type that is new in the table fails here until they have it too.
@Suite struct ScalarCoverageTests {
    private static let types = ScalarTypes.all.map { $0.fieldType }

    @Test(arguments: types) func anObjectOfEveryTypeHasIt(type: FieldType) {
        #expect(EveryType.schema.fields.contains { $0.type == type }, "give EveryType a property of this type, and a value in its samples")
    }

    @Test(arguments: types) func conditionsCompareIt(type: FieldType) {
        var pool = ValuePool(seed: 1)
        let classes = (0..<200).map { _ in ValueClass(pool.literal(type)) }
        #expect(classes.contains(type.scalar?.valueClass), "give ValuePool.literal(_:) a case for this type")
    }

    /// By classes, since whole numbers of all widths are written alike.
    @Test(arguments: types) func criteriaTextHasIt(type: FieldType) {
        var filters = RandomFilters(random: SeededGenerator(seed: 1))
        let classes = (0..<2_000).map { _ in ValueClass(filters.value(0)) }
        #expect(classes.contains(type.scalar?.valueClass), "give RandomFilters.value(_:) a case for this type")
    }

    @Test(arguments: types) func theTableOfComparisonsHasIt(type: FieldType) {
        let classes = ComparisonTableTests.Sample.schema.fields.map { $0.type.unwrapped.scalar?.valueClass }
        #expect(classes.contains(type.scalar?.valueClass), "give ComparisonTableTests.Sample a property of this type, with a lower and a higher value")
    }
}
