/// Shorter ways to say the same.
extension StorageReader {
    /// Calls `body` with the value of `key`; returns whether there is one.
    @inlinable
    public func get(_ key: [UInt8], in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        try get(key.span.bytes, in: keyspace, body)
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

    /// Returns what `body` makes of the value of `key`, or nil when there is none.
    @inlinable
    public func withValue<Result>(
        of key: [UInt8], in keyspace: Keyspace, _ body: (RawSpan) throws -> Result
    ) throws -> Result? {
        try withValue(of: key.span.bytes, in: keyspace, body)
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

    /// Looks up many keys at once; calls `body` with the position of each key in `keys` and its value, nil when there is none.
    @inlinable
    public func getMany(
        _ keys: some Sequence<[UInt8]>, in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> Void
    ) throws {
        try getMany(KeyList(keys), in: keyspace) { position, value in
            try body(position, value)
            return .next
        }
    }

    /// Calls `body` with each entry of `range` in ascending order, until it returns ``ScanStep/stop``.
    @inlinable
    public func scan(
        _ range: KeyRange = .all, in keyspace: Keyspace,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        try scan(range, in: keyspace, order: .ascending, body)
    }

    /// Calls `body` with each key of `range` in ascending order, until it returns ``ScanStep/stop``.
    @inlinable
    public func scanKeys(
        _ range: KeyRange = .all, in keyspace: Keyspace, _ body: (_ key: RawSpan) throws -> ScanStep
    ) throws {
        try scanKeys(range, in: keyspace, order: .ascending, expecting: nil, body)
    }
}
