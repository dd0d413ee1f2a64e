/// A part of a live list: the objects of one value, in the order of the list. It is a value, and does not change.
public struct ResultSection<Object: LiveModel, Value: Hashable & Sendable>: Identifiable, Sendable {
    /// What its objects have in common.
    public let value: Value
    /// The objects.
    public let objects: [Object]

    /// The value, which no other section of the list has.
    public var id: Value { value }
}

extension ResultSection: RandomAccessCollection {
    /// 0.
    public var startIndex: Int { 0 }

    /// The number of objects.
    public var endIndex: Int { objects.count }

    /// The object at a position.
    ///
    /// - Precondition: The position is at least 0 and below ``endIndex``.
    public subscript(position: Int) -> Object { objects[position] }

    /// The objects at some positions.
    public subscript(bounds: Range<Int>) -> ArraySlice<Object> { objects[bounds] }
}
