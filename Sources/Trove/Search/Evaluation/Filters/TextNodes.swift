/// A text field against a text, by their bytes.
final class TextComparisonNode: FilterNode {
    private let number: Int
    private let nilBits: NilBits
    private let comparison: Comparison
    private let literal: Literal
    private let text: UnsafeText
    var cost: Int { 6 }

    init(number: Int, _ nilBits: NilBits, _ comparison: Comparison, _ literal: Literal, _ text: UnsafeRawBufferPointer) {
        self.number = number
        self.nilBits = nilBits
        self.comparison = comparison
        self.literal = literal
        self.text = UnsafeText(bytes: text)
    }

    func matches(_ record: RecordView) throws -> Bool {
        if nilBits.areSet(in: record) { return comparison == .notEqual }
        let value = try record.variable(number)
        return switch comparison {
        case .equal: ByteOrder.areEqual(value, text.bytes)
        case .notEqual: !ByteOrder.areEqual(value, text.bytes)
        default: ByteOrder.compare(value, text.bytes).passes(comparison)
        }
    }
}

/// The bytes of a text literal. Unchecked: a node that has it has the ``Literal`` that owns the bytes too, which never change.
struct UnsafeText: @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer
}

/// Whether a text begins with, ends with or contains another.
final class TextTestNode: FilterNode {
    private let text, part: FilterOperand
    private let test: TextTest
    private let ignoringCase: Bool
    var cost: Int { text.cost + part.cost + (ignoringCase ? 60 : test == .contains ? 30 : 6) }

    init(_ text: FilterOperand, _ test: TextTest, _ part: FilterOperand, ignoringCase: Bool) {
        self.text = text
        self.part = part
        self.test = test
        self.ignoringCase = ignoringCase
    }

    func matches(_ record: RecordView) throws -> Bool {
        try text.withValue(in: record) { text in
            guard let text = text.text else { return false }
            return try part.withValue(in: record) { part in
                guard let part = part.text else { return false }
                guard ignoringCase else { return ByteOrder.test(test, text, part) }
                return FoldedText.withFolding(of: text) { text in
                    FoldedText.withFolding(of: part) { ByteOrder.test(test, text, $0) }
                }
            }
        }
    }
}

/// Whether a text has a part that matches a regular expression.
final class RegexNode: FilterNode {
    private let text: FilterOperand
    private let pattern: RegularExpression
    var cost: Int { text.cost + 2_000 }

    init(_ text: FilterOperand, _ pattern: RegularExpression) {
        self.text = text
        self.pattern = pattern
    }

    func matches(_ record: RecordView) throws -> Bool {
        try text.withValue(in: record) { value in
            guard let text = value.text else { return false }
            return try pattern.matches(String(storedUTF8: text))
        }
    }
}
