import TroveMemory
import TroveStorage

/// A memory engine that notes which requirements are called. It has each of them itself, as a default of the protocol would be called in silence.
final class RecordingBackend: StorageBackend {
    private let base = MemoryBackend()
    private let log: CallLog

    init(_ log: CallLog) { self.log = log }

    private func note(_ function: String = #function) { log.note("StorageBackend", function) }

    var capabilities: StorageCapabilities {
        note()
        return base.capabilities
    }

    var path: String {
        note()
        return base.path
    }

    var sharedEngine: any AnyObject & Sendable {
        note()
        return base.sharedEngine
    }

    var tokenSealer: (any TokenSealer)? {
        note()
        return base.tokenSealer
    }

    var writeRefusal: StorageError? {
        note()
        return base.writeRefusal
    }

    func read(_ body: (any StorageReader) throws -> Void) throws {
        note()
        try base.read { try body(RecordingReader($0, log)) }
    }

    func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        note()
        try base.write(durability) { try body(RecordingWriter($0, log)) }
    }

    func synchronize() throws {
        note()
        try base.synchronize()
    }

    /// Makes nothing: a store in memory has no file to copy.
    func backUp(to destination: String) throws { note() }

    func compact() throws {
        note()
        try base.compact()
    }

    func checkStructure() throws {
        note()
        try base.checkStructure()
    }

    func statistics() throws -> StorageStatistics {
        note()
        return try base.statistics()
    }

    func close() throws {
        note()
        try base.close()
    }
}
