import SwiftSyntax

/// Writes the name of a property's storage for its own in `willSet` and `didSet`, as far as they mean the object's property.
///
/// Swift lets an observer assign its own property, which then runs no observer. Through the property's accessors it would run for ever.
/// In closures it stays the property: they may run later, without the lock.
final class ObservedName: SyntaxRewriter {
    private let name: String
    private let storageName: String
    /// Whether the name alone may be that of something declared in the observers.
    private let isHidden: Bool

    init(_ property: LiveProperty, in observers: AccessorBlockSyntax) {
        name = property.codeName.plainName
        storageName = property.storageName
        let declarations = DeclaredNames(viewMode: .sourceAccurate)
        declarations.walk(observers)
        isHidden = declarations.names.contains(name)
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> ExprSyntax { ExprSyntax(isHidden ? node : storage(for: node)) }

    override func visit(_ node: MemberAccessExprSyntax) -> ExprSyntax {
        // Without a base it is a member of whatever type is asked for.
        guard let base = node.base else { return ExprSyntax(node) }
        var node = node
        if base.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind == .keyword(.self) {
            node.declName = storage(for: node.declName)
        } else {
            node.base = rewrite(base).as(ExprSyntax.self)
        }
        return ExprSyntax(node)
    }

    override func visit(_ node: KeyPathExprSyntax) -> ExprSyntax { ExprSyntax(node) }

    // What runs later has to take the lock.
    override func visit(_ node: ClosureExprSyntax) -> ExprSyntax { ExprSyntax(node) }
    override func visit(_ node: FunctionDeclSyntax) -> DeclSyntax { DeclSyntax(node) }

    private func storage(for node: DeclReferenceExprSyntax) -> DeclReferenceExprSyntax {
        guard node.baseName.plainName == name else { return node }
        var node = node
        node.baseName.tokenKind = .identifier(storageName)
        return node
    }
}

/// The names that observers declare themselves.
private final class DeclaredNames: SyntaxVisitor {
    var names: Set<String> = []

    override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind { note(node.identifier) }
    override func visit(_ node: AccessorParametersSyntax) -> SyntaxVisitorContinueKind { note(node.name) }
    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { note(node.name) }
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    private func note(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
        names.insert(token.plainName)
        return .skipChildren
    }
}
