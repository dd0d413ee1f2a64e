/// How a conflict between a context and the store is settled; see ``MergePolicy/custom(_:)``.
public enum MergeResolution: Sendable {
    /// The store's version stays, and the object takes it over.
    case useStored
    /// The object's version is stored, or the object deleted.
    case useObject
    /// The properties that the context changed are stored, the others are the store's; a change wins against a deletion.
    case mergeProperties
    /// This record is stored, and the object takes it over. Its id must be the object's.
    case use(StoredRecord)
    /// The object is deleted.
    case delete
    /// The save fails with ``TroveError/conflict(model:id:object:stored:)``.
    case fail
}
