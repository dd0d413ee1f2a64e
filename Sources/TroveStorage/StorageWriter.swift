/// One write transaction, valid inside the closure of ``StorageBackend/write(_:_:)``.
///
/// A writer reads its own changes. Arguments are checked before anything is written; when an engine call
/// fails the transaction is poisoned and every later call throws ``StorageError/transactionPoisoned(_:)``.
public protocol StorageWriter: StorageReader {
    /// The keyspace with this name, created when the store has none.
    ///
    /// - Throws: ``StorageError/invalidKeyspaceName(_:)`` when the name is empty or longer than
    ///   ``StorageLimits/maxKeyspaceNameSize`` bytes; ``StorageError/tooManyKeyspaces(_:)``.
    func createKeyspace(named name: String) throws -> Keyspace

    /// Removes the keyspace and all its entries. Its handles are invalid from then on; its name is free for a new one.
    func dropKeyspace(_ keyspace: Keyspace) throws

    /// Stores `value` under `key` and replaces the value there.
    ///
    /// - Throws: ``StorageError/emptyKey(_:)``, ``StorageError/keyTooLarge(_:)``, ``StorageError/valueTooLarge(_:)``.
    func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws

    /// Stores `value` under `key` unless the key exists; returns whether it was stored.
    ///
    /// On a remote engine the answer is a round trip, unless the key was announced with ``StorageReader/prefetch(_:in:)``.
    ///
    /// - Throws: ``StorageError/emptyKey(_:)``, ``StorageError/keyTooLarge(_:)``, ``StorageError/valueTooLarge(_:)``.
    func insert(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool

    /// Removes the entry with this key; returns whether there was one.
    ///
    /// On a remote engine the answer is a round trip, unless the key was announced with ``StorageReader/prefetch(_:in:)``.
    /// Whoever does not ask for it calls ``remove(_:in:)``.
    ///
    /// - Throws: ``StorageError/emptyKey(_:)``, ``StorageError/keyTooLarge(_:)``.
    @discardableResult
    func delete(_ key: RawSpan, in keyspace: Keyspace) throws -> Bool

    /// Removes the entry with this key, if there is one: a ``delete(_:in:)`` without an answer, for which a remote engine need not wait.
    ///
    /// The default is ``delete(_:in:)``.
    ///
    /// - Throws: ``StorageError/emptyKey(_:)``, ``StorageError/keyTooLarge(_:)``.
    func remove(_ key: RawSpan, in keyspace: Keyspace) throws

    /// Removes every entry of `range`; returns how many there were.
    @discardableResult
    func deleteRange(_ range: KeyRange, in keyspace: Keyspace) throws -> Int

    /// Runs `body`; when it throws, undoes its changes and throws the same error. The transaction stays usable. Savepoints nest.
    ///
    /// Handles and cursors made inside the body are invalid after a rollback; those made before it stay valid.
    ///
    /// - Throws: what `body` throws.
    func savepoint(_ body: () throws -> Void) throws
}

extension StorageWriter {
    /// Deletes an entry, without returning whether it existed.
    public func remove(_ key: RawSpan, in keyspace: Keyspace) throws { try delete(key, in: keyspace) }

    /// Stores `value` under `key` and replaces the value there.
    @inlinable
    public func put(_ key: [UInt8], _ value: [UInt8], in keyspace: Keyspace) throws {
        try put(key.span.bytes, value.span.bytes, in: keyspace)
    }

    /// Stores `value` under `key` unless the key exists; returns whether it was stored.
    @inlinable
    public func insert(_ key: [UInt8], _ value: [UInt8], in keyspace: Keyspace) throws -> Bool {
        try insert(key.span.bytes, value.span.bytes, in: keyspace)
    }

    /// Removes the entry with this key; returns whether there was one.
    @inlinable @discardableResult
    public func delete(_ key: [UInt8], in keyspace: Keyspace) throws -> Bool {
        try delete(key.span.bytes, in: keyspace)
    }

    /// Removes the entry with this key, if there is one.
    @inlinable
    public func remove(_ key: [UInt8], in keyspace: Keyspace) throws {
        try remove(key.span.bytes, in: keyspace)
    }

    /// Runs `body` under a savepoint and returns its result.
    @inlinable @discardableResult
    public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
        var result: Result?
        try savepoint { () throws -> Void in result = try body() }
        guard let result else { throw StorageError.savepointBodyDidNotRun }
        return result
    }
}

extension StorageError {
    /// The error for a writer that returned from a savepoint though the body had not come to its end.
    @usableFromInline package static var savepointBodyDidNotRun: StorageError {
        .engineFailure(
            .init(engine: "unknown", path: "", message: "the backend returned from a savepoint whose body had not ended; it must throw instead"))
    }
}
