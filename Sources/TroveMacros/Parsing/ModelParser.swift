import SwiftDiagnostics
import SwiftSyntax

/// Reads the declaration that `@Model` is attached to, and collects what is wrong with it.
struct ModelParser {
    private let lexicalContext: [Syntax]
    private(set) var diagnostics: [Diagnostic] = []
    var declaredProperties: [String: DeclaredProperty] = [:]
    private var identities: [MacroExpansionDeclSyntax] = []
    private var initAccessors: [TokenSyntax] = []

    /// `lexicalContext` is what encloses the declaration, innermost first.
    init(lexicalContext: [Syntax]) {
        self.lexicalContext = lexicalContext
    }

    mutating func report(
        _ diagnostic: ModelDiagnostic, _ message: String, at node: some SyntaxProtocol, fixIt: FixIt? = nil
    ) {
        diagnostics.append(Diagnostic(diagnostic, message, at: node, fixIt: fixIt))
    }

    /// The model, or nil when anything was reported.
    mutating func parse(_ attribute: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax) -> ModelDeclaration? {
        guard let structure = declaration.as(StructDeclSyntax.self) else {
            reportKind(of: declaration)
            return nil
        }
        checkHeader(of: structure)
        let arguments = parseArguments(of: attribute)
        var model = ModelDeclaration(
            storedName: arguments.name ?? structure.name.plainName, version: arguments.version ?? 1,
            access: access(of: structure), isNested: isNested)
        for member in structure.memberBlock.members {
            parse(member.decl, into: &model)
        }
        if !model.declaresInitializer {
            for token in initAccessors {
                report(
                    .initAccessor,
                    "'\(token.plainName)' has an 'init' accessor, which changes the memberwise initializer that '@Model' calls; "
                        + "declare an initializer in '\(structure.name.plainName)'",
                    at: token)
            }
        }
        checkOriginalNames(of: model)
        model.identity = parseIdentity(identities, of: structure)
        return diagnostics.isEmpty ? model : nil
    }

    private mutating func parse(_ member: DeclSyntax, into model: inout ModelDeclaration) {
        if let variable = member.as(VariableDeclSyntax.self) {
            parse(variable, into: &model)
        } else if let initializer = member.as(InitializerDeclSyntax.self) {
            model.declaresInitializer = true
            if initializer.signature.takes(label: "from", type: "RecordDecoder") { model.handwritten.insert(.decoder) }
        } else if let function = member.as(FunctionDeclSyntax.self) {
            if function.name.text == "encode", function.signature.takes(label: "into", type: "RecordEncoder") {
                model.handwritten.insert(.encoder)
            }
        } else if let macro = member.as(MacroExpansionDeclSyntax.self) {
            if macro.macroName.text == "Unique" { identities.append(macro) }
        } else if let conditional = member.as(IfConfigDeclSyntax.self) {
            checkConditional(conditional)
        } else if member.asProtocol(NamedDeclSyntax.self)?.name.text == "ID" {
            model.handwritten.insert(.idType)
        }
    }

    private mutating func parse(_ variable: VariableDeclSyntax, into model: inout ModelDeclaration) {
        if variable.isTypeProperty {
            if variable.bindings.contains(where: { $0.pattern.trimmedDescription == "schema" }) { model.handwritten.insert(.schema) }
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
            parse(binding, type: type, of: variable, into: &model)
        }
    }

    private mutating func parse(
        _ binding: PatternBindingSyntax, type: TypeSyntax?, of variable: VariableDeclSyntax, into model: inout ModelDeclaration
    ) {
        guard let token = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
            reportPattern(binding.pattern)
            return
        }
        let isTransient = !variable.attributes.named("Transient").isEmpty
        let property = DeclaredProperty(
            kind: !binding.isStored ? .computed : isTransient ? .transient : .stored, token: token, binding: binding, type: type)
        if declaredProperties.updateValue(property, forKey: token.plainName) != nil {
            report(.duplicateProperty, "'\(token.plainName)' is declared twice", at: token)
        }
        switch property.kind {
        case .computed:
            if token.plainName == "id" { model.declaresID = true }
            if binding.initAccessor != nil { initAccessors.append(token) }
            checkMarks(ofComputed: property, in: variable)
        case .transient:
            checkTransient(property, in: variable)
        case .stored:
            if token.plainName == "id" { model.declaresID = true }
            model.properties.append(parseStored(property, in: variable))
        }
    }
}

extension ModelParser {
    /// Whether another type encloses the struct, at any distance.
    private var isNested: Bool {
        lexicalContext.contains { $0.asProtocol(DeclGroupSyntax.self) != nil }
    }

