import TroveStorage

/// A cursor that counts the pages it would have asked for.
final class CountingCursor: StorageCursor {
    private let cursor: any StorageCursor
    private let backend: CountingBackend
    private var direction: ScanOrder?
    /// How many entries of the page are left in that direction.
    private var left = 0
    private var pageSize = CountingBackend.cursorPageSize

    init(_ cursor: any StorageCursor, _ backend: CountingBackend) {
        self.cursor = cursor
        self.backend = backend
    }

    func seek(to key: RawSpan) throws -> Bool {
        begin(.ascending)
        return try cursor.seek(to: key)
    }

    func seekToLast() throws -> Bool {
        begin(.descending)
        return try cursor.seekToLast()
    }

    func next() throws -> Bool {
        step(.ascending)
        return try cursor.next()
    }

    func previous() throws -> Bool {
        step(.descending)
        return try cursor.previous()
    }

    func withEntry(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws -> Bool { try cursor.withEntry(body) }

    private func begin(_ order: ScanOrder) {
        direction = order
        pageSize = CountingBackend.cursorPageSize
        backend.count(.scan)
        left = pageSize - 1
    }

    private func step(_ order: ScanOrder) {
        if direction != order { return begin(order) }
        if left == 0 {
            backend.count(.scan)
            pageSize = min(pageSize * 8, CountingBackend.pageSize)
            left = pageSize
        }
        left -= 1
    }
}
