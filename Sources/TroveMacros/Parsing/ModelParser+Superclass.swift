import SwiftSyntax

extension ModelParser {
    /// The model with the abstract one that it inherits, or nil when nothing can be written for it.
    ///
    /// - Parameter protocols: those that the declaration does not conform to yet, as the compiler tells macros. All subclasses of an abstract model conform to
    ///   `AbstractModel`.
    mutating func parse(_ attribute: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax, missing protocols: [TypeSyntax]) -> ModelDeclaration? {
        guard var model = parse(attribute, attachedTo: declaration) else { return nil }
        model.superclass = protocols.names.contains("AbstractModel") ? nil : model.possibleSuperclass
        checkInheritance(of: &model, declaration)
        checkInitializers(of: &model, declaration)
        model.hasMistakes = !diagnostics.isEmpty
        return model
    }

    /// Reports what a class must leave to the one it inherits, or to those that inherit it.
    private mutating func checkInheritance(of model: inout ModelDeclaration, _ declaration: some DeclGroupSyntax) {
        if model.isAbstract {
            for member in declaration.members(named: "init(from:)", "schema", "indexes") where model.handwritten.contains(member.kind) {
                report(.handwrittenInheritance, "'@AbstractModel' writes this for the classes that inherit '\(model.modelName)'; remove it", at: member.node)
            }
        }
        guard let superclass = model.superclass else { return }
        if superclass.contains("&") {
            report(
                .superclass,
                "'\(model.modelName)' inherits '\(superclass)', which is several things at once; write the superclass first and the protocols after it",
                at: declaration.introducer)
            model.superclass = superclass.prefix { $0 != "&" && $0 != " " }.description
            model.possibleSuperclass = model.superclass
        }
        let message = "the id is that of '\(superclass)', which '\(model.modelName)' inherits; remove this"
        if let id = declaredProperties["id"] { report(.inheritedID, message, at: id.token) }
        if model.identity != nil, let identityDirective {
            report(.inheritedID, message, at: identityDirective)
            model.identity = nil
        }
        for member in declaration.members(named: "schema", "indexes") where !model.isAbstract && model.handwritten.contains(member.kind) {
            report(
                .handwrittenInheritance,
                "written by hand, this would leave out what '\(superclass)' has; remove it\(member.kind == .indexes ? ", and declare indexes with '#Index'" : "")",
                at: member.node)
        }
    }
}

extension DeclGroupSyntax {
    /// The members of these names that a model may write by hand.
    fileprivate func members(named names: String...) -> [(kind: ModelMember, node: Syntax)] {
        memberBlock.members.compactMap { member in
            if let initializer = member.decl.as(InitializerDeclSyntax.self) {
                guard names.contains("init(from:)"), initializer.signature.parameterClause.parameters.first?.firstName.text == "from" else { return nil }
                return (.decoder, Syntax(initializer.initKeyword))
            }
            guard let variable = member.decl.as(VariableDeclSyntax.self), variable.isTypeProperty,
                let pattern = variable.bindings.first?.pattern, names.contains(pattern.trimmedDescription)
            else { return nil }
            return (pattern.trimmedDescription == "schema" ? .schema : .indexes, Syntax(pattern))
        }
    }
}
