import SwiftDiagnostics
import SwiftSyntax

extension ModelParser {
    /// Attributes of a stored property that change nothing about its storage.
    static let harmlessAttributes: Set = [
        "Attribute", "Relationship", "Transient", "available", "usableFromInline", "exclusivity", "preconcurrency", "_documentation", "_spi",
    ]

    /// The marks of properties that are stored.
    private static let fieldMarks = ["Attribute", "Relationship"]

    /// Reads a property whose values go into the record, or the id.
    mutating func parseStored(_ property: DeclaredProperty, in variable: VariableDeclSyntax) -> StoredProperty {
        let name = property.token.plainName
        checkName(of: property)
        checkStorage(of: property, in: variable)
        var stored = StoredProperty(codeName: property.token.text, name: name)
        stored.valueWithoutField = defaultValueScope.flatMap { property.valueWithoutField(in: $0) }
        stored.hasDefault = property.binding.initializer != nil
        stored.computesDefault = property.computesDefault
        stored.literalDefault = property.literalDefault
        stored.type = property.type?.portableDescription
        stored.isConstant = property.isConstant
        let attributes = variable.attributes.named("Attribute")
        if attributes.count > 1 {
            report(.repeatedMark, "'\(name)' has '@Attribute' twice; write one with all options", at: attributes[1])
        }
        checkReferences(property)
        parseRelationship(of: property, in: variable, into: &stored)
        guard let attribute = attributes.first else { return stored }
        if stored.isID {
            let reason = attribute.indexOptions.isEmpty
                ? "not a field, and takes no '@Attribute'" : "unique and found without an index, and takes no '@Attribute'"
            report(.markOnID, "'id' is the record's key, \(reason)", at: property.token, fixIt: variable.removing(attribute))
        } else {
            parse(attribute, of: property, in: variable, into: &stored)
        }
        return stored
    }

    /// Names that mean something else in key paths, where `ID` is the type of the id.
    private static let impossibleNames: Set = ["Self", "Type", "Protocol", "ID"]

    /// Every other name works, in backticks where it is a keyword, but that of the module.
    private mutating func checkName(of property: DeclaredProperty) {
        let name = property.token.plainName
        guard Self.impossibleNames.contains(name) else { return }
        report(.impossibleName, "a stored property named '\(name)' cannot be named in a key path; give it another name", at: property.token)
    }

    /// The code that `@Model` writes begins its names with the module's, which a member of that name hides.
    mutating func checkHiding(by name: TokenSyntax) {
        guard name.plainName == "Trove" else { return }
        report(.hiddenModule, "a member named 'Trove' hides the module of that name from the code '\(attributeName)' writes; give it another name", at: name)
    }

    /// An optional collection of references is stored, but as a plain value: without a reverse index and rules. Nobody means that.
    private mutating func checkReferences(_ property: DeclaredProperty) {
        guard let type = property.type, type.isReferences, let wrapped = type.as(OptionalTypeSyntax.self)?.wrappedType, wrapped.isCollection else {
            return
        }
        report(
            .optionalCollection, "'\(property.token.plainName)' has references to many, which are empty when there are none; remove the '?'",
            at: property.token, fixIt: .replacing(type, with: wrapped.trimmed, "make it '\(wrapped.trimmedDescription)'"))
    }

    private mutating func checkStorage(of property: DeclaredProperty, in variable: VariableDeclSyntax) {
        let token = property.token
        let name = token.plainName
        if variable.hasModifier(.lazy) {
            report(
                .lazyProperty,
                "'\(name)' is 'lazy', and reading it for a save would change the object; make it a computed property, "
                    + "or mark it '@Transient'",
                at: token)
        }
        for keyword in [Keyword.weak, .unowned] where variable.hasModifier(keyword) {
            let advice = kind == .live ? "make it a '@Relationship', which never keeps its object alive" : "store a 'Reference' to the other object"
            report(
                .referenceProperty,
                "'\(name)' is '\(TokenSyntax.keyword(keyword).text)', and such references cannot be stored; \(advice), or mark it '@Transient'",
                at: token)
        }
        for attribute in variable.attributes where !attribute.isKnown(in: Self.harmlessAttributes) {
            if case .ifConfigDecl(let conditional) = attribute {
                report(
                    .conditionalMember, "attributes of '\(name)' are inside '#if', but a model is stored in the same way in every build; move them out",
                    at: conditional)
                continue
            }
            report(
                .unknownAttribute,
                "'\(name)' has '\(attribute.trimmedDescription)', a property wrapper or macro that hides from '@Model' what is stored; "
                    + "store a plain property, or mark this one '@Transient'",
                at: token)
        }
        if property.type?.as(SomeOrAnyTypeSyntax.self)?.someOrAnySpecifier.tokenKind == .keyword(.some) {
            report(.opaqueType, "'\(name)' has an opaque type, which stored values cannot be read back into; write the type", at: token)
        }
        if variable.bindingSpecifier.tokenKind == .keyword(.let), property.binding.initializer != nil {
            if kind == .live, name == "id" { return }
            let advice = name == "id" ? "make it a 'var'" : "make it a 'var' or 'static', or mark it '@Transient'"
            report(
                .initializedConstant,
                "'\(name)' is a constant with a value, so a stored value could not be read back into it; \(advice)",
                at: token,
                fixIt: .replacing(variable.bindingSpecifier, with: TokenSyntax.keyword(.var), "replace 'let' with 'var'"))
        }
    }

