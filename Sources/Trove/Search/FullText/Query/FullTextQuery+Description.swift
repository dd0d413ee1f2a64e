extension FullTextQuery: CustomStringConvertible {
    /// The query as a line of text that means the same: a word that would not be read as one is written as a phrase of it.
    public var description: String {
        switch self {
        case .word(let word): Self.isPlain(word) ? word : Self.quoted(word)
        case .prefix(let word): (Self.isPlain(word) ? word : Self.quoted(word)) + "*"
        case .phrase(let words): Self.quoted(words)
        case .all(let parts): parts.map(\.inParentheses).joined(separator: " AND ")
        case .any(let parts): parts.map(\.inParentheses).joined(separator: " OR ")
        case .not(let part): "NOT " + part.inParentheses
        case .field(let name, let part): name + ":" + part.inParentheses
        }
    }

    private var inParentheses: String {
        switch self {
        case .word, .prefix, .phrase, .field: description
        case .all, .any, .not: "(" + description + ")"
        }
    }

    /// Whether a word needs no quotation marks to be read as itself.
    private static func isPlain(_ word: String) -> Bool {
        !word.isEmpty && !["AND", "OR", "NOT"].contains(word) && word.unicodeScalars.first != "-"
            && !word.unicodeScalars.contains(where: FullTextQueryParser.delimits)
    }

    /// Quotation marks separate words, so one inside may as well be a space.
    private static func quoted(_ words: String) -> String {
        "\"" + words.replacing("\"", with: " ") + "\""
    }
}
