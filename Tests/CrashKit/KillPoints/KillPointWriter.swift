import TroveBackendKit
import TroveStorage
import TroveTesting

/// Counts what changes the store.
final class KillPointWriter: ForwardingWriter {
    let wrappedWriter: any StorageWriter
    private let counter: OperationCounter

    init(_ writer: any StorageWriter, _ counter: OperationCounter) {
        wrappedWriter = writer
        self.counter = counter
    }

    func createKeyspace(named name: String) throws -> Keyspace {
        counter.count()
        return try wrappedWriter.createKeyspace(named: name)
    }

    func dropKeyspace(_ keyspace: Keyspace) throws {
        counter.count()
        try wrappedWriter.dropKeyspace(keyspace)
    }

    func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
        counter.count()
        try wrappedWriter.put(key, value, in: keyspace)
    }

    func insert(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool {
        counter.count()
        return try wrappedWriter.insert(key, value, in: keyspace)
    }

    func delete(_ key: RawSpan, in keyspace: Keyspace) throws -> Bool {
        counter.count()
        return try wrappedWriter.delete(key, in: keyspace)
    }

    func deleteRange(_ range: KeyRange, in keyspace: Keyspace) throws -> Int {
        counter.count()
        return try wrappedWriter.deleteRange(range, in: keyspace)
    }

    func savepoint(_ body: () throws -> Void) throws {
        counter.count()
        try wrappedWriter.savepoint(body)
        counter.count()
    }
}
