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
