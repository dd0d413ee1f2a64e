import SwiftDiagnostics
import SwiftSyntax

extension ModelParser {
    /// Reads the options and the original name in `@Attribute(…)`.
    mutating func parse(
        _ attribute: AttributeSyntax, of property: DeclaredProperty, in variable: VariableDeclSyntax, into stored: inout StoredProperty
    ) {
        for argument in attribute.arguments?.as(LabeledExprListSyntax.self) ?? [] {
            if argument.label?.text == "originalName" {
                stored.originalName = parseOriginalName(argument.expression, of: stored)
                continue
            }
            guard let option = AttributeOptionSyntax(argument) else {
                report(
                    .invalidOption, "the options of '\(stored.name)' must be written out, as in '@Attribute(.writeOnce)'",
                    at: argument.expression)
                continue
            }
            if option.isIndex {
                parseIndex(option, of: property, removal: variable.removing(argument, of: attribute))
            } else if option.name == "lazy" {
                parseLazy(option, of: property, in: variable, into: &stored)
            } else if ["creationDate", "modificationDate"].contains(option.name) {
                stored.options.append(".\(option.name)")
                checkSavedDate(option, of: property)
            } else if ["writeOnce", "keepIfNil", "encrypted", "revealing"].contains(option.name) {
                stored.options.append(".\(option.name)")
            } else {
                let advice = Self.othersOptions[option.name].map { "; " + $0 } ?? ""
                report(.invalidOption, "'@Attribute' has no option '\(option.name)'\(advice)", at: argument.expression)
            }
        }
        let valueType = property.type.map { $0.lazyValue ?? $0 }
        if stored.options.contains(".keepIfNil"), !(valueType?.isOptional ?? false) {
            let advice = property.type == nil ? "write its type, an optional" : "make it optional, or remove the option"
            report(
                .optionNeedsOptional, "'.keepIfNil' has no effect on '\(stored.name)', which is never nil; \(advice)",
                at: property.token, fixIt: property.type.flatMap(Self.makingOptional))
        }
    }

    /// What there is in the place of SwiftData's options.
    private static let othersOptions = [
        "externalStorage": "a large value is kept apart from its record by '.lazy' in a class, and as a 'Lazy<Data>' in a struct",
        "ephemeral": "mark the property '@Transient'",
        "transformable": "a 'Codable' type is stored without an option",
        "allowsCloudEncryption": "'.encrypted' seals the value in the store",
        "spotlight": "remove it",
        "preserveValueOnDeletion": "remove it",
    ]

    /// Checks that a property can have the date of a save.
    private mutating func checkSavedDate(_ option: AttributeOptionSyntax, of property: DeclaredProperty) {
        let (name, type) = (property.token.plainName, property.type)
        let text = type?.trimmedDescription.filter { !$0.isWhitespace }
        if let text, ["Date?", "Foundation.Date?", "Optional<Date>", "Optional<Foundation.Date>"].contains(text) {
            if !property.isConstant { return }
            return report(.invalidOption, "'\(name)' gets its date when it is saved; make it a 'var'", at: property.token)
        }
        let isDate = text == "Date" || text == "Foundation.Date"
        report(
            .invalidOption,
            "'\(name)' has no date before it is saved; "
                + (isDate ? "make it optional" : "'.\(option.name)' is for a property whose type is written out as 'Date?'"),
            at: property.token, fixIt: isDate ? type.flatMap(Self.makingOptional) : nil)
    }

    /// Reads `.lazy`.
    private mutating func parseLazy(
        _ option: AttributeOptionSyntax, of property: DeclaredProperty, in variable: VariableDeclSyntax, into stored: inout StoredProperty
    ) {
        let (name, place) = (stored.name, option.expression)
        if property.type?.lazyValue != nil {
            report(.invalidOption, "the type of '\(name)' is lazy itself; remove '.lazy'", at: place)
        } else if kind != .live {
            let type = stored.type ?? "Data"
            report(
                .invalidOption, "'.lazy' is for the properties of classes, whose objects know their store; in a struct make the type 'Lazy<\(type)>'",
                at: place,
                fixIt: property.type.map { .replacing($0, with: TypeSyntax("Lazy<\(raw: type)>"), "make the type 'Lazy<\(type)>'") })
        } else if stored.relationship != nil {
            report(.invalidOption, "the objects of '\(name)' are read when they are asked for without '.lazy'; remove it", at: place)
        } else if property.type?.isReferences ?? false {
            // The store would not find those of an annex when their objects are deleted.
            report(.invalidOption, "'\(name)' has references, which are read with their object; remove '.lazy'", at: place)
        } else if stored.type == nil {
            report(.invalidOption, "'\(name)' is lazy, and its type has to be written", at: place)
        } else if stored.isConstant {
            report(.invalidOption, "'\(name)' is lazy, and a constant could not be read later; make it a 'var'", at: place)
        } else if stored.valueWithoutField == nil {
            report(
                .invalidOption, "'\(name)' is lazy, and needs a value for when it cannot be read; make it optional, or give it a default value", at: place,
                fixIt: property.type.flatMap(Self.makingOptional))
        } else if variable.bindings.first?.accessorBlock != nil {
            report(.invalidOption, "'\(name)' is lazy and has observers, which reading it would call; remove them", at: place)
        } else {
            stored.content = .lazy
        }
    }