    /// A transient property is left out of everything, so that it needs a value of its own.
    mutating func checkTransient(_ property: DeclaredProperty, in variable: VariableDeclSyntax) {
        let token = property.token
        let name = token.plainName
        if name == "id" {
            report(.markOnID, "'id' is the record's key and cannot be '@Transient'", at: token)
        }
        for mark in Self.fieldMarks {
            guard let attribute = variable.attributes.named(mark).first else { continue }
            report(
                .markWithoutEffect, "'\(name)' is '@Transient', so its '@\(mark)' says nothing; remove one of them", at: token,
                fixIt: variable.removing(attribute))
        }
        let isVariable = variable.bindingSpecifier.tokenKind == .keyword(.var)
        if property.binding.initializer == nil, !(isVariable && property.type?.hasImplicitNil ?? false) {
            report(
                .transientWithoutDefault, "'\(name)' is '@Transient' and needs a default value, which objects read from the store have",
                at: token,
                fixIt: .replacing(property.binding, with: property.binding.withDefaultPlaceholder, "give '\(name)' a default value"))
        }
    }

    mutating func checkMarks(ofComputed property: DeclaredProperty, in variable: VariableDeclSyntax) {
        if let attribute = variable.attributes.named("Relationship").first {
            report(
                .markWithoutEffect, "'\(property.token.plainName)' is computed and not stored, so its '@Relationship' says nothing; remove it",
                at: property.token, fixIt: variable.removing(attribute))
        }
        guard let attribute = variable.attributes.named("Attribute").first else { return }
        let name = property.token.plainName
        let advice = attribute.indexOptions.isEmpty
            ? "remove it" : "index its value with '#Index<…>(\"…\", version: 1) { $0.\(property.token.text) }'"
        report(
            .markWithoutEffect, "'\(name)' is computed and not stored, so its '@Attribute' says nothing; \(advice)", at: property.token,
            fixIt: variable.removing(attribute))
    }

    mutating func checkMarks(ofTypeProperty variable: VariableDeclSyntax) {
        for name in Self.fieldMarks + ["Transient"] where !variable.attributes.named(name).isEmpty {
            for binding in variable.bindings {
                report(
                    .markWithoutEffect,
                    "'\(binding.pattern.trimmedDescription)' is static and not stored, so its '@\(name)' says nothing; remove it",
                    at: binding.pattern)
            }
        }
    }

    mutating func reportPattern(_ pattern: PatternSyntax) {
        report(.tuplePattern, "'\(pattern.trimmedDescription)' declares several properties as one; declare each on its own", at: pattern)
    }

    /// What is stored, and whether there is a memberwise initializer, cannot depend on a condition that macros do not evaluate.
    mutating func checkConditional(_ conditional: IfConfigDeclSyntax) {
        for case .decls(let members) in conditional.clauses.compactMap(\.elements) {
            for member in members {
                checkConditional(member.decl)
            }
        }
    }

    private mutating func checkConditional(_ member: DeclSyntax) {
        if let variable = member.as(VariableDeclSyntax.self), !variable.isTypeProperty {
            let isTransient = !variable.attributes.named("Transient").isEmpty
            let reason = isTransient
                ? "is inside '#if', where '\(attributeName)' gives it no accessors" : "is stored inside '#if', but a model has the same fields in every build"
            for binding in variable.bindings where binding.isStored {
                if isTransient, kind == .structure, let token = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier {
                    checkTransient(DeclaredProperty(token, binding, type: binding.typeAnnotation?.type, of: variable), in: variable)
                    continue
                }
                report(.conditionalMember, "'\(binding.pattern.trimmedDescription)' \(reason); move it out", at: binding.pattern)
            }
        } else if let initializer = member.as(InitializerDeclSyntax.self) {
            report(
                .conditionalMember,
                "an initializer inside '#if' leaves open how '@Model' can make objects; move it out or into an extension",
                at: initializer.initKeyword)
        } else if let macro = member.as(MacroExpansionDeclSyntax.self), Self.directives.contains(macro.macroName.text) {
            report(.conditionalMember, "'#\(macro.macroName.text)' inside '#if' is not read; move it out", at: macro)
        } else if let nested = member.as(IfConfigDeclSyntax.self) {
            checkConditional(nested)
        }
    }
}

extension AttributeListSyntax.Element {
    /// Whether it is an attribute of Swift or Trove with one of these names.
    func isKnown(in names: Set<String>) -> Bool {
        guard case .attribute(let attribute) = self, let name = attribute.troveName else { return false }
        return names.contains(name)
    }
}

extension PatternBindingSyntax {
    /// The same property with a place for a default value.
    fileprivate var withDefaultPlaceholder: PatternBindingSyntax {
        var binding = self
        binding.typeAnnotation = typeAnnotation?.trimmed
        binding.initializer = InitializerClauseSyntax(
            equal: .equalToken(leadingTrivia: .space, trailingTrivia: .space),
            value: DeclReferenceExprSyntax(baseName: .identifier("<#default value#>")),
            trailingTrivia: accessorBlock == nil ? nil : .space)
        return binding
    }
}
