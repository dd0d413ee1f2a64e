import TroveBackendKit
import TroveStorage
import TroveTesting

/// A write of a ``RemoteBackend``. Entries go through the overlay; keyspaces, of which there are few, to the server at once.
final class RemoteWriter: ForwardingWriter {
    let wrappedWriter: any StorageWriter
    private let state: TransactionState
    private let overlay: WriteOverlay

    init(_ writer: any StorageWriter, state: TransactionState) {
        wrappedWriter = writer
        self.state = state
        overlay = WriteOverlay(over: writer, check: { _ = try writer.cursor(in: $0) }, goneKeyspace: { state.goneKeyspace })
    }

    /// Sends the changes that wait.
    func send() throws {
        try overlay.send { keyspace, changes in
            for change in changes {
                if let value = change.value {
                    try wrappedWriter.put(change.key, value, in: keyspace)
                } else {
                    try wrappedWriter.remove(change.key, in: keyspace)
                }
            }
        }
    }

    func dropKeyspace(_ keyspace: Keyspace) throws {
        try wrappedWriter.dropKeyspace(keyspace)
        overlay.forget(keyspace)
    }

    func savepoint(_ body: () throws -> Void) throws {
        try wrappedWriter.savepoint { () throws -> Void in try overlay.savepoint(body) }
    }

    /// Whether the transaction runs and the keyspace is there. A cursor that is not moved asks the server nothing.
    private func check(_ keyspace: Keyspace) throws { _ = try wrappedWriter.cursor(in: keyspace) }

    private func check(_ key: RawSpan, _ keyspace: Keyspace) throws {
        try check(keyspace)
        try state.checkKey(key)
    }

    // MARK: Reading

    func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        try check(key, keyspace)
        return try overlay.get(key, in: keyspace, body)
    }

    func getMany(_ keys: KeyList, in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> ScanStep) throws {
        try check(keyspace)
        for position in 0..<keys.count { try keys.withKey(at: position) { try state.checkKey($0) } }
        try overlay.getMany(keys, in: keyspace, body)
    }

    var prefetches: Bool { true }

    func prefetch(_ keys: [[UInt8]], in keyspace: Keyspace) throws {
        try check(keyspace)
        overlay.prefetch(keys, in: keyspace)
    }

    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        try scan(range, in: keyspace, order: order, expecting: nil, body)
    }

    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        try check(keyspace)
        try overlay.scan(range, in: keyspace, order: order, expecting: count, body)
    }

    func scanKeys(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?, _ body: (_ key: RawSpan) throws -> ScanStep
    ) throws {
        try check(keyspace)
        try overlay.scanKeys(range, in: keyspace, order: order, expecting: count, body)
    }

    func cursor(in keyspace: Keyspace) throws -> any StorageCursor {
        try check(keyspace)
        return overlay.cursor(in: keyspace)
    }

    func count(in keyspace: Keyspace) throws -> Int { try count(of: .all, in: keyspace) }

    func count(of range: KeyRange, in keyspace: Keyspace) throws -> Int {
        try check(keyspace)
        return try overlay.count(of: range, in: keyspace)
    }

    // MARK: Changing

    func put(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws {
        try check(key, keyspace)
        try state.checkValue(value)
        overlay.put(key, value, in: keyspace)
        if overlay.size > 16 << 20 { try send() }
    }

    func insert(_ key: RawSpan, _ value: RawSpan, in keyspace: Keyspace) throws -> Bool {
        try check(key, keyspace)
        try state.checkValue(value)
        return try overlay.insert(key, value, in: keyspace)
    }

    func delete(_ key: RawSpan, in keyspace: Keyspace) throws -> Bool {
        try check(key, keyspace)
        return try overlay.delete(key, in: keyspace)
    }

    func remove(_ key: RawSpan, in keyspace: Keyspace) throws {
        try check(key, keyspace)
        overlay.remove(key, in: keyspace)
    }

    func deleteRange(_ range: KeyRange, in keyspace: Keyspace) throws -> Int {
        try check(keyspace)
        return try overlay.deleteRangeInBase(range, in: keyspace) { try wrappedWriter.deleteRange($0, in: keyspace) }
    }
}
