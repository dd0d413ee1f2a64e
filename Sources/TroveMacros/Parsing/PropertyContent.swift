import SwiftSyntax

/// What syntax alone tells of a property's values; most types are only known to the compiler.
enum PropertyContent: Equatable {
    case text
    case integer, decimal
    /// Any other type of one value that has an order and is not text.
    case scalar
    /// A collection of collections, whose members have no order.
    case unordered
    case unknown

    var isNotText: Bool { [.integer, .decimal, .scalar, .unordered].contains(self) }

    var isNotSummable: Bool { [.text, .scalar, .unordered].contains(self) }
}

extension DeclaredProperty {
    /// What the property's values are: of an array or set its elements, of a dictionary its keys.
    var content: PropertyContent {
        if let type { return type.content }
        guard let value = binding.initializer?.value else { return .unknown }
        if value.is(StringLiteralExprSyntax.self) { return .text }
        if value.is(IntegerLiteralExprSyntax.self) { return .integer }
        if value.is(FloatLiteralExprSyntax.self) || value.is(BooleanLiteralExprSyntax.self) { return .scalar }
        return .unknown
    }

    /// The type for a message: as written, or as its default value tells.
    var typeDescription: String {
        if let type { return "'\(type.portableDescription)'" }
        switch content {
        case .text: return "a string"
        case .integer: return "an integer"
        default: return binding.initializer?.value.is(BooleanLiteralExprSyntax.self) ?? false ? "a Boolean" : "a number"
        }
    }

    /// Whether the type is a collection, whose values an index has one by one.
    var isCollection: Bool { type.map { $0.members != nil } ?? false }
}

extension TypeSyntax {
    fileprivate var content: PropertyContent {
        let type = withoutOptional
        guard let members = type.members else { return type.scalarContent }
        return members.withoutOptional.members == nil ? members.withoutOptional.scalarContent : .unordered
    }

    fileprivate var withoutOptional: TypeSyntax {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.withoutOptional }
        if let optional = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) { return optional.wrappedType.withoutOptional }
        if isOptional, let wrapped = genericArgument { return wrapped.withoutOptional }
        return self
    }

    /// The type of a collection's elements, or a dictionary's keys; nil for what is not written as a collection.
    fileprivate var members: TypeSyntax? {
        let type = withoutOptional
        if let array = type.as(ArrayTypeSyntax.self) { return array.element }
        if let dictionary = type.as(DictionaryTypeSyntax.self) { return dictionary.key }
        return ["Array", "Set", "Dictionary"].contains(type.modelName) ? type.genericArgument : nil
    }

    /// Whether it is written as a dictionary.
    var isDictionary: Bool { withoutOptional.is(DictionaryTypeSyntax.self) || withoutOptional.modelName == "Dictionary" }

    private var scalarContent: PropertyContent {
        switch modelName {
        case "String", "URL": .text
        case "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Int128", "UInt128": .integer
        case "Decimal": .decimal
        case "Bool", "Float", "Double", "Date", "Duration", "Data", "UUID", "ObjectID", "GeoPoint": .scalar
        default: .unknown
        }
    }

    /// The name of a type of a standard module, or of none given.
    private var modelName: String? {
        if let name = self.as(IdentifierTypeSyntax.self) { return name.name.text }
        guard let member = self.as(MemberTypeSyntax.self),
            ["Swift", "Foundation", "Trove"].contains(member.baseType.trimmedDescription)
        else { return nil }
        return member.name.text
    }

    private var genericArgument: TypeSyntax? {
        let clause = self.as(IdentifierTypeSyntax.self)?.genericArgumentClause ?? self.as(MemberTypeSyntax.self)?.genericArgumentClause
        // Depending on the version of swift-syntax, the argument is a type or a choice of a type and a value.
        return clause?.arguments.first.flatMap { Syntax($0.argument).as(TypeSyntax.self) }
    }
}

extension ExprSyntax {
    /// The type that a default value tells by its form: of a literal, or of a call such as `Date()`.
    var tellingType: String? {
        if self.is(StringLiteralExprSyntax.self) { return "String" }
        if self.is(BooleanLiteralExprSyntax.self) { return "Bool" }
        if self.is(IntegerLiteralExprSyntax.self) { return "Int" }
        if self.is(FloatLiteralExprSyntax.self) { return "Double" }
        guard let call = self.as(FunctionCallExprSyntax.self) else { return nil }
        let callee = call.calledExpression
        let name = callee.as(GenericSpecializationExprSyntax.self)?.expression ?? callee
        guard let last = name.as(DeclReferenceExprSyntax.self)?.baseName.text, last.first?.isUppercase ?? false else { return nil }
        // Of what, only the compiler knows.
        if name.id == callee.id, Self.genericTypes.contains(last) { return nil }
        return callee.trimmedDescription
    }

    private static let genericTypes: Set = [
        "Array", "ArraySlice", "ClosedRange", "ContiguousArray", "Dictionary", "Lazy", "ObjectList", "Optional", "Range", "Reference", "Set",
    ]
}
