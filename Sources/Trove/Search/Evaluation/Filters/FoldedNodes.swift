/// A text against a literal, both by their case foldings.
final class FoldedComparisonNode: FilterNode {
    private let reader: FieldReader
    private let comparison: Comparison
    /// The UTF-8 of the literal's folding.
    private let folding: [UInt8]
    var cost: Int { reader.access.cost + 30 }

    init(_ reader: FieldReader, _ comparison: Comparison, _ literal: String) {
        self.reader = reader
        self.comparison = comparison
        folding = Array(CaseFolding.folded(literal).utf8)
    }

    func matches(_ record: RecordView) throws -> Bool {
        try reader.access.withValue(in: record) { value in
            guard case .text(let text) = value else { return comparison == .notEqual }
            return FoldedText.withFolding(of: text) { text in
                folding.withUnsafeBytes { ByteOrder.compare(text, $0).passes(comparison) }
            }
        }
    }
}

/// Whether a text begins with, ends with or contains a literal, both by their case foldings.
final class FoldedTestNode: FilterNode {
    private let text: FilterOperand
    private let test: TextTest
    /// The UTF-8 of the literal's folding.
    private let folding: [UInt8]
    var cost: Int { text.cost + 50 }

    init(_ text: FilterOperand, _ test: TextTest, _ literal: String) {
        self.text = text
        self.test = test
        folding = Array(CaseFolding.folded(literal).utf8)
    }

    func matches(_ record: RecordView) throws -> Bool {
        try text.withValue(in: record) { value in
            guard let text = value.text(of: text.type) else { return false }
            return FoldedText.withFolding(of: text) { text in
                folding.withUnsafeBytes { ByteOrder.test(test, text, $0) }
            }
        }
    }
}
