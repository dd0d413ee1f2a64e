/// The condition that a closure over ``Fields`` states of an object: a ``Filter``, or the mistake that keeps it from being one.
///
/// Conditions are joined with `&&`, `||` and `!`.
public struct Condition: Sendable {
    private let result: Result<Filter, TroveError>
    /// The quantifiers whose elements the filter names.
    let scopes: [ElementScope]

    /// Wraps a filter as a condition.
    ///
    /// ```swift
    /// let wanted = try Filter(criteria: text)
    /// store.fetch(Song.self).where { $0.year > 1990 && Condition(wanted) }
    /// ```
    public init(_ filter: Filter) {
        self.init(result: .success(filter), scopes: [])
    }

    init(result: Result<Filter, TroveError>, scopes: [ElementScope]) {
        self.result = result
        self.scopes = scopes
    }

    init(scopes: [ElementScope], problem: TroveError?, filter: () throws(TroveError) -> Filter) {
        if let problem {
            self.init(result: .failure(problem), scopes: scopes)
        } else {
            self.init(result: Result(catching: filter), scopes: scopes)
        }
    }

    /// The filter.
    ///
    /// - Throws: the first mistake: ``TroveError/unsupportedKeyPath(model:keyPath:)`` for a property that is not stored,
    ///   ``TroveError/invalidQuery(reason:)`` for a value that cannot be.
    public func filter() throws(TroveError) -> Filter {
        try result.get()
    }
}

/// The type of a condition that a closure over ``Fields`` may return: a ``Condition``, or a field of type `Bool`, which is one by itself.
///
/// One closure for both lets the compiler say what is wrong inside of it.
public protocol ConditionConvertible {
    /// The condition.
    var condition: Condition { get }
}

extension Condition: ConditionConvertible {
    public var condition: Condition { self }
}

extension Condition {
    /// Both conditions.
    public static func && (left: Condition, right: Condition) -> Condition {
        Condition(scopes: left.scopes + right.scopes, problem: nil) { () throws(TroveError) in try left.filter() && right.filter() }
    }

    /// One of the conditions, or both.
    public static func || (left: Condition, right: Condition) -> Condition {
        Condition(scopes: left.scopes + right.scopes, problem: nil) { () throws(TroveError) in try left.filter() || right.filter() }
    }

    /// The negation of a condition.
    public static prefix func ! (condition: Condition) -> Condition {
        Condition(result: condition.result.map { !$0 }, scopes: condition.scopes)
    }
}

/// A field of type `Bool` is a condition by itself: `$0.isLive && $0.year > 1990`.
///
/// Each operator is written out for the types it joins: generic ones make expressions slow to compile.
extension Field: ConditionConvertible where Value == Bool {
    /// The condition that the field is true.
    public var isTrue: Condition { self == true }

    public var condition: Condition { isTrue }

    /// Whether the field is false.
    public static prefix func ! (field: Field) -> Condition { !field.isTrue }

    /// Whether both fields are true.
    public static func && (left: Field, right: Field) -> Condition { left.isTrue && right.isTrue }
    /// Whether the field is true and the condition holds.
    public static func && (left: Field, right: Condition) -> Condition { left.isTrue && right }
    /// Whether the condition holds and the field is true.
    public static func && (left: Condition, right: Field) -> Condition { left && right.isTrue }

    /// Whether one of the fields is true.
    public static func || (left: Field, right: Field) -> Condition { left.isTrue || right.isTrue }
    /// Whether the field is true or the condition holds.
    public static func || (left: Field, right: Condition) -> Condition { left.isTrue || right }
    /// Whether the condition holds or the field is true.
    public static func || (left: Condition, right: Field) -> Condition { left || right.isTrue }
}
