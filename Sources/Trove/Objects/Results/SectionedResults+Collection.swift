extension SectionedResults: RandomAccessCollection {
    public typealias Element = ResultSection<Object, Value>
    public typealias Index = Int
    public typealias SubSequence = ArraySlice<ResultSection<Object, Value>>

    /// 0.
    public var startIndex: Int { 0 }

    /// The number of sections.
    public var endIndex: Int { sections.count }

    /// The section at a position.
    ///
    /// - Precondition: The position is at least 0 and below ``endIndex``, which a change of the list may have made smaller.
    public subscript(position: Int) -> ResultSection<Object, Value> { sections[position] }

    /// The sections at some positions, as they are now.
    public subscript(bounds: Range<Int>) -> ArraySlice<ResultSection<Object, Value>> { sections[bounds] }

    // One state of the list for each of these, whatever comes between.

    /// Iterates over the sections as they are now.
    public func makeIterator() -> IndexingIterator<[ResultSection<Object, Value>]> { sections.makeIterator() }

    /// Whether there are no sections.
    public var isEmpty: Bool { sections.isEmpty }

    /// The first section; nil when there is none.
    public var first: ResultSection<Object, Value>? { sections.first }

    /// The last section; nil when there is none.
    public var last: ResultSection<Object, Value>? { sections.last }

    /// What `transform` makes of the sections as they are now, where it is called on this itself. Hand ``sections`` to code that is generic over collections,
    /// whose `map` traps when there are fewer sections meanwhile.
    public func map<Mapped, Failure>(_ transform: (ResultSection<Object, Value>) throws(Failure) -> Mapped) throws(Failure) -> [Mapped] {
        try sections.map(transform)
    }

    /// Calls `body` with the sections as they are now.
    public func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<ResultSection<Object, Value>>) throws -> Result
    ) rethrows -> Result? {
        try sections.withContiguousStorageIfAvailable(body)
    }

    /// The sections as they are now.
    public func _copyToContiguousArray() -> ContiguousArray<ResultSection<Object, Value>> { ContiguousArray(sections) }

    // The same of what a collection has by itself, position by position: a list that becomes shorter meanwhile would end the program.

    /// The first sections, at most so many.
    public func prefix(_ maxLength: Int) -> SubSequence { sections.prefix(maxLength) }

    /// The first sections that pass.
    public func prefix(while predicate: (Element) throws -> Bool) rethrows -> SubSequence { try sections.prefix(while: predicate) }

    /// The last sections, at most so many.
    public func suffix(_ maxLength: Int) -> SubSequence { sections.suffix(maxLength) }

    /// The sections from a position on.
    ///
    /// - Precondition: The position is at least 0 and at most ``endIndex``.
    public func suffix(from start: Int) -> SubSequence { sections.suffix(from: start) }

    /// The sections without some of the first.
    public func dropFirst(_ count: Int = 1) -> SubSequence { sections.dropFirst(count) }

    /// The sections without some of the last.
    public func dropLast(_ count: Int = 1) -> SubSequence { sections.dropLast(count) }

    /// The sections without the first that pass.
    public func drop(while predicate: (Element) throws -> Bool) rethrows -> SubSequence { try sections.drop(while: predicate) }

    /// The sections as they are now, the last one first.
    ///
    /// - Complexity: O(1).
    public func reversed() -> ReversedCollection<[Element]> { sections.reversed() }

    /// One of the sections by chance; nil when there is none.
    public func randomElement() -> Element? { sections.randomElement() }

    /// One of the sections, by a generator of the caller's; nil when there is none.
    public func randomElement(using generator: inout some RandomNumberGenerator) -> Element? { sections.randomElement(using: &generator) }

    /// The position of the first section that passes, as the list is now; nil when there is none.
    public func firstIndex(where predicate: (Element) throws -> Bool) rethrows -> Int? { try sections.firstIndex(where: predicate) }

    /// The position of the last section that passes, as the list is now; nil when there is none.
    public func lastIndex(where predicate: (Element) throws -> Bool) rethrows -> Int? { try sections.lastIndex(where: predicate) }

    /// The last section that passes; nil when there is none.
    public func last(where predicate: (Element) throws -> Bool) rethrows -> Element? { try sections.last(where: predicate) }
}
