import TroveBackendKit
import TroveStorage

/// Counts what changes the store.
final class KillPointWriter: ForwardingWriter {
    let wrappedWriter: any StorageWriter
    private let note: @Sendable () -> Void

    init(_ writer: any StorageWriter, _ note: @escaping @Sendable () -> Void) {
        wrappedWriter = writer
        self.note = note
    }

    func createKeyspace(named name: String) throws -> Keyspace {
        note()
        return try wrappedWriter.createKeyspace(named: name)
    }

    func dropKeyspace(_ keyspace: Keyspace) throws {
        note()
        try wrappedWriter.dropKeyspace(keyspace)
    }

    func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
        note()
        try wrappedWriter.put(key, value, in: keyspace)
    }

    func insert(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool {
        note()
        return try wrappedWriter.insert(key, value, in: keyspace)
    }

    func delete(_ key: RawSpan, in keyspace: Keyspace) throws -> Bool {
        note()
        return try wrappedWriter.delete(key, in: keyspace)
    }

    func deleteRange(_ range: KeyRange, in keyspace: Keyspace) throws -> Int {
        note()
        return try wrappedWriter.deleteRange(range, in: keyspace)
    }

    func savepoint(_ body: () throws -> Void) throws {
        note()
        try wrappedWriter.savepoint(body)
        note()
    }
}