    /// The modifier that members need to be as accessible as the struct, which may have its access from an extension around it.
    private func access(of structure: StructDeclSyntax) -> String {
        let levels: [Keyword] = [.public, .package, .internal, .fileprivate, .private]
        func level(of modifiers: DeclModifierListSyntax) -> Keyword? {
            levels.first { level in modifiers.contains { $0.name.tokenKind == .keyword(level) } }
        }
        let enclosing = lexicalContext.first?.as(ExtensionDeclSyntax.self)
        switch level(of: structure.modifiers) ?? enclosing.flatMap({ level(of: $0.modifiers) }) {
        case .public: return "public "
        case .package: return "package "
        default: return ""
        }
    }

    private mutating func reportKind(of declaration: some DeclGroupSyntax) {
        if let type = declaration.as(ClassDeclSyntax.self) {
            report(
                .notAStruct,
                "'@Model' works on structs; live objects, for which '\(type.name.plainName)' could be a class, come with a later release",
                at: type.classKeyword)
        } else {
            let kind = declaration.introducer.text
            let article = ["actor", "enum", "extension"].contains(kind) ? "an" : "a"
            report(.notAStruct, "'@Model' works on structs; it cannot be attached to \(article) \(kind)", at: declaration.introducer)
        }
    }

    private mutating func checkHeader(of structure: StructDeclSyntax) {
        let name = structure.name.plainName
        if let parameters = structure.genericParameterClause {
            report(
                .genericStruct,
                "'@Model' cannot be attached to a generic struct: each '\(name)<…>' would need a name and fields of its own",
                at: parameters)
        }
        if lexicalContext.contains(where: { $0.asProtocol(WithGenericParametersSyntax.self)?.genericParameterClause != nil }) {
            report(.genericContext, "'@Model' cannot be attached to a struct inside a generic type or function; move '\(name)' out", at: structure.name)
        }
        if let noncopyable = structure.inheritanceClause?.inheritedTypes.first(where: { $0.type.is(SuppressedTypeSyntax.self) }) {
            report(.noncopyableStruct, "'@Model' cannot be attached to '\(name)', which is noncopyable: a store hands out copies", at: noncopyable)
        }
        guard isNested else { return }
        if let modifier = structure.modifiers.first(where: { $0.name.tokenKind == .keyword(.private) }) {
            report(
                .privateType,
                "'\(name)' is private in another type, where the extension that '@Model' writes cannot reach it; make it 'fileprivate'",
                at: modifier,
                fixIt: .replacing(modifier.name, with: TokenSyntax.keyword(.fileprivate), "replace 'private' with 'fileprivate'"))
        }
        // The outermost type may be private: in a file that is the same as fileprivate.
        let inner = lexicalContext.filter { $0.asProtocol(DeclGroupSyntax.self) != nil }.dropLast()
        let isInsidePrivate = inner.contains { enclosing in
            enclosing.asProtocol(WithModifiersSyntax.self)?.modifiers.contains { $0.name.tokenKind == .keyword(.private) } ?? false
        }
        if isInsidePrivate {
            report(
                .privateType,
                "'\(name)' is inside a private nested type, where the extension that '@Model' writes cannot reach it; make that type 'fileprivate'",
                at: structure.name)
        }
    }

    private mutating func parseArguments(of attribute: AttributeSyntax) -> (name: String?, version: Int?) {
        var name: String?
        var version: Int?
        for argument in attribute.arguments?.as(LabeledExprListSyntax.self) ?? [] {
            if argument.label?.text == "version" {
                version = argument.expression.as(IntegerLiteralExprSyntax.self)?.representedLiteralValue
                if version ?? 0 < 1 {
                    report(.invalidVersion, "'version' must be an integer literal of at least 1", at: argument.expression)
                }
            } else if !argument.expression.is(NilLiteralExprSyntax.self) {
                name = argument.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
                if name?.isEmpty ?? true {
                    report(
                        .invalidName, "the name a model is stored under must be a string literal that is not empty",
                        at: argument.expression)
                }
            }
        }
        return (name, version)
    }
}

extension FunctionSignatureSyntax {
    /// Whether the only parameter has this label and a type of this name, in another module or not.
    fileprivate func takes(label: String, type: String) -> Bool {
        guard let parameter = parameterClause.parameters.first, parameterClause.parameters.count == 1 else { return false }
        return parameter.firstName.text == label && parameter.type.trimmedDescription.hasSuffix(type)
    }
}
