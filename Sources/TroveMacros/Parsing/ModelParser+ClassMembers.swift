import SwiftDiagnostics
import SwiftSyntax

// The members that the objects of a class need to be made and found.
extension ModelParser {
    /// Checks that the id of a class is a constant that initializers give its value.
    mutating func checkID(_ property: DeclaredProperty, in variable: VariableDeclSyntax) {
        let token = property.token
        guard let value = property.binding.initializer?.value else {
            if property.isConstant { return }
            return report(
                .variableID, "'id' tells which record the object is, and must be a 'let'", at: token,
                fixIt: .replacing(variable.bindingSpecifier, with: TokenSyntax.keyword(.let), "replace 'var' with 'let'"))
        }
        let type = property.type?.portableDescription ?? value.tellingType
        let advice =
            "write \(type.map { "'let id: \($0)'" } ?? "'let id' with its type"), and give it its value in the initializers, or leave it out for an 'ObjectID'"
        let fixIt = type.flatMap(variable.constantID)
        if property.isConstant {
            report(
                .initializedConstant, "'id' is a constant with a value, so that of a stored object could not be read back into it; \(advice)", at: token,
                fixIt: fixIt)
        } else {
            report(.variableID, "'id' tells which record the object is, and must be a constant without a value here; \(advice)", at: token, fixIt: fixIt)
        }
    }

    /// Reports what the id that is written for a model would collide with.
    mutating func checkGeneratedID(_ members: MemberBlockSyntax, _ model: inout ModelDeclaration) {
        guard !model.declaresID, model.possibleSuperclass == nil else { return }
        for member in members.members {
            if let function = member.decl.as(FunctionDeclSyntax.self), function.name.plainName == "id", !function.isOfType,
                function.signature.parameterClause.parameters.isEmpty
            {
                report(.takenID, "'id' is the property that tells which record an object is; give the function another name", at: function.name)
            }
            guard identityDirective == nil, let name = member.decl.asProtocol(NamedDeclSyntax.self)?.name, name.text == "ID" else { continue }
            let type = member.decl.as(TypeAliasDeclSyntax.self)?.initializer.value.trimmedDescription
            if type == "ObjectID" || type == "Trove.ObjectID" { continue }
            model.hasForeignID = true
            let specifier = kind == .live ? "let" : "var"
            report(
                .takenID, "'ID' is the type of the id, and '\(model.modelName)' declares none; write '\(specifier) id: ID', or give the type another name",
                at: name)
        }
    }

    /// Reports a class whose objects nothing can make. Swift writes no initializer for a class with one, such as the store's.
    ///
    /// It waits for what else is wrong, since that may give the properties their values. Another attribute may be a macro that writes an initializer.
    mutating func checkInitializers(of model: inout ModelDeclaration, _ declaration: some DeclGroupSyntax) {
        guard diagnostics.isEmpty, kind == .live, !isAbstract, model.superclass == nil, !model.declaresInitializer,
            declaration.attributes.allSatisfy({ $0.isKnown(in: Self.harmlessToClasses) })
        else { return }
        model.writesInitializer = true
        // Objects need no default value: there are none at first.
        let missing = model.properties.filter { $0.content != .objects && !(declaredProperties[$0.name]?.startsWithValue ?? true) }
        guard !missing.isEmpty, let name = declaration.asProtocol(NamedDeclSyntax.self)?.name else { return }
        let names = missing.map { "'\($0.name)'" }
        let list = names.count == 1 ? "\(names[0]) has" : names.dropLast().joined(separator: ", ") + " and \(names[names.count - 1]) have"
        let alternative = missing.contains(where: \.isConstant) ? "" : missing.count == 1 ? ", or give it a default value" : ", or give them default values"
        report(
            .noInitializer,
            "'\(name.plainName)' has no initializer, and \(list) no value; write an initializer, as in 'init(\(missing.map(\.parameter).joined(separator: ", ")))'"
                + alternative,
            at: name)
    }

    /// The attributes of Swift and Trove, which write no initializer.
    private static let harmlessToClasses: Set = [
        "Model", "ActiveRecord", "available", "dynamicCallable", "dynamicMemberLookup", "main", "objc", "objcMembers", "preconcurrency", "usableFromInline",
        "_documentation", "_originallyDefinedIn", "_spi",
    ]
}

extension DeclaredProperty {
    /// Whether an initializer need not give it a value.
    fileprivate var startsWithValue: Bool {
        binding.initializer != nil || !isConstant && type?.hasImplicitNil ?? false
    }
}

extension VariableDeclSyntax {
    /// The replacement of an id by a constant without a value.
    fileprivate func constantID(_ type: String) -> FixIt? {
        guard bindings.count == 1, bindings.first?.accessorBlock == nil else { return nil }
        var constant = self
        constant.bindingSpecifier = .keyword(.let, leadingTrivia: bindingSpecifier.leadingTrivia, trailingTrivia: .space)
        constant.bindings = [
            PatternBindingSyntax(
                pattern: IdentifierPatternSyntax(identifier: .identifier("id")),
                typeAnnotation: TypeAnnotationSyntax(colon: .colonToken(trailingTrivia: .space), type: TypeSyntax("\(raw: type)")))
        ]
        return .replacing(self, with: constant, "write 'let id: \(type)'")
    }
}
