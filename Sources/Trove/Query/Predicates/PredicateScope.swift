import Foundation

/// What the variables of a predicate stand for where an expression is translated.
struct PredicateScope {
    private static let maxDepth = 200
    /// How many conditions a predicate may become: choices within choices multiply.
    private static let maxSize = 10_000

    /// Resolves a property of the model.
    let property: (AnyKeyPath) throws(TroveError) -> FieldPath
    private var terms: [PredicateExpressions.VariableID: PredicateTerm] = [:]
    /// The variables that stand for constants, to evaluate expressions with.
    private(set) var bindings = PredicateBindings()
    private var depth = 0

    init(property: @escaping (AnyKeyPath) throws(TroveError) -> FieldPath) {
        self.property = property
        LinkedExpressions.areKept
    }

    /// What `expression` stands for.
    func term(_ expression: some PredicateExpression) throws -> PredicateTerm {
        guard let expression = expression as? any TranslatableExpression else {
            throw expression.unsupported("Trove has no equivalent")
        }
        guard depth < Self.maxDepth else { throw expression.unsupported("it is nested deeper than \(Self.maxDepth) levels") }
        var inner = self
        inner.depth += 1
        let term = try expression.term(in: inner)
        var rest = Self.maxSize
        guard term.fits(in: &rest) else { throw expression.unsupported("it becomes more than \(Self.maxSize) conditions") }
        return term
    }

    /// The filter that a `Bool` expression stands for.
    func filter(_ expression: some PredicateExpression<Bool>) throws -> Filter {
        try filter(try term(expression), of: expression)
    }

    func term(of variable: PredicateExpressions.VariableID) -> PredicateTerm? { terms[variable] }

    /// The scope in which a variable stands for a term.
    func binding<Value>(_ variable: PredicateExpressions.Variable<Value>, to term: PredicateTerm) -> PredicateScope {
        var scope = self
        scope.terms[variable.key] = term
        if case .constant(let value) = term, let value = value as? Value { scope.bindings[variable] = value }
        return scope
    }

    /// The scope of the condition of a quantifier: a path can begin at the innermost element alone.
    func binding<Element>(elementTo variable: PredicateExpressions.Variable<Element>) -> PredicateScope {
        var scope = self
        scope.terms = terms.mapValues { $0.namesElement ? .outerElement : $0 }
        return scope.binding(variable, to: .path(.element))
    }
}

extension PredicateTerm {
    /// Whether the term has at most `rest` conditions, of which it takes its own. It stops counting when they are used up.
    fileprivate func fits(in rest: inout Int) -> Bool {
        switch self {
        case .filter(let filter), .members(_, _, let filter): filter.fits(in: &rest)
        case .choice(let test, let first, let second): test.fits(in: &rest) && first.fits(in: &rest) && second.fits(in: &rest)
        case .range(let lower, let upper, _): lower.fits(in: &rest) && upper.fits(in: &rest)
        case .constant, .object, .outerElement, .path: true
        }
    }
}

extension Filter {
    fileprivate func fits(in rest: inout Int) -> Bool {
        rest -= 1
        guard rest >= 0 else { return false }
        return switch self {
        case .and(let filters), .or(let filters): filters.allSatisfy { $0.fits(in: &rest) }
        case .not(let inner), .quantified(_, _, _, let inner): inner.value.fits(in: &rest)
        default: true
        }
    }
}

/// A collection whose members Foundation does not tell from the key paths of a predicate.
///
/// Each type writes its key paths itself: those that generic code makes do not equal those that a program writes.
protocol CollectionPaths: CollectionWithCount {
    static var isEmptyPath: AnyKeyPath { get }
}

extension Data: CollectionPaths {
    static var isEmptyPath: AnyKeyPath { \Data.isEmpty }
    static var countPath: AnyKeyPath { \Data.count }
}

extension Dictionary: CollectionPaths {
    static var isEmptyPath: AnyKeyPath { \Dictionary.isEmpty }
}

extension Dictionary.Keys: CollectionPaths {
    static var isEmptyPath: AnyKeyPath { \Dictionary.Keys.isEmpty }
    static var countPath: AnyKeyPath { \Dictionary.Keys.count }
}

extension Dictionary.Values: CollectionPaths {
    static var isEmptyPath: AnyKeyPath { \Dictionary.Values.isEmpty }
    static var countPath: AnyKeyPath { \Dictionary.Values.count }
}

/// The keys or values of a dictionary.
protocol DictionaryView {
    static var part: CollectionPart { get }
}

extension Dictionary.Keys: DictionaryView {
    static var part: CollectionPart { .keys }
}

extension Dictionary.Values: DictionaryView {
    static var part: CollectionPart { .values }
}

/// A range of Swift's, of which the bounds are to be known whatever their type.
protocol BoundedValues {
    /// The bounds; nil where there is none. `isClosed` is of the upper one.
    var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { get }
}

extension Range: BoundedValues {
    var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, upperBound, false) }
}

extension ClosedRange: BoundedValues {
    var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, upperBound, true) }
}

extension PartialRangeFrom: BoundedValues {
    var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, nil, true) }
}

extension PartialRangeThrough: BoundedValues {
    var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (nil, upperBound, true) }
}

extension PartialRangeUpTo: BoundedValues {
    var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (nil, upperBound, false) }
}

/// Where a program takes Trove from a static archive, the linker leaves out the files that nothing names. That an expression of a predicate is
/// known here is found at run time, by a cast, which names none; so one kind of each file stands here.
enum LinkedExpressions {
    private typealias Number = PredicateExpressions.Value<Int>
    private typealias Truth = PredicateExpressions.Value<Bool>
    private typealias Text = PredicateExpressions.Value<String>
    private typealias Numbers = PredicateExpressions.Value<[Int]>

    /// Keeps the conformances in the program, the first time it is asked for.
    static let areKept: Void = use([
        PredicateExpressions.Arithmetic<Number, Number>.self,
        PredicateExpressions.SequenceContains<Numbers, Number>.self,
        PredicateExpressions.Comparison<Number, Number>.self,
        PredicateExpressions.Conjunction<Truth, Truth>.self,
        PredicateExpressions.SequenceMaximum<Numbers>.self,
        PredicateExpressions.SequenceStartsWith<Text, Text>.self,
        Number.self,
    ])

    /// Neither looked into nor left out by the optimizer.
    @inline(never) @_optimize(none)
    private static func use(_ kinds: [any TranslatableExpression.Type]) {}
}

extension Filter {
    /// Translates a predicate, so that a store can evaluate it without creating objects.
    ///
    /// The filter is true of the objects that the predicate is true of, with the exceptions that `docs/search.md` lists. The most important: text compares by
    /// its UTF-8 bytes, not by canonical equivalence and not by grapheme clusters; and where evaluating the predicate would fail, because nil is unwrapped by
    /// force, the answer is that of a comparison with nil.
    ///
    /// - Throws: ``TroveError/unsupportedPredicate(expression:reason:)`` for the first expression that has no equal in a store. No predicate is
    ///   answered by making all objects and asking it.
    public init<Object: Model>(_ predicate: Predicate<Object>) throws {
        let schema = Object.schema
        let scope = PredicateScope { property throws(TroveError) in try FieldPath(property, in: schema, id: \Object.id) }
        self = try scope.binding(predicate.variable, to: .object).filter(predicate.expression)
    }
}
