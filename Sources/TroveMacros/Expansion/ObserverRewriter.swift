import SwiftSyntax

/// Writes the name of a property's storage for its own in `willSet` and `didSet`, as far as they mean the object's property.
///
/// Swift lets an observer assign its own property, which then runs no observer. Through the property's accessors it would run for ever.
/// In closures it stays the property: they may run later, without the lock.
final class ObserverRewriter: SyntaxRewriter {
    private let name: String
    private let storageName: String

    init(_ property: LiveProperty) {
        name = property.codeName.plainName
        storageName = property.storageName
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> ExprSyntax {
        ExprSyntax(node.baseName.plainName == name && !node.isLocal ? storage(for: node) : node)
    }

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
