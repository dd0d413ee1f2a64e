import Synchronization
import TroveBackendKit
import TroveStorage
import TroveTesting

/// Counts what another backend is asked for in keyspaces of records, and lets a test stop its reads.
public final class CallCountingBackend: ForwardingBackend {
    public let wrappedBackend: any StorageBackend
    public let counts = CallCounts()
    private let beforeRead = Mutex<(@Sendable () -> Void)?>(nil)

    public init(_ backend: any StorageBackend) { wrappedBackend = backend }

    /// Runs on the thread of each read, before it begins; nil for nothing.
    public func setBeforeRead(_ body: (@Sendable () -> Void)?) { beforeRead.withLock { $0 = body } }

    public func read(_ body: (any StorageReader) throws -> Void) throws {
        beforeRead.withLock { $0 }?()
        counts.note(.read)
        try wrappedBackend.read { try body(CountingReader($0, counts)) }
    }

    public func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        try wrappedBackend.write(durability) { try body(CountingWriter($0, counts)) }
        counts.note(.commit)
    }
}

/// Trove's own keyspaces begin with this mark; what it looks up there is not counted.
private func isOfRecords(_ name: String) -> Bool { name.first != "$" }

private final class CountingReader: ForwardingReader {
    let wrappedReader: any StorageReader
    private let counts: CallCounts
    private var own: Set<Keyspace> = []

    init(_ reader: any StorageReader, _ counts: CallCounts) {
        wrappedReader = reader
        self.counts = counts
    }

    func keyspace(named name: String) throws -> Keyspace? {
        let keyspace = try wrappedReader.keyspace(named: name)
        if let keyspace, !isOfRecords(name) { own.insert(keyspace) }
        return keyspace
    }

    func count(in keyspace: Keyspace) throws -> Int {
        if !own.contains(keyspace) { counts.note(.count) }
        return try wrappedReader.count(in: keyspace)
    }

    func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        if !own.contains(keyspace) { counts.note(.get) }
        return try wrappedReader.get(key, in: keyspace, body)
    }
}

private final class CountingWriter: ForwardingWriter {
    let wrappedWriter: any StorageWriter
    private let counts: CallCounts
    private var own: Set<Keyspace> = []

    init(_ writer: any StorageWriter, _ counts: CallCounts) {
        wrappedWriter = writer
        self.counts = counts
    }

    private func note(_ call: CallCounts.Call, _ keyspace: Keyspace, _ count: Int = 1) {
        if !own.contains(keyspace) { counts.note(call, count) }
    }

    func keyspace(named name: String) throws -> Keyspace? {
        let keyspace = try wrappedWriter.keyspace(named: name)
        if let keyspace, !isOfRecords(name) { own.insert(keyspace) }
        return keyspace
    }

    func createKeyspace(named name: String) throws -> Keyspace {
        let keyspace = try wrappedWriter.createKeyspace(named: name)
        if !isOfRecords(name) { own.insert(keyspace) }
        return keyspace
    }

    func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        note(.get, keyspace)
        return try wrappedWriter.get(key, in: keyspace, body)
    }

    func getMany(_ keys: KeyList, in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> ScanStep) throws {
        note(.getOfMany, keyspace, keys.count)
        try wrappedWriter.getMany(keys, in: keyspace, body)
    }

    func insert(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool {
        let isNew = try wrappedWriter.insert(key, value, in: keyspace)
        note(isNew ? .insert : .refusedInsert, keyspace)
        return isNew
    }

    func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
        note(.put, keyspace)
        try wrappedWriter.put(key, value, in: keyspace)
    }

    func delete(_ key: RawSpan, in keyspace: Keyspace) throws -> Bool {
        note(.delete, keyspace)
        return try wrappedWriter.delete(key, in: keyspace)
    }
}
