import Synchronization
import TroveBackendKit
import TroveStorage

/// An engine that remembers each value that was ever put into it, also those of transactions that were rolled back.
final class RecordingBackend: ForwardingBackend {
    let wrappedBackend: any StorageBackend
    private let recorded = Mutex<[(key: [UInt8], value: [UInt8])]>([])

    init(_ backend: any StorageBackend) { wrappedBackend = backend }

    var puts: [(key: [UInt8], value: [UInt8])] { recorded.withLock { $0 } }

    func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        try wrappedBackend.write(durability) { try body(RecordingWriter($0, self)) }
    }

    private final class RecordingWriter: ForwardingWriter {
        let wrappedWriter: any StorageWriter
        private let backend: RecordingBackend

        init(_ writer: any StorageWriter, _ backend: RecordingBackend) { (wrappedWriter, self.backend) = (writer, backend) }

        func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
            let put = (key: [UInt8](copying: key), value: [UInt8](copying: value))
            backend.recorded.withLock { $0.append(put) }
            try wrappedWriter.put(key, value, in: keyspace)
        }
    }
}
