import TroveStorage

/// Passes everything on and counts what changes the store.
final class KillPointWriter: StorageWriter {
    private let writer: any StorageWriter
    private let counter: OperationCounter

    init(_ writer: any StorageWriter, _ counter: OperationCounter) {
        self.writer = writer
        self.counter = counter
    }

    // MARK: Reading

    func keyspace(named name: String) throws -> Keyspace? { try writer.keyspace(named: name) }
    func keyspaceNames() throws -> [String] { try writer.keyspaceNames() }

    func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        try writer.get(key, in: keyspace, body)
    }

    func getMany(_ keys: [[UInt8]], in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> Void) throws {
        try writer.getMany(keys, in: keyspace, body)
    }

    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        try writer.scan(range, in: keyspace, order: order, body)
    }

    func cursor(in keyspace: Keyspace) throws -> any StorageCursor { try writer.cursor(in: keyspace) }
    func count(in keyspace: Keyspace) throws -> Int { try writer.count(in: keyspace) }

    // MARK: Changing

    func createKeyspace(named name: String) throws -> Keyspace {
        counter.count()
        return try writer.createKeyspace(named: name)
    }

    func dropKeyspace(_ keyspace: Keyspace) throws {
        counter.count()
        try writer.dropKeyspace(keyspace)
    }

    func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
        counter.count()
        try writer.put(key, value, in: keyspace)
    }

    func insert(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool {
        counter.count()
        return try writer.insert(key, value, in: keyspace)
    }

    func delete(_ key: RawSpan, in keyspace: Keyspace) throws -> Bool {
        counter.count()
        return try writer.delete(key, in: keyspace)
    }

    func deleteRange(_ range: KeyRange, in keyspace: Keyspace) throws -> Int {
        counter.count()
        return try writer.deleteRange(range, in: keyspace)
    }

    func savepoint(_ body: () throws -> Void) throws {
        counter.count()
        try writer.savepoint(body)
        counter.count()
    }
}
