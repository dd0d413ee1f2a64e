/// Entries of the history, put together from the chunks that a scan meets.
struct HistoryRun {
    /// An entry as it is stored.
    struct Entry {
        let token: HistoryToken
        var header: HistoryChunk.Header
        var changes: [HistoryChunk.Change]
    }

    /// The entries with changes that are wanted.
    private(set) var entries: [Entry] = []
    /// The place behind the last entry that was looked at.
    private(set) var next: HistoryToken
    private var chunk: UInt32 = 0
    /// Whether the last chunk ended its entry.
    private var isAtEnd = true
    private var size = 0

    init(after token: HistoryToken) { next = token }

    /// One that goes on with this chunk, whatever was before it.
    init(before place: (number: UInt64, chunk: UInt32)) {
        next = HistoryToken(number: place.chunk == 0 ? place.number - 1 : place.number, stamp: 0)
        chunk = place.chunk &- 1
        isAtEnd = place.chunk == 0
    }

    /// Adds the next chunk; false when it belongs to an entry that does not fit any more.
    ///
    /// - Throws: ``TroveError/corruptHistory(entry:reason:)`` when it cannot be read, or one is missing before it.
    mutating func add(
        _ key: RawSpan, _ value: RawSpan, limit: Int, maxMemory: Int, where isWanted: (_ modelName: String, _ key: UnsafeRawBufferPointer) -> Bool
    ) throws -> Bool {
        guard let place = HistorySpace.parts(key) else { throw TroveError.corruptHistory(entry: next.number &+ 1, reason: "its key is none of an entry") }
        let isFirst = place.number != next.number
        if isFirst, entries.count >= limit || size >= maxMemory && !entries.isEmpty { return false }
        if isFirst { try checkEnd() }
        guard place.number == next.number &+ (isFirst ? 1 : 0), place.chunk == (isFirst ? 0 : chunk &+ 1) else {
            throw TroveError.corruptHistory(entry: isFirst ? next.number &+ 1 : place.number, reason: "a part of it is missing")
        }
        let part = try HistoryChunk.decode(value, key: [UInt8](copying: key), of: place.number, where: isWanted)
        guard isFirst || next.stamp == 0 || next.stamp == part.header.stamp else {
            throw TroveError.corruptHistory(entry: place.number, reason: "its parts are of two entries")
        }
        next = HistoryToken(number: place.number, stamp: part.header.stamp)
        chunk = place.chunk
        isAtEnd = part.header.isLast
        if !part.changes.isEmpty { size += value.byteCount }
        if let last = entries.indices.last, entries[last].token == next {
            entries[last].changes += part.changes
            // The author may have been named after the first part was written.
            entries[last].header = part.header
        } else if !part.changes.isEmpty {
            entries.append(Entry(token: next, header: part.header, changes: part.changes))
        }
        return true
    }

    /// - Throws: ``TroveError/corruptHistory(entry:reason:)`` when the end of the last entry is missing.
    func checkEnd() throws {
        guard isAtEnd else { throw TroveError.corruptHistory(entry: next.number, reason: "its end is missing") }
    }
}
