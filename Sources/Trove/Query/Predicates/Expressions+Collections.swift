import Foundation

extension PredicateExpressions.SequenceContains: TranslatableExpression {
    var source: String { "\(sequence.sourceText).contains(\(element.sourceText))" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        let (sequence, element) = (try scope.term(sequence), try scope.term(element))
        return .filter(try scope.condition(sequence) { sequence in
            try scope.condition(element) { element in try contains(sequence, element, scope) }
        })
    }

    private func contains(_ sequence: PredicateTerm, _ element: PredicateTerm, _ scope: PredicateScope) throws -> Filter {
        switch (sequence, element) {
        case (.constant(let values as LHS.Output), .constant(let value as RHS.Output)):
            return .constant(values.contains(value))
        case (.constant(let range as any BoundedValues), _) where !(range is any Collection) || RHS.Output.self is any StorableKey.Type:
            return try scope.containment(of: element, in: .constant(range), by: self)
        case (.range, _): return try scope.containment(of: element, in: sequence, by: self)
        case (.constant(let values as LHS.Output), .path(let path)):
            return .membership(.path(path), try values.map { try scope.stored($0, of: self) })
        case (.path(let path), _) where LHS.Output.self is String.Type:
            return .text(.path(path), .contains, try scope.operand(element, of: self))
        case (.path(let path), _):
            return .quantified(.any, path, .elements, try equality(element, scope))
        case (.members(let path, let part, let filter), _):
            return .quantified(.any, path, part, PredicateScope.either(filter, try equality(element, scope), .constant(false)))
        default:
            throw unsupported("a store does not know the members of the sequence")
        }
    }

    /// Whether a member equals the element, which stands outside of the quantifier.
    private func equality(_ element: PredicateTerm, _ scope: PredicateScope) throws -> Filter {
        if element.namesElement { throw unsupported("a condition on the members of one collection uses a member of another") }
        return try scope.equality(.path(.element), element, of: self)
    }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
    var source: String { "\(sequence.sourceText).contains { \(test.sourceText) }" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        .filter(try scope.quantified(sequence, .any, variable, test, of: self))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
    var source: String { "\(sequence.sourceText).allSatisfy { \(test.sourceText) }" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        .filter(try scope.quantified(sequence, .all, variable, test, of: self))
    }
}

extension PredicateExpressions.Filter: TranslatableExpression {
    var source: String { "\(sequence.sourceText).filter { \(filter.sourceText) }" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        try scope.mapped(scope.term(sequence)) { term in
            switch term {
            case .path(let path):
                try scope.checkMembers(of: LHS.Output.self, by: self)
                return .members(path, .elements, try scope.binding(elementTo: variable).filter(filter))
            case .members(let path, let part, let first):
                let second = try scope.binding(elementTo: variable).filter(filter)
                return .members(path, part, PredicateScope.either(first, second, .constant(false)))
            case .constant: return try constant(in: scope)
            default: throw unsupported("a store does not know the members of the sequence")
            }
        }
    }
}

extension PredicateScope {
    /// Whether any or all of the elements of a sequence pass a test. A sequence that is the same for all objects is asked element by element.
    fileprivate func quantified<Sequence: PredicateExpression>(
        _ sequence: Sequence, _ quantifier: Quantifier, _ variable: PredicateExpressions.Variable<Sequence.Output.Element>,
        _ test: some PredicateExpression<Bool>, of expression: some PredicateExpression
    ) throws -> Filter where Sequence.Output: Swift.Sequence {
        try condition(try term(sequence)) { term in
            switch term {
            case .constant(let values as Sequence.Output):
                let filters = try values.map { try binding(variable, to: .constant($0)).filter(test) }
                // As criteria text writes them.
                guard let first = filters.first else { return .constant(quantifier == .all) }
                return filters.count == 1 ? first : quantifier == .any ? .or(filters) : .and(filters)
            case .path(let path):
                try checkMembers(of: Sequence.Output.self, by: expression)
                return .quantified(quantifier, path, .elements, try binding(elementTo: variable).filter(test))
            case .members(let path, let part, let filter):
                let inner = try binding(elementTo: variable).filter(test)
                return .quantified(quantifier, path, part, Self.either(filter, inner, .constant(quantifier == .all)))
            default:
                throw expression.unsupported("a store does not know the members of the sequence")
            }
        }
    }

    /// - Throws: when the members of a type are no values of their own.
    fileprivate func checkMembers(of type: Any.Type, by expression: some PredicateExpression) throws {
        if type is String.Type { throw expression.unsupported("a store does not read the characters of a text one by one") }
        if type is any DictionaryMembers.Type { throw expression.unsupported("a store searches the keys or the values of a dictionary: name one of them") }
    }
}

extension PredicateExpressions.DictionaryKeySubscript: TranslatableExpression {
    var source: String { "\(wrapped.sourceText)[\(key.sourceText)]" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        try scope.value(of: key, in: wrapped, by: self)
    }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: TranslatableExpression {
    var source: String { "\(wrapped.sourceText)[\(key.sourceText), default: \(self.default.sourceText)]" }

    func term(in scope: PredicateScope) throws -> PredicateTerm {
        let fallback = try scope.term(self.default)
        return try scope.mapped(scope.value(of: key, in: wrapped, by: self)) { term in
            guard case .path(let path) = term else { return term }
            return .choice(.isNil(path), fallback, term)
        }
    }
}

extension PredicateScope {
    /// The path to the value under a key.
    fileprivate func value(
        of key: some PredicateExpression, in dictionary: some PredicateExpression, by expression: some PredicateExpression
    ) throws -> PredicateTerm {
        let key = try term(key)
        return try mapped(try term(dictionary)) { dictionary in
            switch (dictionary, key) {
            case (.constant, .constant): return try expression.constant(in: self)
            case (.path(let path), .constant(let name as String)): return .path(path.appending(name))
            default: throw expression.unsupported("a store looks up values under keys that are texts and the same for all objects")
            }
        }
    }
}
