import CLMDB

/// The part of a transaction that every call looks at.
///
/// It is in memory of its own: Swift checks at run time that accesses to a class's variables do not overlap, and five
/// such checks cost as much as LMDB's append. Its transaction frees it.
struct TransactionCore {
    /// LMDB's transaction; in a savepoint the innermost one.
    var transaction: OpaquePointer
    /// Whether the transaction runs and no call of it has failed. What is wrong otherwise, its state knows.
    var isUsable = true
    /// Goes up with every change, so that cursors and scans know when to look for their place again.
    var generation = 0
    /// How many closures run that were lent bytes out of the map.
    var lending = 0
    /// The LMDB database of each keyspace number; 0 where the keyspace is gone.
    var dbis: UnsafePointer<MDB_dbi>?
    var dbiCount = 0

    // In write transactions:

    /// How many changes a commit would write; fewer again after a rollback.
    var changes = 0
    /// The bytes of keys and values handed in, to size the map by.
    var bytesWritten = 0

    init(transaction: OpaquePointer) { self.transaction = transaction }
}
