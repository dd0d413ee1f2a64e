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

    /// Whether the default may be another value each time: it is no literal, and not made of literals alone.
    var computesDefault: Bool { binding.initializer.map { !$0.value.isConstant } ?? false }

    /// The default's tokens, by which programs with other defaults are told apart; nil when it is no literal, and not made of literals alone.
    var literalDefault: String? {
        guard let value = binding.initializer?.value, value.isConstant else { return nil }
        return value.tokens(viewMode: .sourceAccurate).map(\.text).joined()
    }
}

extension DeclaredProperty {
    /// - Parameters:
    ///   - token: the name in the binding.
    ///   - variable: the declaration that the binding is of.
    init(_ token: TokenSyntax, _ binding: PatternBindingSyntax, type: TypeSyntax?, of variable: VariableDeclSyntax) {
        let isTransient = !variable.attributes.named("Transient").isEmpty
        self.init(
            kind: !binding.isStored ? .computed : isTransient ? .transient : .stored, token: token, binding: binding, type: type,
            isConstant: variable.bindingSpecifier.tokenKind == .keyword(.let))
    }
}

extension ExprSyntax {
    /// Whether it is a literal, or made of literals alone.
    fileprivate var isConstant: Bool {
        switch self.as(ExprSyntaxEnum.self) {
        case .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .nilLiteralExpr: true
        case .stringLiteralExpr(let text): text.segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
        case .prefixOperatorExpr(let prefixed): prefixed.expression.isConstant
        case .arrayExpr(let array): array.elements.allSatisfy(\.expression.isConstant)
        case .dictionaryExpr(let dictionary):
            dictionary.content.as(DictionaryElementListSyntax.self)?.allSatisfy { $0.key.isConstant && $0.value.isConstant } ?? true
        // A closure may do anything.
        case .functionCallExpr(let call):
            call.calledExpression.isTypeOfValues && call.arguments.allSatisfy(\.expression.isConstant) && call.trailingClosure == nil
        default: false
        }
    }

    /// Whether it names a type whose initializers make the same value of the same literals each time.
    private var isTypeOfValues: Bool {
        if self.is(ArrayExprSyntax.self) || self.is(DictionaryExprSyntax.self) { return true }
        let name = self.as(GenericSpecializationExprSyntax.self)?.expression ?? self
        return ["Array", "Data", "Decimal", "Dictionary", "Lazy", "Set", "String"].contains(name.as(DeclReferenceExprSyntax.self)?.baseName.text)
    }
}
