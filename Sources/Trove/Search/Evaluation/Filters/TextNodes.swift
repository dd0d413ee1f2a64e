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
        try text.withValue(in: record) { value in
            guard let text = value.text(of: text.type) else { return false }
            return try part.withValue(in: record) { value in
                guard let part = value.text(of: part.type) else { return false }
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
            guard let text = value.text(of: text.type) else { return false }
            return try pattern.matches(String(storedUTF8: text))
        }
    }
}
