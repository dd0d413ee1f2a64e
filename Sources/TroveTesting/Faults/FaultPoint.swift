/// The calls of a backend that can be made to fail.
public enum FaultPoint: String, Sendable, Hashable, CaseIterable {
    /// A read transaction begins.
    case beginRead
    /// A write transaction begins.
    case beginWrite
    /// A keyspace is looked up, created or dropped, or their names are listed.
    case keyspace
    /// Values are looked up by key or announced, entries are counted, a scan or a cursor begins.
    case read
    /// A scan or a cursor comes to an entry.
    case scanStep
    /// An entry is stored or deleted, or a range is.
    case change
    /// A savepoint begins.
    case savepoint
    /// A write transaction is about to commit; it is rolled back.
    case beforeCommit
    /// A write transaction was committed, and an error is still reported, one that ``StorageError/leavesOutcomeOpen``.
    case afterCommit
    /// Everything committed is to be made durable.
    case synchronize
    /// Unused space is to be given back.
    case compact
    /// A backup is to be made.
    case backUp

    /// The points inside of transactions at which nothing is committed: all but ``afterCommit`` and those of the whole store.
    public static let insideTransactions: Set<FaultPoint> = [
        .beginRead, .beginWrite, .keyspace, .read, .scanStep, .change, .savepoint, .beforeCommit,
    ]
}
