import Synchronization
import TroveBackendKit
import TroveStorage

/// An engine in which something else happens while the values of several keys are read from one keyspace, before the first of them; it counts those values.
public final class InterveningReadBackend: ForwardingBackend {
    public let wrappedBackend: any StorageBackend
    private let name: String
    private let values = Atomic(0)
    private let intervention = Mutex<(@Sendable () -> Void)?>(nil)

    /// - Parameter name: that of the keyspace.
    public init(_ backend: any StorageBackend, at name: String) {
        wrappedBackend = backend
        self.name = name
    }

    /// Runs `body` during the next read of several keys, and counts from 0 on.
    public func intervene(_ body: @escaping @Sendable () -> Void) {
        values.store(0, ordering: .relaxed)
        intervention.withLock { $0 = body }
    }

    /// How many values were handed over since then.
    public var valueCount: Int { values.load(ordering: .relaxed) }

    public func read(_ body: (any StorageReader) throws -> Void) throws {
        try wrappedBackend.read { try body(Reader($0, self)) }
    }

    private func handOver() {
        if let due = intervention.withLock({ $0.take() }) { due() }
        values.add(1, ordering: .relaxed)
    }

    private final class Reader: ForwardingReader {
        let wrappedReader: any StorageReader
        private let backend: InterveningReadBackend
        private var watched: Keyspace?

        init(_ reader: any StorageReader, _ backend: InterveningReadBackend) { (wrappedReader, self.backend) = (reader, backend) }

        func keyspace(named name: String) throws -> Keyspace? {
            let keyspace = try wrappedReader.keyspace(named: name)
            if name == backend.name { watched = keyspace }
            return keyspace
        }

        func getMany(_ keys: KeyList, in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> ScanStep) throws {
            guard keyspace == watched else { return try wrappedReader.getMany(keys, in: keyspace, body) }
            try wrappedReader.getMany(keys, in: keyspace) { position, value in
                backend.handOver()
                return try body(position, value)
            }
        }
    }
}
