/// A comparison of any two values.
final class ComparisonNode: FilterNode {
    private let left, right: FilterOperand
    private let comparison: Comparison
    private let ignoringCase: Bool
    /// Whether both sides are sets, whose elements stand in no order.
    private let areSets: Bool
    var cost: Int { left.cost + right.cost + (ignoringCase ? 60 : 10) }

    init(_ left: FilterOperand, _ comparison: Comparison, _ right: FilterOperand, ignoringCase: Bool, areSets: Bool) {
        self.left = left
        self.right = right
        self.comparison = comparison
        self.ignoringCase = ignoringCase
        self.areSets = areSets
    }

    func matches(_ record: RecordView) throws -> Bool {
        try left.withValue(in: record) { left in
            try right.withValue(in: record) { right in
                if areSets, case .container(let first) = left, case .container(let second) = right {
                    return try FieldContainer.areEqualSets(first, second) == (comparison == .equal)
                }
                return try FieldValue.passes(left, comparison, right, ignoringCase: ignoringCase)
            }
        }
    }
}