    /// Reads `.indexed`, `.unique(ignoring: [.case, .diacritics])`, `.blind(bits: 16)`, `.fullText` or `.substring`.
    private mutating func parseIndex(_ option: AttributeOptionSyntax, of property: DeclaredProperty, removal: FixIt) {
        let keyPath = "\\.\(property.token.text)"
        let name = property.token.plainName
        var part = IndexElement(source: keyPath, meaning: name, isKey: false)
        var kind = IndexDeclaration.Kind.ordered
        var need: String?
        var arguments: [String] = []
        switch option.name {
        case "indexed", "unique":
            if option.name == "unique" { kind = .unique }
            guard let folding = parseFolding(option) else { return }
            if !folding.ignoresNothing {
                need = folding.phrase + " is"
                part = IndexElement(source: folding.part(of: keyPath), meaning: "\(name) \(folding.phrase)", isKey: true)
            }
        case "blind": arguments = ["blind: Trove.BlindOptions(\(option.arguments.map(\.argumentDescription).joined(separator: ", ")))"]
        case "blindUnique": arguments = ["blind: .unique"]
        default:
            kind = option.name == "fullText" ? .fullText : .substring
            need = "'.\(option.name)' is"
            arguments = option.arguments.map(\.argumentDescription)
            if kind == .substring { part = part.ignoringAccents(as: option.arguments) }
        }
        let simple = option.name == "unique" ? ".unique" : ".indexed"
        let fixIt = FixIt.replacing(option.expression, with: ExprSyntax("\(raw: simple)"), "write '\(simple)'")
        guard checkContent(of: property, at: option.expression, needsText: need, fixIt: property.content == .unordered ? nil : fixIt) else { return }
        parsedIndexes.append(
            ParsedIndex(
                declaration: IndexDeclaration(kind: kind, parts: [part], arguments: arguments), place: Syntax(option.expression),
                removal: removal))
    }

    /// What an option ignores of texts; nil when it leaves that open.
    private mutating func parseFolding(_ option: AttributeOptionSyntax) -> FoldingSyntax? {
        guard let argument = FoldingSyntax.argument(in: option.arguments) else { return .nothing }
        if let folding = FoldingSyntax(argument) { return folding }
        let isCaseAlone = argument.label?.text == "ignoringCase"
        report(
            .invalidOption,
            isCaseAlone ? "'ignoringCase' must be written 'true' or 'false'" : "'ignoring' must be written out, as in '[.case, .diacritics]'",
            at: argument.expression)
        return nil
    }

    private static func makingOptional(_ type: TypeSyntax) -> FixIt? {
        // Other types would need parentheses; they are rare enough to leave to the writer.
        guard [.identifierType, .memberType, .arrayType, .dictionaryType].contains(type.kind) else { return nil }
        return .replacing(type, with: OptionalTypeSyntax(wrappedType: type.trimmed), "make the type optional")
    }

    mutating func parseOriginalName(_ expression: ExprSyntax, of stored: StoredProperty) -> String? {
        if expression.is(NilLiteralExprSyntax.self) { return nil }
        guard let name = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue, !name.isEmpty else {
            report(
                .invalidOriginalName, "the original name of '\(stored.name)' must be a string literal that is not empty", at: expression)
            return nil
        }
        if name == stored.name {
            report(.invalidOriginalName, "'\(name)' is the present name of the property; give the one it had before", at: expression)
            return nil
        }
        return name
    }

    /// Two properties must not read the same stored value.
    mutating func checkOriginalNames(of model: ModelDeclaration) {
        var owners = Dictionary(model.fields.map { ($0.name, $0.name) }, uniquingKeysWith: { first, _ in first })
        for field in model.fields {
            guard let originalName = field.originalName, let token = declaredProperties[field.name]?.token else { continue }
            if let owner = owners[originalName] {
                report(
                    .takenOriginalName, "'\(originalName)' cannot be the original name of '\(field.name)': '\(owner)' reads that value",
                    at: token)
            }
            owners[originalName] = field.name
        }
    }
}
