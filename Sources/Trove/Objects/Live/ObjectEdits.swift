/// What is kept of a live object's changes since it was as its record. Most objects that are read have none.
///
/// It is `@unchecked Sendable` because the lock of the object's domain guards all of it.
@usableFromInline final class ObjectEdits: @unchecked Sendable {
    /// The record's bytes before the first change.
    var image: [UInt8]?
    /// Whether the values are those from before a saved step that was undone, or after one that was redone: then what rules and inverses have to do with
    /// them is done already.
    var isRestored = false
    /// The fields that were changed.
    @exclusivity(unchecked) @usableFromInline var fields = _FieldSet()
    /// The domain's epoch in which its host was last told of a change.
    @exclusivity(unchecked) @usableFromInline var notedEpoch: UInt64 = 0

    init() {}
}

// With the lock of the domain held.
extension _LiveObjectState {
    private var madeEdits: ObjectEdits {
        if let edits { return edits }
        let new = ObjectEdits()
        edits = new
        return new
    }

    /// The record's bytes before the first change since the object was as its record; nil without changes, and where they could not be kept.
    var image: [UInt8]? {
        get { edits?.image }
        set { if newValue != nil || edits != nil { madeEdits.image = newValue } }
    }

    /// See ``ObjectEdits/isRestored``.
    var isRestored: Bool {
        get { edits?.isRestored ?? false }
        set { if newValue || edits != nil { madeEdits.isRestored = newValue } }
    }

    /// The fields that were changed since the object was as its record.
    var changedFields: _FieldSet { edits?.fields ?? _FieldSet() }

    /// Notes that all fields are changed.
    func noteAllFields(count: Int) {
        let edits = madeEdits
        for field in 0..<count { edits.fields.insert(field) }
    }

    /// Notes that the host was told of a change in this epoch.
    func noteEpoch(_ epoch: UInt64) { madeEdits.notedEpoch = epoch }
}

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
