/// The elements of an array or set, or the keys or values of a dictionary, in a condition.
///
/// ```swift
/// store.fetch(Order.self).where { $0.lines.any { $0.price > 5 && $0.quantity > 1 } && $0.labels.keys.contains("urgent") }
/// ```
///
/// Of nil, `any` is false and `all` and `none` are true.
public struct Members<Element>: Sendable {
    let path: FieldPath
    let part: CollectionPart
    let scope: ElementScope?
    let problem: TroveError?

    /// Whether a condition is true of at least one of them.
    public func any(_ condition: (Field<Element>) -> some ConditionConvertible) -> Condition { quantified(.any) { condition($0).condition } }

    /// Whether a condition is true of all of them.
    public func all(_ condition: (Field<Element>) -> some ConditionConvertible) -> Condition { quantified(.all) { condition($0).condition } }

    /// Whether a condition is true of none of them.
    public func none(_ condition: (Field<Element>) -> some ConditionConvertible) -> Condition { quantified(.none) { condition($0).condition } }

    /// Whether one of them equals a value.
    public func contains(_ element: Element) -> Condition { any { $0 == element } }

    /// Whether there are none.
    public var isEmpty: Condition { none { _ in Condition(.constant(true)) } }

    private func quantified(_ quantifier: Quantifier, _ condition: (Field<Element>) -> Condition) -> Condition {
        let element = ElementScope()
        let inner = condition(Field(path: .element, scope: element))
        return Condition(scopes: scope.map { [$0] } ?? [], problem: problem) { () throws(TroveError) in
            let filter = try inner.filter()
            guard inner.scopes.allSatisfy({ $0 == element }) else {
                throw .invalidQuery(
                    reason: "a condition on the members of '\(path)' uses a member of another collection; compare members with values, with each other or with the object's own fields"
                )
            }
            return .quantified(quantifier, path, part, filter)
        }
    }
}

/// An array, a set or an ``ObjectList``, or an optional one.
public protocol MemberCollection {
    /// The type of the elements.
    associatedtype Member
}

extension Array: MemberCollection {
    public typealias Member = Element
}

extension Set: MemberCollection {
    public typealias Member = Element
}

extension Optional: MemberCollection where Wrapped: MemberCollection {
    public typealias Member = Wrapped.Member
}

extension Field where Value: MemberCollection {
    /// Whether a condition is true of at least one element.
    public func any(_ condition: (Field<Value.Member>) -> some ConditionConvertible) -> Condition { members(.elements).any(condition) }

    /// Whether a condition is true of every element; true when there are none.
    public func all(_ condition: (Field<Value.Member>) -> some ConditionConvertible) -> Condition { members(.elements).all(condition) }

    /// Whether a condition is true of no element.
    public func none(_ condition: (Field<Value.Member>) -> some ConditionConvertible) -> Condition { members(.elements).none(condition) }

    /// Whether one element equals a value.
    public func contains(_ element: Value.Member) -> Condition { members(.elements).contains(element) }

    /// Whether there are no elements; true of nil.
    public var isEmpty: Condition { none { _ in Condition(.constant(true)) } }
}

/// A dictionary, or an optional one.
public protocol DictionaryMembers {
    /// The type of the keys.
    associatedtype MemberKey
    /// The type of the values.
    associatedtype MemberValue
}

extension Dictionary: DictionaryMembers {
    public typealias MemberKey = Key
    public typealias MemberValue = Value
}

extension Optional: DictionaryMembers where Wrapped: DictionaryMembers {
    public typealias MemberKey = Wrapped.MemberKey
    public typealias MemberValue = Wrapped.MemberValue
}

extension Field where Value: DictionaryMembers {
    /// The keys, in conditions on any, all or none of them.
    public var keys: Members<Value.MemberKey> { members(.keys) }

    /// The values, in conditions on any, all or none of them.
    public var values: Members<Value.MemberValue> { members(.values) }

    /// Whether there are no keys; true of nil.
    public var isEmpty: Condition { keys.isEmpty }
}

/// Tells the element of one quantifier from that of another: a path can only begin at the innermost.
final class ElementScope: Sendable, Equatable {
    static func == (left: ElementScope, right: ElementScope) -> Bool { left === right }
}

