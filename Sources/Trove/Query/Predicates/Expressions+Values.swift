import Foundation

extension PredicateExpressions.Value: TranslatableExpression {
    var source: String {
        switch value {
        case let text as String: "\"\(text)\""
        case let value as any AnyOptional: value.anyWrapped.map { PredicateExpressions.Value<Any>($0).source } ?? "nil"
        default: "\(value)"
        }
    }

    func term(in scope: PredicateScope) throws -> PredicateTerm { .constant(value) }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
    var source: String { "nil" }

    func term(in scope: PredicateScope) throws -> PredicateTerm { .constant(Wrapped?.none as Any) }
}

extension PredicateExpressions.Variable: TranslatableExpression {
    var source: String { "$0" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        guard let term = scope.term(of: key) else { throw unsupported("it is not a variable of the predicate") }
        return term
    }
}

extension PredicateExpressions.KeyPath: TranslatableExpression {
    /// A member that collections have in common. Foundation does not tell it of every type's key paths.
    private var common: CommonKeyPathKind? {
        guard let type = Root.Output.self as? any CollectionPaths.Type else { return kind }
        let keyPath = keyPath as AnyKeyPath
        return keyPath == type.isEmptyPath ? .collectionIsEmpty : keyPath == type.countPath ? .collectionCount : kind
    }

    /// The property's name, as far as Swift tells it.
    private var name: String {
        switch common {
        case .collectionCount: return "count"
        case .collectionIsEmpty: return "isEmpty"
        case .collectionFirst: return "first"
        case .bidirectionalCollectionLast: return "last"
        default:
            if let view = Output.self as? any DictionaryView.Type { return view.part.rawValue }
            let last = keyPath.debugDescription.split(separator: ".").last ?? ""
            return last.hasPrefix("<") ? "(a computed property of type \(Output.self))" : String(last)
        }
    }

    var source: String { "\(root.sourceText).\(name)" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        try scope.mapped(scope.term(root)) { term in
            switch term {
            case .constant(let value):
                // A constant of another type is a nil that was unwrapped by force.
                return (value as? Root.Output).map { .constant($0[keyPath: keyPath]) } ?? .constant(Output?.none as Any)
            case .object:
                do throws(TroveError) {
                    return .path(try scope.property(keyPath))
                } catch {
                    throw unsupported("it is not a stored property; a computed one is not searched")
                }
            case .path(let path): return try self.term(from: path, in: scope)
            case .members(let path, let part, let filter) where common == .collectionIsEmpty:
                return .filter(.quantified(.none, path, part, filter))
            case .outerElement: throw unsupported("a condition on the members of one collection uses a member of another")
            case .filter, .choice, .members, .range: throw unsupported("a store does not know it")
            }
        }
    }

    /// A property of what a path leads to.
    private func term(from path: FieldPath, in scope: PredicateScope) throws -> PredicateTerm {
        if let part = (Output.self as? any DictionaryView.Type)?.part, Root.Output.self is any DictionaryMembers.Type {
            return .members(path, part, .constant(true))
        }
        if common == .collectionIsEmpty {
            switch Root.Output.self {
            case is String.Type: return .filter(.comparison(.path(path), .equal, .value(.string(""))))
            case is Data.Type: return .filter(.comparison(.path(path), .equal, .value(.data(Data()))))
            case is any DictionaryMembers.Type: return .filter(.quantified(.none, path, .keys, .constant(true)))
            default: return .filter(.quantified(.none, path, .elements, .constant(true)))
            }
        }
        if common == .collectionCount {
            if Root.Output.self is String.Type || Root.Output.self is Data.Type {
                throw unsupported("a store does not count characters and bytes; use isEmpty, or a derived value")
            }
            return .path(path.counted)
        }
        if common != nil { throw unsupported("a store does not find members by their position; use contains or allSatisfy") }
        do throws(TroveError) {
            return .path(path.appending(try keyPath.codingName()))
        } catch {
            throw unsupported("it is not a stored property with a coding key of its name")
        }
    }
}

/// Another expression, captured as a value, with its inputs in the place of its variables.
extension PredicateExpressions.ExpressionEvaluate: TranslatableExpression {
    var source: String { "\(expression.sourceText).evaluate(…)" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        guard case .constant(let captured as Transformation.Output) = try scope.term(expression) else {
            throw unsupported("the expression is not the same for all objects")
        }
        var inner = scope
        for (variable, input) in repeat (each captured.variable, each input) {
            inner = inner.binding(variable, to: try scope.term(input))
        }
        return try inner.term(captured.expression)
    }
}
