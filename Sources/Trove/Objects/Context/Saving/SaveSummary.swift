/// How many objects a save of a context stored and deleted, not counting those that rules and inverses changed beside them.
public struct SaveSummary: Sendable, Hashable {
    /// Objects that were new.
    public internal(set) var insertedCount = 0
    /// Objects whose records were changed. One that was changed and changed back is not written.
    public internal(set) var updatedCount = 0
    /// Objects whose records were deleted.
    public internal(set) var deletedCount = 0
}
