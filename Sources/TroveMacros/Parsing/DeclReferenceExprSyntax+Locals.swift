import SwiftSyntax

extension DeclReferenceExprSyntax {
    /// Whether the code around the name declares it, where it stands, for itself: a variable before it, a condition of its branch, a parameter of its closure.
    var isLocal: Bool {
        let name = baseName.plainName
        var inner = Syntax(self)
        while let outer = inner.parent {
            if outer.declares(name, at: inner) { return true }
            inner = outer
        }
        return false
    }
}

extension Syntax {
    /// Whether the node itself gives a name to what stands at `part`, a child of it.
    fileprivate func declares(_ name: String, at part: Syntax) -> Bool {
        switch self.as(SyntaxEnum.self) {
        case .codeBlockItemList(let items):
            return items.contains { $0.position < part.position ? $0.item.declares(name) : $0.item.as(FunctionDeclSyntax.self)?.name.plainName == name }
        case .patternBindingList(let bindings):
            // Those of properties are found by their names in all of the type.
            let isInCode = parent?.parent?.is(CodeBlockItemSyntax.self) ?? false
            return isInCode && bindings.contains { $0.position < part.position && $0.pattern.binds(name) }
        case .conditionElementList(let conditions): return conditions.contains { $0.position < part.position && $0.binds(name) }
        case .ifExpr(let branch): return part.id == branch.body.id && branch.conditions.bind(name)
        case .whileStmt(let loop): return part.id == loop.body.id && loop.conditions.bind(name)
        case .forStmt(let loop): return part.id != loop.sequence.id && loop.pattern.binds(name)
        case .switchCaseItem(let item): return item.pattern.binds(name)
        case .switchCase(let branch):
            guard part.id == branch.statements.id, case .case(let label) = branch.label else { return false }
            return label.caseItems.contains { $0.pattern.binds(name) }
        case .catchItem(let item): return item.pattern?.binds(name) ?? false
        case .catchClause(let clause):
            guard part.id == clause.body.id else { return false }
            return clause.catchItems.isEmpty ? name == "error" : clause.catchItems.contains { $0.pattern?.binds(name) ?? false }
        case .closureExpr(let closure): return part.id != closure.signature?.id && closure.signature?.binds(name) ?? false
        case .functionDecl(let function): return part.id == function.body?.id && function.signature.binds(name)
        case .accessorDecl(let accessor): return name == accessor.valueName
        default: return false
        }
    }
}

extension AccessorDeclSyntax {
    /// What its body calls the new value, or the old one.
    fileprivate var valueName: String? {
        if let parameters { return parameters.name.plainName }
        return switch accessorSpecifier.tokenKind {
        case .keyword(.set), .keyword(.willSet): "newValue"
        case .keyword(.didSet): "oldValue"
        default: nil
        }
    }
}

extension CodeBlockItemSyntax.Item {
    /// Whether it declares a name for the statements behind it.
    fileprivate func declares(_ name: String) -> Bool {
        if let variable = self.as(VariableDeclSyntax.self) { return variable.bindings.contains { $0.pattern.binds(name) } }
        if let function = self.as(FunctionDeclSyntax.self) { return function.name.plainName == name }
        return self.as(GuardStmtSyntax.self)?.conditions.bind(name) ?? false
    }
}

extension ConditionElementListSyntax {
    fileprivate func bind(_ name: String) -> Bool { contains { $0.binds(name) } }
}

extension ConditionElementSyntax {
    fileprivate func binds(_ name: String) -> Bool {
        switch condition {
        case .optionalBinding(let binding): binding.pattern.binds(name)
        case .matchingPattern(let matching): matching.pattern.binds(name)
        case .expression, .availability: false
        }
    }
}

extension SyntaxProtocol {
    /// Whether a pattern, or the head of a closure or function, declares a name.
    fileprivate func binds(_ name: String) -> Bool {
        let finder = DeclaredNames(viewMode: .sourceAccurate)
        finder.walk(self)
        return finder.names.contains(name)
    }
}

private final class DeclaredNames: SyntaxVisitor {
    var names: Set<String> = []

    override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind { note(node.identifier) }
    override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind { note(node.name) }
    override func visit(_ node: ClosureParameterSyntax) -> SyntaxVisitorContinueKind { note(node.secondName ?? node.firstName) }
    override func visit(_ node: ClosureCaptureSyntax) -> SyntaxVisitorContinueKind { note(node.name) }
    override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind { note(node.secondName ?? node.firstName) }

    private func note(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
        names.insert(token.plainName)
        return .skipChildren
    }
}
