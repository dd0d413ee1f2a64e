/// A position in the key order of one keyspace.
///
/// A cursor is at an entry, before the first or after the last. A new cursor is before the first.
/// It remembers its key: when the entry it is at is deleted, ``next()`` goes to the first entry above
/// that key and ``previous()`` to the last one below it, whatever was inserted or deleted meanwhile.
///
/// Every method throws ``StorageError/transactionFinished(_:)`` after the transaction, ``StorageError/invalidKeyspace(_:)`` when the keyspace was dropped or
/// the savepoint in which the cursor was made was undone, and another ``StorageError`` when the engine fails.
public protocol StorageCursor: AnyObject {
    /// Moves to the first entry at or above `key`; when there is none, moves after the last entry and returns false.
    /// An empty `key` seeks the first entry.
    func seek(to key: RawSpan) throws -> Bool

    /// Moves to the last entry; when the keyspace is empty, moves before the first and returns false.
    func seekToLast() throws -> Bool

    /// Moves to the entry above, from before the first to the first; when there is none, moves after the last and returns false.
    func next() throws -> Bool

    /// Moves to the entry below, from after the last to the last; when there is none, moves before the first and returns false.
    func previous() throws -> Bool

    /// Calls `body` with the entry at the cursor, and returns whether there is one (false when it was deleted).
    func withEntry(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws -> Bool
}

extension StorageCursor {
    /// Moves to the first entry at or above `key`; when there is none, moves after the last entry and returns false.
    @inlinable
    public func seek(to key: [UInt8]) throws -> Bool { try seek(to: key.span.bytes) }

    /// Moves to the first entry; when the keyspace is empty, moves after the last and returns false.
    public func seekToFirst() throws -> Bool {
        try seek(to: [UInt8]().span.bytes)
    }

    /// A copy of the entry at the cursor, or nil.
    public func entry() throws -> (key: [UInt8], value: [UInt8])? {
        var entry: (key: [UInt8], value: [UInt8])?
        _ = try withEntry { entry = ([UInt8](copying: $0), [UInt8](copying: $1)) }
        return entry
    }
}
