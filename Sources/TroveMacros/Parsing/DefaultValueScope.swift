import SwiftSyntax

/// What a default value may name where it is declared, and not in the initializer that `@Model` writes.
///
/// There Swift finds static members by their names alone, and takes an `if` or a `switch` for a value.
struct DefaultValueScope {
    /// How the type is called inside its own members.
    let type: String
    /// The static members in the type's braces.
    let members: Set<String>

    init(_ subject: ModelSubject) {
        // A class that is not final has no `Self` before all its properties have values.
        type = subject.kind == .structure ? "Self" : subject.name.text
        members = Set(subject.memberBlock.members.flatMap { $0.decl.typeMemberNames })
    }

    /// The source of a default value, to be written as an argument.
    func source(of value: ExprSyntax) -> String {
        let names = NameCollector(viewMode: .sourceAccurate)
        names.walk(value)
        let start = value.positionAfterSkippingLeadingTrivia
        var source = Array(value.trimmedDescription.utf8)
        for use in names.uses.reversed() where members.contains(use.baseName.text) && !use.isLocal {
            let offset = use.positionAfterSkippingLeadingTrivia.utf8Offset - start.utf8Offset
            source.insert(contentsOf: "\(type).".utf8, at: offset)
        }
        return value.argument(String(decoding: source, as: UTF8.self))
    }
}

extension ExprSyntax {
    /// The source of the expression as an argument, where Swift takes no `if` and no `switch` for a value.
    var argument: String { argument(trimmedDescription) }

    /// - Parameter source: what is written in place of the expression.
    fileprivate func argument(_ source: String) -> String { self.is(IfExprSyntax.self) || self.is(SwitchExprSyntax.self) ? "{ \(source) }()" : source }
}

extension DeclSyntax {
    /// The names of static properties and functions that it declares.
    fileprivate var typeMemberNames: [String] {
        if let variable = self.as(VariableDeclSyntax.self), variable.isTypeProperty {
            return variable.bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text }
        }
        guard let function = self.as(FunctionDeclSyntax.self) else { return [] }
        return function.isOfType ? [function.name.text] : []
    }
}

extension FunctionDeclSyntax {
    /// Whether it is called on the type.
    var isOfType: Bool { modifiers.contains { [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind) } }
}

/// The names that an expression uses without a type or value before them.
private final class NameCollector: SyntaxVisitor {
    /// In the order of the source.
    var uses: [DeclReferenceExprSyntax] = []

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        let isMember = node.parent?.as(MemberAccessExprSyntax.self)?.declName.id == node.id || node.parent?.is(KeyPathPropertyComponentSyntax.self) ?? false
        if !isMember { uses.append(node) }
        return .visitChildren
    }
}
