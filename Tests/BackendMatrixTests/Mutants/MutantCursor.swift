import TroveStorage

/// A cursor that is right but for one thing.
final class MutantCursor: StorageCursor {
    private let base: any StorageCursor
    private let mutant: Mutant?
    private var isPastEnd = false

    init(_ base: any StorageCursor, _ mutant: Mutant?) {
        self.base = base
        self.mutant = mutant
    }

    func seek(to key: RawSpan) throws -> Bool {
        isPastEnd = try !base.seek(to: key)
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
        isPastEnd = try !base.next()
        return !isPastEnd
    }

    func previous() throws -> Bool {
        if mutant == .staysPastTheEnd, isPastEnd { return false }
        return try base.previous()
    }

    func withEntry(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void) throws -> Bool { try base.withEntry(body) }
}
