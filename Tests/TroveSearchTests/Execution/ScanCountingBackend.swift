import Synchronization
import TroveBackendKit
import TroveStorage

/// Counts the entries that scans of readers meet, by the names of the keyspaces.
final class ScanCountingBackend: ForwardingBackend {
    let wrappedBackend: any StorageBackend
    private let counts = Mutex<[String: Int]>([:])

    init(_ backend: any StorageBackend) { wrappedBackend = backend }

    /// How many entries of a keyspace were met since the last reset.
    func met(in name: String) -> Int { counts.withLock { $0[name] ?? 0 } }

    func reset() { counts.withLock { $0 = [:] } }

    fileprivate func note(_ name: String) { counts.withLock { $0[name, default: 0] += 1 } }

    func read(_ body: (any StorageReader) throws -> Void) throws {
        try wrappedBackend.read { try body(ScanCountingReader($0, self)) }
    }
}

private final class ScanCountingReader: ForwardingReader {
    let wrappedReader: any StorageReader
    private let backend: ScanCountingBackend
    private var names: [Keyspace: String] = [:]

    init(_ reader: any StorageReader, _ backend: ScanCountingBackend) { (wrappedReader, self.backend) = (reader, backend) }

    func keyspace(named name: String) throws -> Keyspace? {
        let keyspace = try wrappedReader.keyspace(named: name)
        if let keyspace { names[keyspace] = name }
        return keyspace
    }

    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        let name = names[keyspace] ?? "?"
        try wrappedReader.scan(range, in: keyspace, order: order) { key, value in
            backend.note(name)
            return try body(key, value)
        }
    }

    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        let name = names[keyspace] ?? "?"
        try wrappedReader.scan(range, in: keyspace, order: order, expecting: count) { key, value in
            backend.note(name)
            return try body(key, value)
        }
    }

    func scanKeys(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?, _ body: (_ key: RawSpan) throws -> ScanStep
    ) throws {
        let name = names[keyspace] ?? "?"
        try wrappedReader.scanKeys(range, in: keyspace, order: order, expecting: count) { key in
            backend.note(name)
            return try body(key)
        }
    }
}
