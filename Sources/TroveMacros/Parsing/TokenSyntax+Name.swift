import SwiftSyntax

extension TokenSyntax {
    /// The identifier without the backticks that a reserved word is written in.
    var plainName: String {
        guard text.count > 2, text.hasPrefix("`"), text.hasSuffix("`") else { return text }
        return String(text.dropFirst().dropLast())
    }
}

extension String {
    /// Whether the name can stand in code without backticks, unless it is a reserved word: nothing but letters, digits and `_`, and no digit first.
    var isWord: Bool {
        guard let first else { return false }
        return !first.isNumber && allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    /// A name that is no reserved word, in code: in the backticks that any other characters need.
    var asIdentifier: String { isWord ? self : "`\(self)`" }
}
