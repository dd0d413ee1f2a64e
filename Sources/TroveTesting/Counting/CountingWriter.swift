import TroveBackendKit
import TroveStorage

/// The writing side of a ``CountingBackend``.
final class CountingWriter: CountingReader, ForwardingWriter {
    let wrappedWriter: any StorageWriter
    /// Whether there is something to commit.
    private(set) var hasChanges = false

    init(_ writer: any StorageWriter, _ backend: CountingBackend) {
        wrappedWriter = writer
        super.init(writer, backend)
    }

    func createKeyspace(named name: String) throws -> Keyspace {
        backend.countName(name)
        if handles[Array(name.utf8)] == nil, try wrappedWriter.keyspace(named: name) == nil { hasChanges = true }
        return handle(try wrappedWriter.createKeyspace(named: name), name)
    }

    func dropKeyspace(_ keyspace: Keyspace) throws {
        backend.count(.keyspace)
        hasChanges = true
        try wrappedWriter.dropKeyspace(keyspace)
        handles = handles.filter { $0.value != keyspace }
    }

    func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
        try wrappedWriter.put(key, value, in: keyspace)
        note([UInt8](copying: key), keyspace)
    }

    func insert(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool {
        let copy = [UInt8](copying: key)
        if known.ask([copy], keyspace.number) { backend.count(.change) }
        let isStored = try wrappedWriter.insert(key, value, in: keyspace)
        note(copy, keyspace, isChange: isStored)
        return isStored
    }

    func delete(_ key: RawSpan, in keyspace: Keyspace) throws -> Bool {
        let copy = [UInt8](copying: key)
        if known.ask([copy], keyspace.number) { backend.count(.change) }
        let isDeleted = try wrappedWriter.delete(key, in: keyspace)
        note(copy, keyspace, isChange: isDeleted)
        return isDeleted
    }

    func remove(_ key: RawSpan, in keyspace: Keyspace) throws {
        let copy = [UInt8](copying: key)
        try wrappedWriter.remove(key, in: keyspace)
        note(copy, keyspace)
    }

    func deleteRange(_ range: KeyRange, in keyspace: Keyspace) throws -> Int {
        if !range.isEmpty { backend.count(.change) }
        let count = try wrappedWriter.deleteRange(range, in: keyspace)
        if count > 0 { hasChanges = true }
        return count
    }

    func savepoint(_ body: () throws -> Void) throws {
        let before = (handles: handles, mark: known.mark, hasChanges: hasChanges)
        do {
            try wrappedWriter.savepoint(body)
        } catch {
            (handles, hasChanges) = (before.handles, before.hasChanges)
            known.undo(to: before.mark)
            throw error
        }
    }

    /// Takes note of a key whose value is known from now on.
    private func note(_ key: [UInt8], _ keyspace: Keyspace, isChange: Bool = true) {
        known.write(key, keyspace.number)
        if isChange { hasChanges = true }
    }
}
