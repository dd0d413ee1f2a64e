/// A comparison of any two values.
final class ComparisonNode: FilterNode {
    private let left, right: FilterOperand
    private let comparison: Comparison
    private let ignoring: TextFolding
    /// Whether both sides are sets, whose elements stand in no order.
    private let areSets: Bool
    private let watch: MemberWatch?
    var cost: Int { left.cost + right.cost + (ignoring.isEmpty ? 10 : 60) }

    /// - Parameter watch: asked while members are compared; nil where nobody cancels, or no side has any.
    init(_ left: FilterOperand, _ comparison: Comparison, _ right: FilterOperand, ignoring: TextFolding, areSets: Bool, _ watch: MemberWatch?) {
        self.watch = watch
        self.left = left
        self.right = right
        self.comparison = comparison
        self.ignoring = ignoring
        self.areSets = areSets
    }

    func matches(_ record: RecordView) throws -> Bool {
        try left.withValue(in: record) { left in
            try right.withValue(in: record) { right in
                if areSets, case .container(let first) = left, case .container(let second) = right {
                    return try FieldContainer.areEqualSets(first, second, ignoring: ignoring, watch) == (comparison == .equal)
                }
                return try FieldValue.passes(left, comparison, right, ignoring: ignoring, watch)
            }
        }
    }
}

/// A text against a literal, both by their foldings.
final class FoldedComparisonNode: FilterNode {
    private let reader: FieldReader
    private let comparison: Comparison
    private let ignoring: TextFolding
    /// The UTF-8 of the literal's folding.
    private let folding: [UInt8]
    var cost: Int { reader.access.cost + 30 }

    init(_ reader: FieldReader, _ comparison: Comparison, _ literal: String, ignoring: TextFolding) {
        self.reader = reader
        self.comparison = comparison
        self.ignoring = ignoring
        folding = Array(ignoring.folded(literal).utf8)
    }

    func matches(_ record: RecordView) throws -> Bool {
        try reader.access.withValue(in: record) { value in
            guard case .text(let text) = value else { return comparison == .notEqual }
            return FoldedText.withFolding(of: text, ignoring) { text in
                folding.withUnsafeBytes { ByteOrder.compare(text, $0).passes(comparison) }
            }
        }
    }
}

/// Whether a text begins with, ends with or contains a literal, both by their foldings.
final class FoldedTestNode: FilterNode {
    private let text: FilterOperand
    private let test: TextTest
    private let ignoring: TextFolding
    /// The UTF-8 of the literal's folding.
    private let folding: [UInt8]
    var cost: Int { text.cost + 50 }

    init(_ text: FilterOperand, _ test: TextTest, _ literal: String, ignoring: TextFolding) {
        self.text = text
        self.test = test
        self.ignoring = ignoring
        folding = Array(ignoring.folded(literal).utf8)
    }

    func matches(_ record: RecordView) throws -> Bool {
        try text.withValue(in: record) { value in
            guard let text = value.text(of: text.type) else { return false }
            return FoldedText.withFolding(of: text, ignoring) { text in
                folding.withUnsafeBytes { ByteOrder.test(test, text, $0) }
            }
        }
    }
}

/// Whether a text begins with, ends with or contains another.
final class TextTestNode: FilterNode {
    private let text, part: FilterOperand
    private let test: TextTest
    private let ignoring: TextFolding
    var cost: Int { text.cost + part.cost + (!ignoring.isEmpty ? 60 : test == .contains ? 30 : 6) }

    init(_ text: FilterOperand, _ test: TextTest, _ part: FilterOperand, ignoring: TextFolding) {
        self.text = text
        self.part = part
        self.test = test
        self.ignoring = ignoring
    }

    func matches(_ record: RecordView) throws -> Bool {
        try text.withValue(in: record) { value in
            guard let text = value.text(of: text.type) else { return false }
            return try part.withValue(in: record) { value in
                guard let part = value.text(of: part.type) else { return false }
                return FoldedText.withFolding(of: text, ignoring) { text in
                    FoldedText.withFolding(of: part, ignoring) { ByteOrder.test(test, text, $0) }
                }
            }
        }
    }
}

/// Whether a point is in a region.
final class RegionNode: FilterNode {
    private let reader: FieldReader
    private let region: GeoRegion
    var cost: Int { reader.access.cost + 80 }

    init(_ reader: FieldReader, _ region: GeoRegion) {
        self.reader = reader
        self.region = region
    }

    func matches(_ record: RecordView) throws -> Bool {
        try reader.access.withValue(in: record) { value in
            guard case .wide(.geoPoint, let high, let low) = value else { return false }
            return region.contains(GeoPoint(high: high, low: low))
        }
    }
}

/// Whether a number is a multiple of another.
final class MultipleNode: FilterNode {
    private let reader: FieldReader
    private let factor: UInt128
    var cost: Int { reader.access.cost + 20 }

    init(_ reader: FieldReader, _ factor: Int128) {
        self.reader = reader
        self.factor = factor.magnitude
    }

    func matches(_ record: RecordView) throws -> Bool {
        try reader.access.withValue(in: record) { $0.number?.isMultiple(of: factor) ?? false }
    }
}

/// Whether a text has a part that matches a regular expression.
final class RegexNode: FilterNode {
    private let text: FilterOperand
    private let pattern: RegularExpression
    private let watch: ReadWatch?
    var cost: Int { text.cost + 1_000 }

    init(_ text: FilterOperand, _ pattern: RegularExpression, _ watch: ReadWatch?) {
        self.watch = watch
        self.text = text
        self.pattern = pattern
    }

    func matches(_ record: RecordView) throws -> Bool {
        try text.withValue(in: record) { value in
            guard let text = value.text(of: text.type) else { return false }
            return try pattern.matches(text) { try watch?.look() }
        }
    }
}
