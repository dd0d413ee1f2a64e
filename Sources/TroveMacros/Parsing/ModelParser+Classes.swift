import SwiftDiagnostics
import SwiftSyntax

// What is different about classes.
extension ModelParser {
    /// Checks what only the declaration of a class can have wrong.
    mutating func checkClass(_ subject: ModelSubject, _ model: ModelDeclaration) {
        let name = subject.name.plainName
        let final = subject.modifiers.first { $0.name.tokenKind == .keyword(.final) }
        if final == nil, !isAbstract {
            report(
                .notFinal,
                "'\(name)' must be 'final': a subclass would have properties that '@Model' does not see; a class that models inherit is an "
                    + "'@AbstractModel'",
                at: subject.keyword,
                fixIt: .replacing(subject.keyword, with: TokenSyntax.identifier("final class"), "add 'final'"))
        }
        if let final, isAbstract {
            report(.finalAbstract, "'\(name)' is 'final', so no model can inherit it; remove 'final', or make it a '@Model'", at: final)
        }
        for field in model.fields where isAbstract && field.hasInverse {
            guard let property = declaredProperties[field.name] else { continue }
            report(
                .abstractInverse,
                "'\(field.name)' has an inverse, which would be that of one model alone; declare it in each class that inherits '\(name)'", at: property.token)
            leaveOut(field.name)
        }
        if let inherited = subject.inheritanceClause?.inheritedTypes.first, inherited.type.trimmedDescription == "NSObject" {
            report(
                .superclass, "'\(name)' has a superclass, whose properties '\(attributeName)' does not see; a model inherits nothing but an '@AbstractModel'",
                at: inherited)
        }
        if let inherited = subject.inheritanceClause?.inheritedTypes.first(where: { ["Codable", "Decodable"].contains($0.type.trimmedDescription) }),
            !subject.readsFromDecoder
        {
            report(
                .codableClass,
                "Swift cannot make the class '\(name)' 'Codable' by itself, since its objects know their store; write 'init(from:)' and 'encode(to:)', or use the JSON of 'store.json(of:)'",
                at: inherited.type)
        }
        for field in model.fields where !field.isConstant {
            checkStorageName(of: field.name)
        }
        let transient = declaredProperties.filter { $0.value.kind == .transient && $0.value.variable?.isPlainTransient ?? false }
        for name in transient.keys.sorted() { checkStorageName(of: name) }
    }

    private mutating func checkStorageName(of name: String) {
        guard let taken = declaredProperties["_\(name)"] else { return }
        report(
            .takenStorageName, "'_\(name)' is the name that '\(attributeName)' keeps the values of '\(name)' under; give it another name", at: taken.token)
        leaveOut(name)
    }

    /// The type that may be a superclass: the first one inherited, unless it is known to be a protocol. What it is, only the compiler can tell.
    func possibleSuperclass(of subject: ModelSubject) -> String? {
        guard subject.kind == .live, var type = subject.inheritanceClause?.inheritedTypes.first?.type else { return nil }
        while let attributed = type.as(AttributedTypeSyntax.self) { type = attributed.baseType }
        let name = type.trimmedDescription
        let plain = name.split(separator: ".").last.map(String.init) ?? name
        return Self.knownTypes.contains(plain) || type.is(SuppressedTypeSyntax.self) ? nil : name
    }

    /// Common protocols, and the class that is reported.
    private static let knownTypes: Set = [
        "AbstractModel", "Codable", "Comparable", "CustomStringConvertible", "Decodable", "Encodable", "Equatable", "Hashable", "Identifiable", "LiveModel",
        "Model",
        "NSObject", "Observable", "Sendable",
    ]

    /// Reads what a stored property of a class is, and checks what only such can have wrong.
    mutating func parseClassProperty(_ property: DeclaredProperty, in variable: VariableDeclSyntax, into stored: inout StoredProperty) {
        let token = property.token
        if stored.isID { return checkID(property, in: variable) }
        if variable.bindings.count > 1, !stored.isConstant {
            leaveOut(stored.name)
            guard property.binding == variable.bindings.first else { return }
            reportSeveralVariables(token)
        }
        if property.type?.isReferences ?? false {
            stored.content = .references
        } else if stored.relationship != nil {
            stored.content = .objects
            checkObjects(property, in: variable)
        }
    }