extension Field {
    /// A property of a nested `Codable` value.
    ///
    /// The property's name is taken for its coding key. When the type has no such coding key the query throws
    /// ``TroveError/unsupportedKeyPath(model:keyPath:)``; ``at(_:as:)`` names the coding key itself.
    // Disfavoured, so that `lines[0]` is the position of an element and no property of the array.
    @_disfavoredOverload
    public subscript<Next>(dynamicMember property: KeyPath<Value, Next>) -> Field<Next> {
        nested(property)
    }

    /// A property of an optional nested value; nil when the nested value is nil.
    public subscript<Wrapped, Next>(dynamicMember property: KeyPath<Wrapped, Next>) -> Field<Next?> where Value == Wrapped? {
        nested(property)
    }

    /// An optional property of an optional nested value; nil when either is nil.
    public subscript<Wrapped, Next>(dynamicMember property: KeyPath<Wrapped, Next?>) -> Field<Next?> where Value == Wrapped? {
        nested(property)
    }

    private func nested<Root, Next, Result>(_ property: KeyPath<Root, Next>) -> Field<Result> {
        Field<Result>(scope: scope, problem: problem) { () throws(TroveError) in path.appending(try property.codingName()) }
    }
}

extension Field where Value: Decodable {
    /// The value at a coding key of the nested value; dots separate further names, as in `$0.address.at("geo.lat", as: Double.self)`.
    public func at<Next>(_ path: String, as type: Next.Type) -> Field<Next> {
        Field<Next>(path: DocumentPath(path).fieldPath(from: self.path), scope: scope, problem: problem)
    }
}

/// A collection whose elements a condition counts.
public protocol CountedMembers {}

extension Array: CountedMembers {}
extension Set: CountedMembers {}
extension Dictionary: CountedMembers {}
extension Optional: CountedMembers where Wrapped: CountedMembers {}
extension StoredValue: CountedMembers {}

extension Field where Value: CountedMembers {
    /// The number of elements; nil where there is no collection.
    public var count: Field<Int?> { Field<Int?>(path: path.counted, scope: scope, problem: problem) }
}

/// A dictionary with string keys, or an optional one.
public protocol KeyedMembers {
    /// The type of the values.
    associatedtype Member
}

extension Dictionary: KeyedMembers where Key == String {
    public typealias Member = Value
}

extension Optional: KeyedMembers where Wrapped: KeyedMembers {
    public typealias Member = Wrapped.Member
}

extension Field where Value: KeyedMembers {
    /// The value under a key; nil when there is none.
    public subscript(_ key: String) -> Field<Value.Member?> {
        Field<Value.Member?>(path: path.appending(key), scope: scope, problem: problem)
    }
}

/// An array or an ``ObjectList``, or an optional one.
public protocol PositionedMembers {
    /// The type of the elements.
    associatedtype Member
}

extension Array: PositionedMembers {}

extension Optional: PositionedMembers where Wrapped: PositionedMembers {
    public typealias Member = Wrapped.Member
}

extension Field where Value: PositionedMembers {
    /// The element at a position, counted from 0; nil when the array has fewer.
    public subscript(_ position: Int) -> Field<Value.Member?> {
        Field<Value.Member?>(scope: scope, problem: problem) { () throws(TroveError) in
            guard position >= 0 else { throw .invalidQuery(reason: "\(path) has no element at the position \(position); the first is at 0") }
            return path.appending(String(position))
        }
    }
}

/// The protocol of ``Lazy`` values, for fields of queries.
public protocol _LazyValue {
    /// The type of the value once it is read.
    associatedtype LoadedValue
}

extension Lazy: _LazyValue {
    public typealias LoadedValue = Value
}

extension Field where Value: _LazyValue {
    /// The value of a ``Lazy`` property. A query reads it from the store for each object that no index and no other condition has ruled out.
    ///
    /// ```swift
    /// store.fetch(Article.self).where { $0.author == "Bach" && $0.text.loaded.contains("fugue") }
    /// ```
    public var loaded: Field<Value.LoadedValue> { Field<Value.LoadedValue>(path: path, scope: scope, problem: problem) }
}
