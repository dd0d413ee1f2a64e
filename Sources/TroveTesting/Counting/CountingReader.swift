import TroveBackendKit
import TroveStorage

/// The reading side of a ``CountingBackend``.
class CountingReader: ForwardingReader {
    final let wrappedReader: any StorageReader
    final let backend: CountingBackend
    final var known = KnownKeys()
    /// The handles given out: the same one for the same keyspace, so that keys are known by any of them. By the bytes of names, as two
    /// strings are equal when they look alike.
    final var handles: [[UInt8]: Keyspace] = [:]

    init(_ reader: any StorageReader, _ backend: CountingBackend) {
        wrappedReader = reader
        self.backend = backend
    }

    /// nil, as engines far away mostly have none: what is looked up without is counted.
    final var stateStamp: StateStamp? { nil }

    final func keyspace(named name: String) throws -> Keyspace? {
        backend.countName(name)
        return try wrappedReader.keyspace(named: name).map { handle($0, name) }
    }

    final func handle(_ keyspace: Keyspace, _ name: String) -> Keyspace {
        if let handle = handles[Array(name.utf8)] { return handle }
        handles[Array(name.utf8)] = keyspace
        return keyspace
    }

    final func keyspaceNames() throws -> [String] {
        backend.count(.keyspace)
        return try wrappedReader.keyspaceNames()
    }

    final func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        if known.ask([[UInt8](copying: key)], keyspace.number) { backend.count(.get) }
        return try wrappedReader.get(key, in: keyspace, body)
    }

    final func getMany(_ keys: KeyList, in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> ScanStep) throws {
        if known.ask((0..<keys.count).map { keys[$0] }, keyspace.number) { backend.count(.get) }
        try wrappedReader.getMany(keys, in: keyspace, body)
    }

    final var prefetches: Bool { true }

    final func prefetch(_ keys: [[UInt8]], in keyspace: Keyspace) throws {
        known.announce(keys, keyspace.number)
        if wrappedReader.prefetches { try wrappedReader.prefetch(keys, in: keyspace) }
    }

    final func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        var pages = CountedPages(of: range, expecting: nil, backend)
        try wrappedReader.scan(range, in: keyspace, order: order) { key, value in
            pages.take()
            return try body(key, value)
        }
    }

    final func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        var pages = CountedPages(of: range, expecting: count, backend)
        try wrappedReader.scan(range, in: keyspace, order: order, expecting: count) { key, value in
            pages.take()
            return try body(key, value)
        }
    }

    final func scanKeys(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?, _ body: (_ key: RawSpan) throws -> ScanStep
    ) throws {
        var pages = CountedPages(of: range, expecting: count, backend)
        try wrappedReader.scanKeys(range, in: keyspace, order: order, expecting: count) { key in
            pages.take()
            return try body(key)
        }
    }

    final func cursor(in keyspace: Keyspace) throws -> any StorageCursor {
        CountingCursor(try wrappedReader.cursor(in: keyspace), backend)
    }

    final func count(in keyspace: Keyspace) throws -> Int {
        backend.count(.count)
        return try wrappedReader.count(in: keyspace)
    }

    final func count(of range: KeyRange, in keyspace: Keyspace) throws -> Int {
        if !range.isEmpty { backend.count(.count) }
        return try wrappedReader.count(of: range, in: keyspace)
    }
}

/// The pages that a scan asks for.
private struct CountedPages {
    private let backend: CountingBackend
    /// How many entries of the pages so far are left.
    private var left: Int

    init(of range: KeyRange, expecting count: Int?, _ backend: CountingBackend) {
        self.backend = backend
        left = count.map { max($0, 1) } ?? CountingBackend.pageSize
        if !range.isEmpty { backend.count(.scan) }
    }

    mutating func take() {
        if left == 0 {
            backend.count(.scan)
            left = CountingBackend.pageSize
        }
        left -= 1
    }
}
