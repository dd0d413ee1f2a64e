import TroveStorage

/// The reading side of a ``RecordingBackend``.
class RecordingReader: StorageReader {
    private let base: any StorageReader
    private let log: CallLog
    /// What the calls are noted under.
    class var type: String { "StorageReader" }

    init(_ base: any StorageReader, _ log: CallLog) {
        self.base = base
        self.log = log
    }

    final func note(_ function: String = #function) { log.note(Self.type, function) }

    func keyspace(named name: String) throws -> Keyspace? {
        note()
        return try base.keyspace(named: name)
    }

    func keyspaceNames() throws -> [String] {
        note()
        return try base.keyspaceNames()
    }

    func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        note()
        return try base.get(key, in: keyspace, body)
    }

    func getMany(_ keys: KeyList, in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> ScanStep) throws {
        note()
        try base.getMany(keys, in: keyspace, body)
    }

    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        note()
        try base.scan(range, in: keyspace, order: order, body)
    }

    var stateStamp: StateStamp? {
        note()
        return base.stateStamp
    }

    /// True, so that whoever asks goes on to announce keys.
    var prefetches: Bool {
        note()
        return true
    }

    func prefetch(_ keys: [[UInt8]], in keyspace: Keyspace) throws {
        note()
        try base.prefetch(keys, in: keyspace)
    }

    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        note()
        try base.scan(range, in: keyspace, order: order, expecting: count, body)
    }

    func scanKeys(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?, _ body: (_ key: RawSpan) throws -> ScanStep
    ) throws {
        note()
        try base.scanKeys(range, in: keyspace, order: order, expecting: count, body)
    }

    func cursor(in keyspace: Keyspace) throws -> any StorageCursor {
        note()
        return try base.cursor(in: keyspace)
    }

    func count(in keyspace: Keyspace) throws -> Int {
        note()
        return try base.count(in: keyspace)
    }

    func count(of range: KeyRange, in keyspace: Keyspace) throws -> Int {
        note()
        return try base.count(of: range, in: keyspace)
    }

    func withConcurrentReaders(upTo count: Int, _ body: (_ readers: [any StorageReader]) throws -> Void) throws {
        note()
        try base.withConcurrentReaders(upTo: count, body)
    }
}
