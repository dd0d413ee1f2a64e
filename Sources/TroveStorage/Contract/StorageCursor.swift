/// A position in the key order of one keyspace.
///
/// A cursor is at an entry, before the first or after the last. A new cursor is before the first.
/// It remembers its key: when the entry it is at is deleted, ``next()`` goes to the first entry above
/// that key and ``previous()`` to the last one below it, whatever was inserted or deleted meanwhile.
public protocol StorageCursor: AnyObject {
    /// Moves to the first entry whose key is `key` or above; after the last, returning false, when there is none.
    /// An empty `key` seeks the first entry.
    func seek(to key: RawSpan) throws -> Bool

    /// Moves to the last entry; before the first, returning false, when the keyspace is empty.
    func seekToLast() throws -> Bool

    /// Moves to the entry above, from before the first to the first; after the last, returning false, when there is none.
    func next() throws -> Bool

    /// Moves to the entry below, from after the last to the last; before the first, returning false, when there is none.
    func previous() throws -> Bool

    /// Calls `body` with the entry the cursor is at, and returns whether it is at one (false when that entry was deleted).
    func withEntry(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws -> Bool
}

extension StorageCursor {
    /// Moves to the first entry whose key is `key` or above; after the last, returning false, when there is none.
    @inlinable
    public func seek(to key: [UInt8]) throws -> Bool { try seek(to: key.span.bytes) }

    /// Moves to the first entry; after the last, returning false, when the keyspace is empty.
    public func seekToFirst() throws -> Bool {
        try seek(to: [UInt8]().span.bytes)
    }

    /// A copy of the entry the cursor is at, or nil.
    public func entry() throws -> (key: [UInt8], value: [UInt8])? {
        var entry: (key: [UInt8], value: [UInt8])?
        _ = try withEntry { entry = ([UInt8](copying: $0), [UInt8](copying: $1)) }
        return entry
    }
}
