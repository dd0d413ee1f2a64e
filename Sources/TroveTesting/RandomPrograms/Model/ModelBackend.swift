import Synchronization
import TroveStorage

/// The storage contract over plain dictionaries of sorted arrays, without a thought of speed: what engines are compared with.
final class ModelBackend: StorageBackend {
    private let contents = Mutex<[String: SortedModel]>([:])

    var path: String { "the model" }

    var capabilities: StorageCapabilities {
        StorageCapabilities(
            engine: "model", engineVersion: "1", readersDuringWrite: .proceed, canReadInsideWrite: true, canWriteInsideRead: true,
            sharing: .oneProcess, countsInConstantTime: true, maxKeyspaces: .max, promises: [:])
    }

    func read(_ body: (any StorageReader) throws -> Void) throws {
        try body(ModelWriter(contents.withLock { $0 }))
    }

    func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        let writer = ModelWriter(contents.withLock { $0 })
        try body(writer)
        contents.withLock { $0 = writer.contents }
    }

    func synchronize() throws {}

    func backUp(to destination: String) throws { throw StorageError.unsupported(ModelWriter.details("the model has no file")) }

    func compact() throws {}

    func statistics() throws -> StorageStatistics {
        StorageStatistics(fileSize: 0, freeSize: 0, keyspaceCount: contents.withLock(\.count), activeReaders: 0)
    }

    func close() throws {}
}
