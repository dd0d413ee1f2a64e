/// Fields of a model, by their positions in its schema.
public struct _FieldSet: Sendable, Hashable {
    /// The first 64 fields, a bit each; few models have more.
    @usableFromInline var first: UInt64 = 0
    /// The others, 64 to a word.
    @usableFromInline var others: [UInt64] = []

    /// No fields.
    @inlinable public init() {}

    /// Whether there are no fields.
    public var isEmpty: Bool { first == 0 && others.allSatisfy { $0 == 0 } }

    /// Whether the set contains the field.
    @inlinable
    public func contains(_ field: Int) -> Bool {
        if field < 64 { return first >> UInt64(truncatingIfNeeded: field) & 1 != 0 }
        let word = field / 64 - 1
        return word < others.count && others[word] >> UInt64(truncatingIfNeeded: field & 63) & 1 != 0
    }

    /// Adds a field.
    @inlinable
    public mutating func insert(_ field: Int) {
        if field < 64 { first |= 1 << UInt64(truncatingIfNeeded: field) } else { insertFar(field) }
    }

    @usableFromInline mutating func insertFar(_ field: Int) {
        let word = field / 64 - 1
        while others.count <= word { others.append(0) }
        others[word] |= 1 << UInt64(field & 63)
    }
}

extension _FieldSet: Sequence {
    /// The positions in ascending order.
    public func makeIterator() -> some IteratorProtocol<Int> {
        var position = -1
        let end = 64 * (1 + others.count)
        return AnyIterator {
            repeat { position += 1 } while position < end && !contains(position)
            return position < end ? position : nil
        }
    }
}
