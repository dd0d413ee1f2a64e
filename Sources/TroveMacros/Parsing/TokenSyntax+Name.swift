import SwiftSyntax

extension TokenSyntax {
    /// The identifier without the backticks that a reserved word is written in.
    var plainName: String { text.plainName }
}

extension String {
    /// The identifier without the backticks that a reserved word is written in.
    var plainName: String {
        guard count > 2, hasPrefix("`"), hasSuffix("`") else { return self }
        return String(dropFirst().dropLast())
    }

    /// Whether the name can stand in code without backticks, unless it is a reserved word: nothing but letters, digits and `_`, and no digit first.
    var isWord: Bool {
        guard let first else { return false }
        return !first.isNumber && allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    /// A name that is no reserved word, in code: in the backticks that any other characters need.
    var asIdentifier: String { isWord ? self : "`\(self)`" }
}
