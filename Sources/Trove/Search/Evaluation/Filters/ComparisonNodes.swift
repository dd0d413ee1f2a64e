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

/// An integer field against bounds, as it stands in the record.
final class IntegerNode<Value: FixedWidthInteger & BitwiseCopyable & Sendable>: FilterNode {
    private let offset: Int
    private let nilBits: NilBits
    private let lower, upper: Value
    /// Whether the integers outside of the bounds pass, and nil.
    private let isNegated: Bool
    var cost: Int { 2 }

    init(offset: Int, _ nilBits: NilBits, _ bounds: ClosedRange<Value>, isNegated: Bool) {
        self.offset = offset
        self.nilBits = nilBits
        lower = bounds.lowerBound
        upper = bounds.upperBound
        self.isNegated = isNegated
    }

    func matches(_ record: RecordView) -> Bool {
        let value = Value(littleEndian: record.base.loadUnaligned(fromByteOffset: offset, as: Value.self))
        return (value >= lower && value <= upper && !nilBits.areSet(in: record)) != isNegated
    }
}

/// A field of type `Double`, `Float` or `Date` against bounds, as it stands in the record.
final class DoubleNode: FilterNode {
    private let offset: Int
    private let isFloat: Bool
    private let nilBits: NilBits
    private let lower, upper: Double
    /// Whether the numbers outside of the bounds pass, and nil.
    private let isNegated: Bool
    var cost: Int { 2 }

    init(offset: Int, isFloat: Bool, _ nilBits: NilBits, _ bounds: DoubleBounds, isNegated: Bool) {
        self.offset = offset
        self.isFloat = isFloat
        self.nilBits = nilBits
        lower = bounds.lower
        upper = bounds.upper
        self.isNegated = isNegated
    }

    func matches(_ record: RecordView) -> Bool {
        let value =
            isFloat
            ? Double(Float(bitPattern: UInt32(littleEndian: record.base.loadUnaligned(fromByteOffset: offset, as: UInt32.self))))
            : Double(bitPattern: UInt64(littleEndian: record.base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        return (value >= lower && value <= upper && !nilBits.areSet(in: record)) != isNegated
    }
}
