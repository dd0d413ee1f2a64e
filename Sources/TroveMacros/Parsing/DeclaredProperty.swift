import SwiftSyntax

/// An instance property of the model, as its braces declare it.
struct DeclaredProperty {
    enum Kind {
        case stored, transient, computed
    }

    let kind: Kind
    /// The name at its declaration, where diagnostics are placed.
    let token: TokenSyntax
    let binding: PatternBindingSyntax
    /// The written type; in `var a, b: Int` that of `b` is also the type of `a`.
    let type: TypeSyntax?

    /// Whether it is a `let`.
    let isConstant: Bool

    /// The source of the value that the property gets from a record without the field; nil when it must be there.
    ///
    /// For an optional the type is told with the value, and nil is given as one: otherwise several overloads of
    /// `decode` would do, as those of `Value` and of `Value?` for a `Codable` type.
    func valueWithoutField(in scope: DefaultValueScope) -> String? {
        let value = binding.initializer?.value
        guard let type, type.isOptional else { return value.map(scope.source) }
        guard let value, !value.is(NilLiteralExprSyntax.self) else { return "nil" }
        return "(\(scope.source(of: value))) as \(type.portableDescription)"
    }
}
