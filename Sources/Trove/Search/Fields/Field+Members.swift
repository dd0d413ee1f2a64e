/// An array or set, or an optional one.
public protocol MemberCollection {
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
    /// Whether a condition is true of one element at least.
    public func any(_ condition: (Field<Value.Member>) -> Condition) -> Condition { members(.elements).any(condition) }

    /// Whether a condition is true of each element; true when there are none.
    public func all(_ condition: (Field<Value.Member>) -> Condition) -> Condition { members(.elements).all(condition) }

    /// Whether a condition is true of no element.
    public func none(_ condition: (Field<Value.Member>) -> Condition) -> Condition { members(.elements).none(condition) }

    /// Whether one element equals a value.
    public func contains(_ element: Value.Member) -> Condition { members(.elements).contains(element) }

    /// Whether there are no elements; true of nil.
    public var isEmpty: Condition { none { _ in Condition(.constant(true)) } }
}

/// A dictionary, or an optional one.
public protocol DictionaryMembers {
    associatedtype MemberKey
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
