/// What a live object is to its context.
@usableFromInline enum LiveObjectStatus: Sendable, Hashable {
    /// In no context.
    case detached
    /// New, and not saved yet.
    case inserted
    /// As its record is.
    case clean
    /// Changed since it was read or saved.
    case changed
    /// To be deleted by the next save.
    case deleted
    /// Its record is deleted.
    case gone
}
