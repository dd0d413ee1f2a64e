import SwiftSyntax
import SwiftSyntaxBuilder

extension String {
    /// The text as a string literal, escaped where needed.
    var literal: String {
        StringLiteralExprSyntax(content: self).description
    }
}

extension [String] {
    /// The source of an array of these expressions, each on a line.
    var arrayLiteral: String { isEmpty ? "[]" : "[\n\(map { $0 + "," }.joined(separator: "\n"))\n]" }
}
