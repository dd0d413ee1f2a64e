import TroveBackendKit
import TroveMemory
import TroveStorage
import TroveTesting

/// A backend as one for a database server is written: it keeps a write's changes in a ``WriteOverlay`` and sends them before the
/// commit. Its server is in this process, and a counting backend is the connection.
final class RemoteBackend: ForwardingBackend {
    static let engine = "memory server"

    let connection: CountingBackend
    private let name: String

    init(name: String, timeout: Duration = .seconds(60)) {
        self.name = name
        RemoteServer.shared.createStore(name)
        connection = CountingBackend(MemoryBackend(name: name, writerTimeout: timeout))
    }

    var wrappedBackend: any StorageBackend { connection }

    var capabilities: StorageCapabilities {
        var capabilities = connection.capabilities
        capabilities.sharing = .manyMachines
        capabilities.promises = Dictionary(uniqueKeysWithValues: Durability.allCases.map { ($0, .cleanClose) })
        return capabilities
    }

    func read(_ body: (any StorageReader) throws -> Void) throws {
        try connection.read { (reader: any StorageReader) throws -> Void in try body(RemoteReader(reader, state: state())) }
    }

    func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        try connection.write(durability) { (writer: any StorageWriter) throws -> Void in
            let writer = RemoteWriter(writer, state: state())
            try body(writer)
            try writer.send()
        }
    }

    func backUp(to destination: String) throws {
        try connection.read { (reader: any StorageReader) throws -> Void in
            try RemoteServer.shared.createStore(destination) { copy in
                for name in try reader.keyspaceNames() {
                    guard let source = try reader.keyspace(named: name) else { continue }
                    let target = try copy.createKeyspace(named: name)
                    try reader.scan(in: source) { key, value in
                        try copy.put(key, value, in: target)
                        return .next
                    }
                }
            }
        }
    }

    /// What arguments are checked with.
    private func state() -> TransactionState {
        TransactionState(
            engine: capabilities.engine, path: name, maxKeySize: StorageLimits.maxKeySize, maxValueSize: StorageLimits.maxValueSize)
    }
}
