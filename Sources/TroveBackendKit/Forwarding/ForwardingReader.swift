import TroveStorage

/// A reader that forwards every call to another one. A type that wraps an engine to change or watch some calls
/// has these defaults for the others.
public protocol ForwardingReader: StorageReader {
    /// The reader that does the work.
    var wrappedReader: any StorageReader { get }
}

extension ForwardingReader {
    /// That of the wrapped reader.
    public var stateStamp: StateStamp? { wrappedReader.stateStamp }

    public func keyspace(named name: String) throws -> Keyspace? { try wrappedReader.keyspace(named: name) }

    public func keyspaceNames() throws -> [String] { try wrappedReader.keyspaceNames() }

    public func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        try wrappedReader.get(key, in: keyspace, body)
    }

    /// Forwards to the wrapped reader.
    public func getMany(
        _ keys: KeyList, in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> ScanStep
    ) throws {
        try wrappedReader.getMany(keys, in: keyspace, body)
    }

    public func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        try wrappedReader.scan(range, in: keyspace, order: order, body)
    }

    /// That of the wrapped reader.
    public var prefetches: Bool { wrappedReader.prefetches }

    /// Forwards to the wrapped reader.
    public func prefetch(_ keys: [[UInt8]], in keyspace: Keyspace) throws { try wrappedReader.prefetch(keys, in: keyspace) }

    /// Forwards to the wrapped reader.
    public func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        try wrappedReader.scan(range, in: keyspace, order: order, expecting: count, body)
    }

    /// Forwards to the wrapped reader.
    public func scanKeys(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?, _ body: (_ key: RawSpan) throws -> ScanStep
    ) throws {
        try wrappedReader.scanKeys(range, in: keyspace, order: order, expecting: count, body)
    }

    public func cursor(in keyspace: Keyspace) throws -> any StorageCursor { try wrappedReader.cursor(in: keyspace) }

    public func count(in keyspace: Keyspace) throws -> Int { try wrappedReader.count(in: keyspace) }

    /// Forwards to the wrapped reader.
    public func count(of range: KeyRange, in keyspace: Keyspace) throws -> Int { try wrappedReader.count(of: range, in: keyspace) }
}
