import TroveStorage

/// A cursor that is right but for one thing.
final class MutantCursor: StorageCursor {
    private let base: any StorageCursor
    private let mutant: Mutant?
    /// The value that a key has by the last commit.
    private let live: (_ key: [UInt8]) throws -> [UInt8]?
    private var isPastEnd = false
    private var steps = 0
    /// The entry that ``Mutant/showsDroppedEntries`` has sought.
    private var sought: (key: [UInt8], value: [UInt8])?
    /// What ``Mutant/remembersUndoneDrops`` has met once.
    private var refusal: StorageError?

    init(_ base: any StorageCursor, _ mutant: Mutant?, live: @escaping (_ key: [UInt8]) throws -> [UInt8]?) {
        self.base = base
        self.mutant = mutant
        self.live = live
    }

    func seek(to key: RawSpan) throws -> Bool {
        isPastEnd = try !base.seek(to: key)
        if mutant == .showsDroppedEntries { sought = try base.entry() }
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
        switch mutant {
        case .showsLiveEntries:
            guard let key = try base.entry()?.key, let value = try live(key) else { return try base.withEntry(body) }
            try body(key.span.bytes, value.span.bytes)
            return true
        case .swallowsEntryErrors:
            return try base.withEntry { key, value in
                do { try body(key, value) } catch {}
            }
        case .showsDroppedEntries:
            do { return try base.withEntry(body) } catch StorageError.invalidKeyspace {
                guard let sought else { return false }
                try body(sought.key.span.bytes, sought.value.span.bytes)
                return true
            }
        case .remembersUndoneDrops:
            if let refusal { throw refusal }
            do { return try base.withEntry(body) } catch let error as StorageError {
                refusal = error
                throw error
            }
        default: return try base.withEntry(body)
        }
    }
}
