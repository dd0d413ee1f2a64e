import TroveBackendKit
import TroveStorage
import TroveTesting

/// An engine that refuses values above a limit which is small, so that a test meets it without gigabytes.
public final class SmallValueBackend: ForwardingBackend {
    public static let limit = 1 << 16
    public let wrappedBackend: any StorageBackend

    public init(_ backend: any StorageBackend) { wrappedBackend = backend }

    public func write(_ durability: Durability, _ body: (any StorageWriter) throws -> Void) throws {
        try wrappedBackend.write(durability) { try body(Writer(wrappedWriter: $0, backend: self)) }
    }

    private final class Writer: ForwardingWriter {
        let wrappedWriter: any StorageWriter
        let backend: SmallValueBackend

        init(wrappedWriter: any StorageWriter, backend: SmallValueBackend) {
            (self.wrappedWriter, self.backend) = (wrappedWriter, backend)
        }

        func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
            try check(value)
            try wrappedWriter.put(key, value, in: keyspace)
        }

        func insert(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool {
            try check(value)
            return try wrappedWriter.insert(key, value, in: keyspace)
        }

        private func check(_ value: RawSpan) throws {
            guard value.byteCount > SmallValueBackend.limit else { return }
            throw StorageError.valueTooLarge(
                .init(engine: backend.capabilities.engine, path: backend.path, message: "\(value.byteCount) bytes are too many", code: nil))
        }
    }
}
