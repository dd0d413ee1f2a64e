import SwiftSyntax

extension TypeSyntax {
    /// The type's source for a place inside of another type in the model's braces, where `Self` would be that one.
    ///
    /// - Parameter model: the model's own name, with its backticks.
    func portableDescription(insideOf model: String) -> String {
        guard tokens(viewMode: .sourceAccurate).contains(where: { $0.text == "Self" }) else { return portableDescription }
        return SelfNaming(model).rewrite(self).as(TypeSyntax.self)?.portableDescription ?? portableDescription
    }
}

/// Writes a type's name for `Self`.
private final class SelfNaming: SyntaxRewriter {
    private let name: String

    init(_ name: String) {
        self.name = name
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ token: TokenSyntax) -> TokenSyntax {
        guard token.text == "Self" else { return token }
        var token = token
        token.tokenKind = .identifier(name)
        return token
    }
}
