/// An object that was changed or deleted on both sides: in a context, and in the store since the context read it.
public struct SaveConflict: Sendable, Hashable {
    /// The name of the model.
    public let model: String
    /// The id as text.
    public let id: String
    /// The version the context's changes are changes of; nil when it had nothing to compare with, as for an inserted object.
    public let base: StoredRecord?
    /// The object as the context would store it; nil when it is deleted there.
    public let object: StoredRecord?
    /// The record as the store has it; nil when it was deleted.
    public let stored: StoredRecord?

    /// The fields that the context changed, in the order of the model; none when it deleted or inserted the object.
    public var changedFields: [String] {
        guard let base, let object else { return [] }
        return object.fieldNames.filter { object[$0] != base[$0] }
    }
}
