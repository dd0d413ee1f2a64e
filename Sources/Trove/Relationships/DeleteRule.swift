/// What becomes of the objects that a relationship points at when the object that has the relationship is deleted.
public enum DeleteRule: Sendable, Hashable {
    /// They stay. Where the relationship has an inverse, the deleted object is taken out of theirs.
    case nullify
    /// They are owned, and deleted with it, unless another owner has them too: a relationship that cascades, of an object that stays.
    /// An owned object that a save takes out of the relationship is deleted at the end of the transaction, too, unless it has an owner by then.
    case cascade
    /// They are deleted with it, or when they are taken out of the relationship, once no relationship of any kind points at them.
    case cascadeWhenUnreferenced
    /// It cannot be deleted while it points at objects that stay: ``TroveError/deletionDenied(model:id:blockers:)``.
    case deny
    /// They are left as they are, also their inverses, which then point at nothing.
    case noAction

    /// Whether objects are deleted with the last that points at them.
    var owns: Bool { self == .cascade || self == .cascadeWhenUnreferenced }
}
