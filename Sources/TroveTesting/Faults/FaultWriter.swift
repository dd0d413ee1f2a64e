import TroveBackendKit
import TroveStorage

/// A writer whose calls may fail.
final class FaultWriter: FaultReading, ForwardingWriter {
    let wrappedWriter: any StorageWriter
    let gate: FaultGate

    init(_ writer: any StorageWriter, _ gate: FaultGate) {
        wrappedWriter = writer
        self.gate = gate
    }

    func createKeyspace(named name: String) throws -> Keyspace {
        try gate.pass(.keyspace)
        return try wrappedWriter.createKeyspace(named: name)
    }

    func dropKeyspace(_ keyspace: Keyspace) throws {
        try gate.pass(.keyspace)
        try wrappedWriter.dropKeyspace(keyspace)
    }

    func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
        try gate.pass(.change)
        try wrappedWriter.put(key, value, in: keyspace)
    }

    func insert(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool {
        try gate.pass(.change)
        return try wrappedWriter.insert(key, value, in: keyspace)
    }

    func delete(_ key: RawSpan, in keyspace: Keyspace) throws -> Bool {
        try gate.pass(.change)
        return try wrappedWriter.delete(key, in: keyspace)
    }

    func remove(_ key: RawSpan, in keyspace: Keyspace) throws {
        try gate.pass(.change)
        try wrappedWriter.remove(key, in: keyspace)
    }

    func deleteRange(_ range: KeyRange, in keyspace: Keyspace) throws -> Int {
        try gate.pass(.change)
        return try wrappedWriter.deleteRange(range, in: keyspace)
    }

    func savepoint(_ body: () throws -> Void) throws { try gate.savepoint(body, in: wrappedWriter) }
}
