/// What a save does about an object whose record was changed or deleted by somebody else since the context read it.
///
/// ```swift
/// let context = ObjectContext(store, options: .init(mergePolicy: .byProperty))
/// ```
public enum MergePolicy: Sendable {
    /// The save fails with ``TroveError/conflict(model:id:object:stored:)`` and stores nothing.
    case error
    /// The store's version stays, and the object takes it over; its own changes are lost.
    case storeWins
    /// The object's version is stored as a whole, or the object deleted.
    case objectWins
    /// Properties that were changed in the context are stored, the others are the store's. A change wins against a deletion on either side,
    /// so that nothing is lost.
    case byProperty
    /// What the closure says.
    ///
    /// It runs inside the save's transaction: it must use neither the store nor live objects, and may be called again when the engine runs
    /// the transaction anew. What it throws, the save throws.
    case custom(@Sendable (SaveConflict) throws -> MergeResolution)
}
