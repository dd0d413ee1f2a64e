/// What becomes of a relationship when an object it points at is deleted.
public enum TargetDeleteRule: Sendable, Hashable {
    /// The reference is taken out: set to nil, or removed from each of its places in a collection. Not for a reference that cannot be nil.
    case nullify
    /// The object that has the relationship is deleted too.
    case cascade
    /// The object it points at cannot be deleted while the object that has the relationship stays: ``TroveError/deletionDenied(model:id:blockers:)``.
    case deny
    /// The reference stays, and points at nothing.
    case noAction
}
