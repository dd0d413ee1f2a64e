/// One snapshot of a store, valid inside the closure of ``StorageBackend/read(_:)``.
///
/// Keys and values travel as `RawSpan`, so bytes go from the engine's own memory to the reader
/// without being copied. `[UInt8]` gives a span with `bytes.span.bytes`.
///
/// Every method throws ``StorageError/transactionFinished(_:)`` after the closure has returned.
public protocol StorageReader: AnyObject {
    /// The keyspace with this name, or nil when the store has none.
    func keyspace(named name: String) throws -> Keyspace?

    /// The names of all keyspaces, ascending by their UTF-8 bytes.
    func keyspaceNames() throws -> [String]

    /// Calls `body` with the value of `key`, and returns whether there is one.
    func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool

    /// Looks up many keys in one go, calling `body` with the position of each key in `keys` and its
    /// value, nil where there is none.
    ///
    /// On an engine across a network this is one round trip, so layers above ask in batches.
    /// `body` is called exactly once for each key, in the order of `keys`.
    func getMany(
        _ keys: [[UInt8]], in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> Void
    ) throws

    /// Calls `body` with each entry of `range` in key order, until it returns ``ScanStep/stop``.
    ///
    /// This is the fast path for reading many entries. In a write transaction the body may change the
    /// keyspace: the scan goes on with the entry next in order after the current key, as the keyspace is then.
    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws

    /// A cursor over the keyspace, for walks that change direction or merge several keyspaces.
    func cursor(in keyspace: Keyspace) throws -> any StorageCursor

    /// The number of entries in the keyspace.
    ///
    /// - Complexity: O(1) where ``StorageCapabilities/countsInConstantTime`` is true, otherwise O(*n*).
    func count(in keyspace: Keyspace) throws -> Int
}

extension StorageReader {
    /// A loop over ``get(_:in:_:)``, right for engines in the same process.
    public func getMany(
        _ keys: [[UInt8]], in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> Void
    ) throws {
        for (position, key) in keys.enumerated() {
            let found = try get(key.span.bytes, in: keyspace) { try body(position, $0) }
            if !found { try body(position, nil) }
        }
    }

    /// Returns what `body` makes of the value of `key`, or nil when there is none.
    @inlinable
    public func withValue<Result>(
        of key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Result
    ) throws -> Result? {
        var result: Result?
        _ = try get(key, in: keyspace) { result = try body($0) }
        return result
    }

    /// A copy of the value of `key`, or nil when there is none.
    @inlinable
    public func value(of key: [UInt8], in keyspace: Keyspace) throws -> [UInt8]? {
        try withValue(of: key.span.bytes, in: keyspace) { [UInt8](copying: $0) }
    }

    /// Whether the keyspace has an entry with this key.
    @inlinable
    public func contains(_ key: [UInt8], in keyspace: Keyspace) throws -> Bool {
        try get(key.span.bytes, in: keyspace) { _ in }
    }

    /// Calls `body` with each entry of `range` in ascending order, until it returns ``ScanStep/stop``.
    @inlinable
    public func scan(
        _ range: KeyRange = .all, in keyspace: Keyspace,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        try scan(range, in: keyspace, order: .ascending, body)
    }
}
