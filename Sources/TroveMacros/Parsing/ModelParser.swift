import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Reads the declaration that `@Model` or `@AbstractModel` is attached to, and collects what is wrong with it.
///
/// What is right is expanded nevertheless: a model of which nothing is written makes every line wrong that uses it, and the message that matters is lost among
/// those of these lines.
struct ModelParser {
    let context: any MacroExpansionContext
    private(set) var diagnostics: [Diagnostic] = []
    /// The names of properties that are treated as none of the model's, since something is wrong with them.
    private var leftOut: Set<String> = []
    /// How much can be written beside what was reported.
    private var rest = ModelDiagnostic.Rest.others
    var declaredProperties: [String: DeclaredProperty] = [:]
    /// The indexes read so far.
    var parsedIndexes: [ParsedIndex] = []
    private var directives: [MacroExpansionDeclSyntax] = []
    /// The macro that declares the id.
    var identityDirective: MacroExpansionDeclSyntax?
    private var initAccessors: [TokenSyntax] = []
    /// What the model is; a struct until the declaration is looked at.
    private(set) var kind = ModelSubject.Kind.structure
    /// What default values may name; nil until the declaration is looked at.
    private(set) var defaultValueScope: DefaultValueScope?
    /// Whether the declaration is one of an abstract model.
    let isAbstract: Bool

    init(_ context: any MacroExpansionContext, isAbstract: Bool = false) {
        self.context = context
        self.isAbstract = isAbstract
    }

    /// What encloses the declaration, innermost first.
    var lexicalContext: [Syntax] { context.lexicalContext }

    /// The attribute, as messages name it.
    var attributeName: String { isAbstract ? "@AbstractModel" : "@Model" }

    mutating func report(
        _ diagnostic: ModelDiagnostic, _ message: String, at node: some SyntaxProtocol, fixIt: FixIt? = nil
    ) {
        diagnostics.append(Diagnostic(diagnostic, message, at: node, fixIt: fixIt))
        rest = min(rest, diagnostic.rest)
    }

    /// Treats a property as none of the model's.
    mutating func leaveOut(_ name: String) { leftOut.insert(name) }

    /// The model with all that is right about it, or nil when nothing can be written for it.
    mutating func parse(_ attribute: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax) -> ModelDeclaration? {
        guard let subject = ModelSubject(declaration) else {
            reportKind(of: declaration)
            return nil
        }
        guard isFirst(attribute, of: subject) else { return nil }
        kind = subject.kind
        defaultValueScope = DefaultValueScope(subject)
        checkHeader(of: subject)
        let arguments = parseArguments(of: attribute)
        var model = ModelDeclaration(
            storedName: arguments.name ?? subject.name.plainName, version: arguments.version ?? 1,
            access: access(of: subject), isNested: isNested, kind: subject.kind, modelName: subject.name.text, isAbstract: isAbstract)
        for member in subject.memberBlock.members {
            parse(member.decl, into: &model)
        }
        if subject.kind == .live {
            checkClass(subject, model)
            model.possibleSuperclass = possibleSuperclass(of: subject)
        }
        if subject.kind == .structure, !model.declaresInitializer {
            for token in initAccessors {
                report(
                    .initAccessor,
                    "'\(token.plainName)' has an 'init' accessor, which changes the memberwise initializer that '@Model' calls; "
                        + "declare an initializer in '\(subject.name.plainName)'",
                    at: token)
            }
        }
        checkOriginalNames(of: model)
        parse(directives, of: subject, into: &model)
        checkGeneratedID(subject.memberBlock, &model)
        if !diagnostics.isEmpty { omitMistakes(from: &model) }
        return rest == .nothing ? nil : model
    }

    /// Leaves out of the model what something is wrong with, and what may name it.
    private mutating func omitMistakes(from model: inout ModelDeclaration) {
        model.hasMistakes = true
        model.leftOut = rest == .others ? leftOut : Set(declaredProperties.keys)
        model.indexes = []
    }

