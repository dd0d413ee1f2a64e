extension LiveResults: RandomAccessCollection {
    public typealias Index = Int
    public typealias SubSequence = ArraySlice<Object>

    /// 0.
    public var startIndex: Int { 0 }

    /// The number of objects.
    public var endIndex: Int { objects.count }

    /// The object at a position.
    ///
    /// - Precondition: The position is at least 0 and below ``endIndex``, which a change of the list may have made smaller.
    /// - Complexity: O(1).
    public subscript(position: Int) -> Object { objects[position] }

    /// The objects at some positions, as they are now.
    public subscript(bounds: Range<Int>) -> ArraySlice<Object> { objects[bounds] }

    // One state of the list for each of these, whatever comes between.

    /// Iterates over the objects as they are now.
    public func makeIterator() -> IndexingIterator<[Object]> { objects.makeIterator() }

    /// Whether there are no objects.
    public var isEmpty: Bool { objects.isEmpty }

    /// The first object; nil when there is none.
    public var first: Object? { objects.first }

    /// The last object; nil when there is none.
    public var last: Object? { objects.last }

    /// What `transform` makes of the objects as they are now.
    ///
    /// So it is where it is called on the list itself. Code that is generic over collections has a `map` of its own, which counts first and goes through the
    /// positions then, and traps when the list becomes shorter meanwhile: hand it ``objects``.
    public func map<Value, Failure>(_ transform: (Object) throws(Failure) -> Value) throws(Failure) -> [Value] { try objects.map(transform) }

    /// Calls `body` with the objects as they are now.
    public func withContiguousStorageIfAvailable<Result>(_ body: (UnsafeBufferPointer<Object>) throws -> Result) rethrows -> Result? {
        try objects.withContiguousStorageIfAvailable(body)
    }

    /// The objects as they are now.
    public func _copyToContiguousArray() -> ContiguousArray<Object> { ContiguousArray(objects) }

    // The same of what a collection has by itself, position by position: a list that becomes shorter meanwhile would end the program.

    /// The first objects, at most so many.
    public func prefix(_ maxLength: Int) -> ArraySlice<Object> { objects.prefix(maxLength) }

    /// The first objects that pass.
    public func prefix(while predicate: (Object) throws -> Bool) rethrows -> ArraySlice<Object> { try objects.prefix(while: predicate) }

    /// The last objects, at most so many.
    public func suffix(_ maxLength: Int) -> ArraySlice<Object> { objects.suffix(maxLength) }

    /// The objects from a position on.
    ///
    /// - Precondition: The position is at least 0 and at most ``endIndex``.
    public func suffix(from start: Int) -> ArraySlice<Object> { objects.suffix(from: start) }

    /// The objects without some of the first.
    public func dropFirst(_ count: Int = 1) -> ArraySlice<Object> { objects.dropFirst(count) }

    /// The objects without some of the last.
    public func dropLast(_ count: Int = 1) -> ArraySlice<Object> { objects.dropLast(count) }

    /// The objects without the first that pass.
    public func drop(while predicate: (Object) throws -> Bool) rethrows -> ArraySlice<Object> { try objects.drop(while: predicate) }

    /// The objects as they are now, the last one first.
    ///
    /// - Complexity: O(1).
    public func reversed() -> ReversedCollection<[Object]> { objects.reversed() }

    /// One of the objects by chance; nil when there is none.
    public func randomElement() -> Object? { objects.randomElement() }

    /// One of the objects, by a generator of the caller's; nil when there is none.
    public func randomElement(using generator: inout some RandomNumberGenerator) -> Object? { objects.randomElement(using: &generator) }

    /// The position of the first object that passes, as the list is now; nil when there is none.
    public func firstIndex(where predicate: (Object) throws -> Bool) rethrows -> Int? { try objects.firstIndex(where: predicate) }

    /// The position of the last object that passes, as the list is now; nil when there is none.
    public func lastIndex(where predicate: (Object) throws -> Bool) rethrows -> Int? { try objects.lastIndex(where: predicate) }

    /// The last object that passes; nil when there is none.
    public func last(where predicate: (Object) throws -> Bool) rethrows -> Object? { try objects.last(where: predicate) }

    /// The position of an object, as the list is now; nil when it is not in it.
    public func firstIndex(of object: Object) -> Int? { objects.firstIndex { $0 === object } }

    /// The position of an object, as the list is now; nil when it is not in it.
    public func lastIndex(of object: Object) -> Int? { objects.lastIndex { $0 === object } }
}
