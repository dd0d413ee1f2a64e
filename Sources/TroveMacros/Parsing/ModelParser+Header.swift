import SwiftDiagnostics
import SwiftSyntax

extension ModelParser {
    /// Whether another type encloses the model, at any distance.
    var isNested: Bool {
        lexicalContext.contains { $0.asProtocol(DeclGroupSyntax.self) != nil }
    }

    /// The modifier that members need to be as accessible as the type, which may have its access from an extension around it.
    func access(of subject: ModelSubject) -> String { access(of: subject.modifiers) }

    func access(of modifiers: DeclModifierListSyntax) -> String {
        let levels: [Keyword] = [.open, .public, .package, .internal, .fileprivate, .private]
        func level(of modifiers: DeclModifierListSyntax) -> Keyword? {
            levels.first { level in modifiers.contains { $0.name.tokenKind == .keyword(level) } }
        }
        let enclosing = lexicalContext.first?.as(ExtensionDeclSyntax.self)
        switch level(of: modifiers) ?? enclosing.flatMap({ level(of: $0.modifiers) }) {
        case .open, .public: return "public "
        case .package: return "package "
        default: return ""
        }
    }

    mutating func reportKind(of declaration: some DeclGroupSyntax) {
        let kind = declaration.introducer.text
        let article = ["actor", "enum", "extension"].contains(kind) ? "an" : "a"
        report(
            .unsupportedKind,
            "'\(attributeName)' works on \(isAbstract ? "protocols, and classes that models inherit" : "structs and final classes"); "
                + "it cannot be attached to \(article) \(kind)",
            at: declaration.introducer)
    }

    mutating func checkHeader(of subject: ModelSubject) {
        let name = subject.name.plainName
        if let parameters = subject.genericParameterClause {
            report(
                .genericModel,
                "'\(attributeName)' cannot be attached to a generic \(subject.word): each '\(name)<…>' would need a name and fields of its own",
                at: parameters)
        }
        if lexicalContext.contains(where: { $0.asProtocol(WithGenericParametersSyntax.self)?.genericParameterClause != nil }) {
            report(
                .genericContext, "'\(attributeName)' cannot be attached to a \(subject.word) inside a generic type or function; move '\(name)' out",
                at: subject.name)
        }
        if let noncopyable = subject.inheritanceClause?.inheritedTypes.first(where: { $0.type.is(SuppressedTypeSyntax.self) }) {
            report(
                .noncopyableModel, "'@Model' cannot be attached to '\(name)', which is noncopyable: a store hands out copies",
                at: noncopyable)
        }
        if subject.kind == .live { checkObservation(of: subject) }
        checkIsolation(of: subject)
        guard isNested else {
            // The compiler does not find the storage that accessors are given there.
            if subject.kind == .live, let modifier = subject.modifiers.first(where: { $0.name.tokenKind == .keyword(.private) }) {
                report(
                    .privateType, "'\(name)' is a private class, where the accessors that '\(attributeName)' writes cannot be compiled; make it 'fileprivate', which is the same there",
                    at: modifier,
                    fixIt: .replacing(modifier.name, with: TokenSyntax.keyword(.fileprivate), "replace 'private' with 'fileprivate'"))
            }
            return
        }
        if let modifier = subject.modifiers.first(where: { $0.name.tokenKind == .keyword(.private) }) {
            report(
                .privateType,
                "'\(name)' is private in another type, where the extension that '\(attributeName)' writes cannot reach it; make it 'fileprivate'",
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
                "'\(name)' is inside a private nested type, where the extension that '\(attributeName)' writes cannot reach it; "
                    + "make that type 'fileprivate'",
                at: subject.name)
        }
    }

    /// Reports a macro that gives the properties accessors of its own.
    private mutating func checkObservation(of subject: ModelSubject) {
        guard let attribute = subject.attributes.first(where: \.isObservable) else { return }
        report(
            .observableModel,
            "the properties of '\(subject.name.plainName)' can be observed without '@Observable', which cannot stand beside '\(attributeName)'; remove it",
            at: attribute)
    }

    /// Reports a global actor, to whose properties no key path leads that another thread may use.
    private mutating func checkIsolation(of subject: ModelSubject) {
        guard let attribute = subject.attributes.named("MainActor").first else { return }
        let others = subject.attributes.filter { $0.trimmedDescription != attribute.trimmedDescription }
        let reason = subject.kind == .live ? "whose objects may be used on any thread" : "whose values go from thread to thread"
        report(
            .isolatedModel, "'\(subject.name.plainName)' is a model, \(reason); remove '@MainActor'", at: attribute,
            fixIt: .replacing(subject.attributes, with: others, "remove '@MainActor'"))
    }

    mutating func parseArguments(of attribute: AttributeSyntax) -> (name: String?, version: Int?) {
        var name: String?
        var version: Int?
        for argument in attribute.arguments?.as(LabeledExprListSyntax.self) ?? [] {
            if argument.label?.text == "version" {
                version = argument.expression.as(IntegerLiteralExprSyntax.self).flatMap { Int($0.literal.text.filter { $0 != "_" }) }
                if version ?? 0 < 1 {
                    report(.invalidVersion, "'version' must be a decimal integer literal of at least 1", at: argument.expression)
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

extension AttributeListSyntax.Element {
    /// Whether it is the macro of the module Observation.
    fileprivate var isObservable: Bool {
        guard case .attribute(let attribute) = self else { return false }
        return ["Observable", "Observation.Observable"].contains(attribute.attributeName.trimmedDescription)
    }
}
