import Foundation

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
