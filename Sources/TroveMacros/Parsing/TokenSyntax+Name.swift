import SwiftSyntax

extension TokenSyntax {
    /// The identifier without the backticks that a reserved word is written in.
    var plainName: String {
        guard text.count > 2, text.hasPrefix("`"), text.hasSuffix("`") else { return text }
        return String(text.dropFirst().dropLast())
    }
}
