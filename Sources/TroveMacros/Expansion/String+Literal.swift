import SwiftSyntax
import SwiftSyntaxBuilder

extension String {
    /// The text as a string literal, escaped where needed.
    var literal: String {
        StringLiteralExprSyntax(content: self).description
    }
}
