import Foundation

extension Filter {
    /// Translates a predicate, so that a store can evaluate it without creating objects.
    ///
    /// The filter is true of the objects that the predicate is true of, with these exceptions: text compares by its UTF-8 bytes, not by canonical
    /// equivalence and not by grapheme clusters; and where evaluating the predicate would fail, because nil is unwrapped by force, the answer is
    /// that of a comparison with nil.
    ///
    /// - Throws: ``TroveError/unsupportedPredicate(expression:reason:)`` for the first expression that has no equal in a store. No predicate is
    ///   answered by making all objects and asking it.
    public init<Object: Model>(_ predicate: Predicate<Object>) throws {
        let schema = Object.schema
        let scope = PredicateScope { property throws(TroveError) in try FieldPath(property, in: schema, id: \Object.id) }
        self = try scope.binding(predicate.variable, to: .object).filter(predicate.expression)
    }
}
