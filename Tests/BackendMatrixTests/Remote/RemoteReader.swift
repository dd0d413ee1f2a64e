import TroveBackendKit
import TroveStorage
import TroveTesting

/// A read of a ``RemoteBackend``: answers what was announced without asking again.
final class RemoteReader: ForwardingReader {
    let wrappedReader: any StorageReader
    private let state: TransactionState
    private let announced: AnnouncedKeys

    init(_ reader: any StorageReader, state: TransactionState) {
        wrappedReader = reader
        self.state = state
        announced = AnnouncedKeys(reader: reader)
    }

    /// Whether the transaction runs and the keyspace is of it. A cursor that is not moved asks the server nothing.
    private func check(_ keyspace: Keyspace) throws { _ = try wrappedReader.cursor(in: keyspace) }

    var prefetches: Bool { true }

    func prefetch(_ keys: [[UInt8]], in keyspace: Keyspace) throws {
        try check(keyspace)
        announced.announce(keys, in: keyspace)
    }

    func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        try check(keyspace)
        try state.checkKey(key)
        switch try announced.answer([UInt8](copying: key), in: keyspace) {
        case .unknown: return try wrappedReader.get(key, in: keyspace, body)
        case .value(let value):
            guard let value else { return false }
            try body(value.span.bytes)
            return true
        }
    }
}
