/// What is right for engines in the same process.
extension StorageReader {
    /// The lookups one by one, as ``getEach(_:in:_:)`` makes them.
    public func getMany(
        _ keys: KeyList, in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> ScanStep
    ) throws {
        try getEach(keys, in: keyspace, body)
    }

    /// ``getMany(_:in:_:)`` by a ``get(_:in:_:)`` for each key, for engines that have another way for some lists only.
    public func getEach(
        _ keys: KeyList, in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> ScanStep
    ) throws {
        var position = 0
        try keys.forEach { key in
            var step = ScanStep.next
            let isFound = try get(key, in: keyspace) { step = try body(position, $0) }
            if !isFound { step = try body(position, nil) }
            position += 1
            return step
        }
    }

    /// nil.
    public var stateStamp: StateStamp? { nil }

    /// False.
    public var prefetches: Bool { false }

    /// Does nothing.
    public func prefetch(_ keys: [[UInt8]], in keyspace: Keyspace) throws {}

    /// The scan without a number.
    public func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        try scan(range, in: keyspace, order: order, body)
    }

    /// A scan that ignores the values.
    public func scanKeys(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?, _ body: (_ key: RawSpan) throws -> ScanStep
    ) throws {
        try scan(range, in: keyspace, order: order, expecting: count) { key, _ in try body(key) }
    }

    /// Scans the keys, unless all are asked for.
    public func count(of range: KeyRange, in keyspace: Keyspace) throws -> Int {
        if range == .all { return try count(in: keyspace) }
        var count = 0
        try scanKeys(range, in: keyspace, order: .ascending, expecting: nil) { _ in
            count += 1
            return .next
        }
        return count
    }

    /// None.
    public func withConcurrentReaders(upTo count: Int, _ body: (_ readers: [any StorageReader]) throws -> Void) throws { try body([]) }
}
