/// The objects of a context as its store has them, without the context's pending changes; see ``ObjectContext/saved``.
public struct SavedObjects: ObjectSource, Sendable {
    /// The context whose objects are found.
    public let context: ObjectContext
    /// Whether what is found is as it would be after a save, after all.
    public let includesPendingChanges: Bool

    init(context: ObjectContext, includesPendingChanges: Bool = false) {
        self.context = context
        self.includesPendingChanges = includesPendingChanges
    }

    /// Runs `body` on one consistent view of the store and returns its result.
    public func read<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result {
        try context.read(includingPendingChanges: includesPendingChanges, body)
    }
}
