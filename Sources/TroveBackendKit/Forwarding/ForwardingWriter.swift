import TroveStorage

/// A writer that forwards every call to another one; see ``ForwardingReader``.
public protocol ForwardingWriter: ForwardingReader, StorageWriter {
    /// The writer that does the work.
    var wrappedWriter: any StorageWriter { get }
}

extension ForwardingWriter {
    public var wrappedReader: any StorageReader { wrappedWriter }

    public func createKeyspace(named name: String) throws -> Keyspace { try wrappedWriter.createKeyspace(named: name) }

    public func dropKeyspace(_ keyspace: Keyspace) throws { try wrappedWriter.dropKeyspace(keyspace) }

    public func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws { try wrappedWriter.put(key, value, in: keyspace) }

    public func insert(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool {
        try wrappedWriter.insert(key, value, in: keyspace)
    }

    @discardableResult
    public func delete(_ key: RawSpan, in keyspace: Keyspace) throws -> Bool { try wrappedWriter.delete(key, in: keyspace) }

    /// Forwards to the wrapped writer.
    public func remove(_ key: RawSpan, in keyspace: Keyspace) throws { try wrappedWriter.remove(key, in: keyspace) }

    @discardableResult
    public func deleteRange(_ range: KeyRange, in keyspace: Keyspace) throws -> Int { try wrappedWriter.deleteRange(range, in: keyspace) }

    public func savepoint(_ body: () throws -> Void) throws { try wrappedWriter.savepoint(body) }
}
