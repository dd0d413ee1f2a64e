/// When a store builds the indexes that are not ready: new ones of a store with objects, changed ones, and those whose building broke off.
public enum IndexingPolicy: Sendable, Hashable {
    /// Before the store's initializer returns, so that every index serves every query. This is the usual choice.
    case beforeOpening
    /// On a thread of its own, in small batches between which other writes go on. Until an index is ready, queries do without it. Why
    /// building stopped early is ``ObjectStore/indexingError``. Indexes that a change of this store finds it cannot keep are built anew in
    /// the same way, when it is committed.
    case inBackground
    /// When ``ObjectStore/buildIndexes(progress:)-swift.method`` is called. A way to open a store whose objects break a new unique index.
    case onRequest
}
