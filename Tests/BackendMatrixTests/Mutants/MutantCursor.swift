import TroveStorage

/// A cursor that is right but for one thing.
final class MutantCursor: StorageCursor {
    private let base: any StorageCursor
    private let mutant: Mutant?
    /// The value that a key has by the last commit.
    private let live: (_ key: [UInt8]) throws -> [UInt8]?
    private var isPastEnd = false
    private var steps = 0

    init(_ base: any StorageCursor, _ mutant: Mutant?, live: @escaping (_ key: [UInt8]) throws -> [UInt8]?) {
        self.base = base
        self.mutant = mutant
        self.live = live
    }

    func seek(to key: RawSpan) throws -> Bool {
        isPastEnd = try !base.seek(to: key)
        if mutant == .seeksPastEdges, let found = try base.entry()?.key, found.last == 0, found != [UInt8](copying: key) { return try next() }
        guard mutant == .seeksExactly, !isPastEnd, key.byteCount > 0 else { return !isPastEnd }
        var isExact = false
        _ = try base.withEntry { found, _ in isExact = found.isEqual(to: key) }
        return isExact
    }

    func seekToLast() throws -> Bool {
        isPastEnd = false
        return try base.seekToLast()
    }

    func next() throws -> Bool {
        if mutant == .skipsAfterDeletion, try base.entry() == nil, try base.next(), try base.previous() { _ = try base.next() }
        steps += 1
        if mutant == .stepsOverEntriesFarIn, steps == 15_000 { _ = try base.next() }
        isPastEnd = try !base.next()
        return !isPastEnd
    }

    func previous() throws -> Bool {
        if mutant == .staysPastTheEnd, isPastEnd { return false }
        return try base.previous()
    }

    func withEntry(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws -> Bool {
        guard mutant == .showsLiveEntries, let key = try base.entry()?.key, let value = try live(key) else { return try base.withEntry(body) }
        try body(key.span.bytes, value.span.bytes)
        return true
    }
}