    /// Checks what only a transient property of a class can have wrong.
    mutating func checkTransientOfClass(_ property: DeclaredProperty, in variable: VariableDeclSyntax) {
        guard variable.bindings.count > 1, variable.takesAccessors, property.binding == variable.bindings.first else { return }
        reportSeveralVariables(property.token)
    }

    private mutating func reportSeveralVariables(_ token: TokenSyntax) {
        report(
            .severalVariables, "several properties are declared as one, and in a class each is given accessors of its own; declare each on its own",
            at: token)
    }

    /// Checks a relationship to objects.
    private mutating func checkObjects(_ property: DeclaredProperty, in variable: VariableDeclSyntax) {
        let token = property.token
        let name = token.plainName
        guard let type = property.type else {
            report(
                .untypedRelationship, "'\(name)' is a relationship and needs its type written, as in 'var \(name): [Song] = []'", at: token,
                fixIt: .replacing(property.binding, with: property.binding.withTypePlaceholder, "write the type of '\(name)'"))
            return
        }
        if variable.bindingSpecifier.tokenKind == .keyword(.let) {
            report(
                .requiredTarget, "'\(name)' is a relationship, which the deletion of its object changes; make it a 'var'", at: token,
                fixIt: .replacing(variable.bindingSpecifier, with: TokenSyntax.keyword(.var), "replace 'let' with 'var'"))
        }
        if property.binding.accessorBlock != nil {
            report(
                .observedRelationship, "'\(name)' is a relationship, which also changes when its other side does, where no observer runs; "
                    + "remove 'willSet' and 'didSet'",
                at: token)
        }
        if type.isOptional {
            if let wrapped = type.as(OptionalTypeSyntax.self)?.wrappedType, wrapped.isCollection {
                report(
                    .optionalCollection, "'\(name)' is a relationship to many, which is empty when there are none; remove the '?'", at: token,
                    fixIt: .replacing(type, with: wrapped.trimmed, "make it '\(wrapped.trimmedDescription)'"))
                return
            }
        } else if !type.isCollection {
            let optional = OptionalTypeSyntax(wrappedType: type.trimmed)
            report(
                .requiredTarget, "'\(name)' is a relationship to one object, which may not be there: make it optional", at: token,
                fixIt: .replacing(type, with: optional, "make it '\(optional.trimmedDescription)'"))
            return
        }
        if property.content != .unordered { checkObjectType(of: type, named: name) }
    }

    /// Checks that one object of a relationship is written as the name of a model.
    private mutating func checkObjectType(of type: TypeSyntax, named name: String) {
        guard let target = type.relationshipTarget else { return }
        if let wrapped = target.as(OptionalTypeSyntax.self)?.wrappedType {
            let reason = type.isOptional ? "which is nil in one way only" : "whose objects are never nil"
            report(
                .optionalTarget, "'\(name)' is a relationship, \(reason); remove the '?' behind '\(wrapped.trimmedDescription)'", at: target,
                fixIt: .replacing(target, with: wrapped.trimmed, "make it '\(wrapped.trimmedDescription)'"))
        } else if target.isCollection || !(target.is(IdentifierTypeSyntax.self) || target.is(MemberTypeSyntax.self)) {
            report(
                .notReference, "'\(name)' is a relationship, which refers to objects of one model or abstract model; "
                    + "write its name in place of '\(target.trimmedDescription)'",
                at: target)
        }
    }
}

extension VariableDeclSyntax {
    /// Whether it is a `@Transient` variable that accessors can be given to.
    var isPlainTransient: Bool { !attributes.named("Transient").isEmpty && bindings.count == 1 && takesAccessors }

    /// Whether nothing at it but the number of its variables keeps accessors from it.
    fileprivate var takesAccessors: Bool {
        let modifiers: [Keyword] = [.lazy, .weak, .unowned, .nonisolated]
        // One of a stored property alone says that it is none with accessors.
        return attributes.allSatisfy { $0.isKnown(in: ModelParser.harmlessAttributes) } && attributes.named("exclusivity").isEmpty
            && !modifiers.contains(where: hasModifier) && bindingSpecifier.tokenKind == .keyword(.var)
    }
}

extension DeclaredProperty {
    /// The declaration of which it is one binding.
    fileprivate var variable: VariableDeclSyntax? { binding.parent?.parent?.as(VariableDeclSyntax.self) }
}
