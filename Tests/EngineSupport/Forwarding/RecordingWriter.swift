import TroveStorage

/// The writing side of a ``RecordingBackend``.
final class RecordingWriter: RecordingReader, StorageWriter {
    private let writer: any StorageWriter
    override class var type: String { "StorageWriter" }

    init(_ writer: any StorageWriter, _ log: CallLog) {
        self.writer = writer
        super.init(writer, log)
    }

    func createKeyspace(named name: String) throws -> Keyspace {
        note()
        return try writer.createKeyspace(named: name)
    }

    func dropKeyspace(_ keyspace: Keyspace) throws {
        note()
        try writer.dropKeyspace(keyspace)
    }

    func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
        note()
        try writer.put(key, value, in: keyspace)
    }

    func insert(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool {
        note()
        return try writer.insert(key, value, in: keyspace)
    }

    func delete(_ key: RawSpan, in keyspace: Keyspace) throws -> Bool {
        note()
        return try writer.delete(key, in: keyspace)
    }

    func remove(_ key: RawSpan, in keyspace: Keyspace) throws {
        note()
        try writer.remove(key, in: keyspace)
    }

    func deleteRange(_ range: KeyRange, in keyspace: Keyspace) throws -> Int {
        note()
        return try writer.deleteRange(range, in: keyspace)
    }

    func savepoint(_ body: () throws -> Void) throws {
        note()
        try writer.savepoint(body)
    }
}