    private mutating func parse(_ member: DeclSyntax, into model: inout ModelDeclaration) {
        if let name = member.asProtocol(NamedDeclSyntax.self)?.name { checkHiding(by: name) }
        if let variable = member.as(VariableDeclSyntax.self) {
            parse(variable, into: &model)
        } else if let initializer = member.as(InitializerDeclSyntax.self) {
            model.declaresInitializer = true
            let isConvenience = initializer.modifiers.contains { $0.name.tokenKind == .keyword(.convenience) }
            if !isConvenience { model.declaresDesignatedInitializer = true }
            if initializer.signature.takes(label: "from", type: "RecordDecoder") { model.handwritten.insert(.decoder) }
        } else if let function = member.as(FunctionDeclSyntax.self) {
            if function.name.text == "encode", function.signature.takes(label: "into", type: "RecordEncoder") {
                model.handwritten.insert(.encoder)
            }
        } else if let macro = member.as(MacroExpansionDeclSyntax.self) {
            if Self.directives.contains(macro.macroName.text) { directives.append(macro) }
        } else if let conditional = member.as(IfConfigDeclSyntax.self) {
            checkConditional(conditional)
        } else if member.asProtocol(NamedDeclSyntax.self)?.name.text == "ID" {
            model.handwritten.insert(.idType)
        }
    }

    private mutating func parse(_ variable: VariableDeclSyntax, into model: inout ModelDeclaration) {
        for binding in variable.bindings {
            if let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier { checkHiding(by: name) }
        }
        if variable.isTypeProperty {
            for binding in variable.bindings {
                switch binding.pattern.trimmedDescription {
                case "schema": model.handwritten.insert(.schema)
                case "indexes": model.handwritten.insert(.indexes)
                default: break
                }
            }
            checkMarks(ofTypeProperty: variable)
            return
        }
        var bindings: [(binding: PatternBindingSyntax, type: TypeSyntax?)] = []
        for binding in variable.bindings.reversed() {
            // `var a, b: Int` types both; `var a = 1, b: Int` only the second.
            let inherited = binding.initializer == nil ? bindings.last?.type : nil
            bindings.append((binding, binding.typeAnnotation?.type ?? inherited))
        }
        for (binding, type) in bindings.reversed() {
            let reported = diagnostics.count
            parse(binding, type: type, of: variable, into: &model)
            if diagnostics.count > reported { leaveOut(binding.pattern.trimmedDescription.plainName) }
        }
    }

    private mutating func parse(
        _ binding: PatternBindingSyntax, type: TypeSyntax?, of variable: VariableDeclSyntax, into model: inout ModelDeclaration
    ) {
        guard let token = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
            reportPattern(binding.pattern)
            return
        }
        let property = DeclaredProperty(token, binding, type: type, of: variable)
        if declaredProperties.updateValue(property, forKey: token.plainName) != nil {
            report(.duplicateProperty, "'\(token.plainName)' is declared twice", at: token)
        }
        if token.plainName == "id" {
            model.declaresID = true
            model.computesID = property.kind == .computed
        }
        switch property.kind {
        case .computed:
            if binding.initAccessor != nil { initAccessors.append(token) }
            checkMarks(ofComputed: property, in: variable)
        case .transient:
            checkTransient(property, in: variable)
            if kind == .live { checkTransientOfClass(property, in: variable) }
        case .stored:
            var stored = parseStored(property, in: variable)
            if kind == .live { parseClassProperty(property, in: variable, into: &stored) }
            model.properties.append(stored)
        }
    }
}

extension FunctionSignatureSyntax {
    /// Whether the only parameter has this label and a type of this name, in another module or not.
    fileprivate func takes(label: String, type: String) -> Bool {
        guard let parameter = parameterClause.parameters.first, parameterClause.parameters.count == 1 else { return false }
        return parameter.firstName.text == label && parameter.type.trimmedDescription.hasSuffix(type)
    }
}
