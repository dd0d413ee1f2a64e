import TroveBackendKit
import TroveStorage

/// Counts what a search reads.
final class CountedReader: ForwardingReader {
    let wrappedReader: any StorageReader
    /// Entries looked up, met in scans, or gone to with a cursor.
    private(set) var visits = 0
    private(set) var cursors = 0

    init(_ reader: any StorageReader) { wrappedReader = reader }

    func reset() { (visits, cursors) = (0, 0) }

    fileprivate func visit() { visits += 1 }

    func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        visit()
        return try wrappedReader.get(key, in: keyspace, body)
    }

    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        try wrappedReader.scan(range, in: keyspace, order: order) { key, value in
            visit()
            return try body(key, value)
        }
    }

    func cursor(in keyspace: Keyspace) throws -> any StorageCursor {
        cursors += 1
        return CountedCursor(try wrappedReader.cursor(in: keyspace), self)
    }
}

private final class CountedCursor: StorageCursor {
    private let cursor: any StorageCursor
    private let reader: CountedReader

    init(_ cursor: any StorageCursor, _ reader: CountedReader) { (self.cursor, self.reader) = (cursor, reader) }

    func seek(to key: RawSpan) throws -> Bool {
        reader.visit()
        return try cursor.seek(to: key)
    }

    func seekToLast() throws -> Bool {
        reader.visit()
        return try cursor.seekToLast()
    }

    func next() throws -> Bool {
        reader.visit()
        return try cursor.next()
    }

    func previous() throws -> Bool {
        reader.visit()
        return try cursor.previous()
    }

    func withEntry(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws -> Bool { try cursor.withEntry(body) }
}
