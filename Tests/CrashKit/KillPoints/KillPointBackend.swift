import TroveStorage

/// An engine below which the process can be ended between any two storage operations: between a record and its index entry, between the
/// savepoints of a group, before a commit, and after it before anybody is told.
final class KillPointBackend: StorageBackend {
    private let backend: any StorageBackend
    private let counter: OperationCounter

    init(_ backend: any StorageBackend, _ counter: OperationCounter) {
        self.backend = backend
        self.counter = counter
    }

    var capabilities: StorageCapabilities { backend.capabilities }
    var path: String { backend.path }

    func read(_ body: (any StorageReader) throws -> Void) throws { try backend.read(body) }

    func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        try backend.write(durability) { (writer: any StorageWriter) throws -> Void in
            counter.count()
            try body(KillPointWriter(writer, counter))
            counter.count()
        }
        counter.count()
    }

    func synchronize() throws { try backend.synchronize() }
    func backUp(to destination: String) throws { try backend.backUp(to: destination) }
    func compact() throws { try backend.compact() }
    func statistics() throws -> StorageStatistics { try backend.statistics() }
    func close() throws { try backend.close() }
}
