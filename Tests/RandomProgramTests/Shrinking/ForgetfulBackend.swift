import Synchronization
import TroveBackendKit
import TroveStorage
import TroveTesting

/// A backend with a bug: of the deletions inside savepoints it says of every seventh that it was done, and does nothing.
final class ForgetfulBackend: ForwardingBackend {
    let wrappedBackend: any StorageBackend
    private let deletions = Mutex(0)

    init(_ backend: any StorageBackend) { wrappedBackend = backend }

    func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        try wrappedBackend.write(durability) { try body(ForgetfulWriter($0, self)) }
    }

    /// Counts a deletion in a savepoint; true for every seventh.
    fileprivate func forgets() -> Bool {
        deletions.withLock { deletions in
            deletions += 1
            return deletions.isMultiple(of: 7)
        }
    }
}

private final class ForgetfulWriter: ForwardingWriter {
    let wrappedWriter: any StorageWriter
    private let backend: ForgetfulBackend
    private var depth = 0

    init(_ writer: any StorageWriter, _ backend: ForgetfulBackend) {
        wrappedWriter = writer
        self.backend = backend
    }

    func delete(_ key: RawSpan, in keyspace: Keyspace) throws -> Bool {
        guard depth > 0, backend.forgets() else { return try wrappedWriter.delete(key, in: keyspace) }
        return try wrappedWriter.get(key, in: keyspace) { _ in }
    }

    func savepoint(_ body: () throws -> Void) throws {
        depth += 1
        defer { depth -= 1 }
        try wrappedWriter.savepoint(body)
    }
}
