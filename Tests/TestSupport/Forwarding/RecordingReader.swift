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

    func getMany(_ keys: [[UInt8]], in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> Void) throws {
        note()
        try base.getMany(keys, in: keyspace, body)
    }

    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        note()
        try base.scan(range, in: keyspace, order: order, body)
    }

    func cursor(in keyspace: Keyspace) throws -> any StorageCursor {
        note()
        return try base.cursor(in: keyspace)
    }

    func count(in keyspace: Keyspace) throws -> Int {
        note()
        return try base.count(in: keyspace)
    }
}
