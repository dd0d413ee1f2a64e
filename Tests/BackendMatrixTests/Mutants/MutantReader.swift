import TroveBackendKit
import TroveStorage
import TroveTesting

/// The reading side of a ``MutantBackend``.
class MutantReader: ForwardingReader {
    final let base: any StorageReader
    final let backend: MutantBackend
    /// The names of the keyspaces by the handles given out.
    final var names: [Keyspace: String] = [:]
    private var counts: [Keyspace: Int] = [:]
    private var hasListedNames = false
    private let thread = ThreadIdentity.current
    /// What announced keys were when they were announced.
    final var announced: [Keyspace: [[UInt8]: [UInt8]?]] = [:]

    final var mutant: Mutant? { backend.mutant }
    final var wrappedReader: any StorageReader { base }

    init(_ base: any StorageReader, of backend: MutantBackend) {
        self.base = base
        self.backend = backend
    }

    var stateStamp: StateStamp? {
        let stamp = base.stateStamp
        switch mutant {
        case .keepsItsStamp: return stamp.map { _ in StateStamp(0, 0) }
        case .stampsTheLastState:
            var last: StateStamp?
            try? backend.base.read { last = $0.stateStamp }
            return last
        default: return stamp
        }
    }

    func keyspace(named name: String) throws -> Keyspace? {
        if mutant == .keepsReadersToTheirThread, thread != .current {
            throw StorageError.transactionFinished(.init(engine: "mutant", path: backend.path, message: "the reader is another thread's"))
        }
        let keyspace = try base.keyspace(named: name)
        if let keyspace { names[keyspace] = name }
        return keyspace
    }

    func withConcurrentReaders(upTo count: Int, _ body: (_ readers: [any StorageReader]) throws -> Void) throws {
        switch mutant {
        case .sharesNoSnapshots: try body([])
        case .sharesTheLastState: try backend.base.read { try body([MutantReader($0, of: backend)]) }
        default: try base.withConcurrentReaders(upTo: count) { readers in try body(readers.map { MutantReader($0, of: backend) }) }
        }
    }

    func keyspaceNames() throws -> [String] {
        if mutant == .answersAfterTheEnd {
            do { return try base.keyspaceNames() } catch StorageError.transactionFinished { return [] }
        }
        hasListedNames = true
        let names = try base.keyspaceNames()
        return switch mutant {
        case .reversesNames: names.reversed()
        case .ordersNamesAsStrings: names.sorted()
        default: names
        }
    }

    func get(_ key: RawSpan, in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        switch mutant {
        case .findsNeighbours:
            if try base.get(key, in: keyspace, body) { return true }
            let cursor = try base.cursor(in: keyspace)
            return try cursor.seek(to: key) && cursor.withEntry { _, value in try body(value) }
        case .getsLiveValues: return try getLive([UInt8](copying: key), in: keyspace, body)
        case .listsNamesBeforeItsSnapshot where hasListedNames: return try getLive([UInt8](copying: key), in: keyspace, body)
        case .prefetchesForGood:
            guard let value = announced[keyspace]?[[UInt8](copying: key)] else { return try base.get(key, in: keyspace, body) }
            if let value { try body(value.span.bytes) }
            return value != nil
        case .missesEmptyValues:
            var isEmpty = false
            let isFound = try base.get(key, in: keyspace) { value in if value.byteCount == 0 { isEmpty = true } else { try body(value) } }
            return isFound && !isEmpty
        case .cutsLongKeys:
            let short = cut([UInt8](copying: key))
            return try base.get(short.span.bytes, in: keyspace, body)
        case .acceptsEmptyKeys where key.byteCount == 0: return false
        case .answersForDroppedKeyspaces:
            do { return try base.get(key, in: keyspace, body) } catch StorageError.invalidKeyspace { return false }
        default: return try base.get(key, in: keyspace, body)
        }
    }

    func getMany(_ keys: KeyList, in keyspace: Keyspace, _ body: (_ position: Int, _ value: RawSpan?) throws -> ScanStep) throws {
        if mutant == .answersManyToTheEnd {
            return try base.getMany(keys, in: keyspace) { position, value in
                _ = try body(position, value)
                return .next
            }
        }
        if mutant == .missesTheSixtyFifthKey {
            return try base.getMany(keys, in: keyspace) { position, value in try body(position, position == 64 ? nil : value) }
        }
        if mutant == .getsManyLongKeys, (0..<keys.count).contains(where: { keys[$0].count > StorageLimits.maxKeySize }) {
            for position in 0..<keys.count where try body(position, nil) == .stop { return }
            return
        }
        if mutant == .getsManyLiveValues, try live(keyspace, { reader, keyspace in try reader.getMany(keys, in: keyspace, body) }) != nil { return }
        guard mutant == .answersManyBackwards else { return try base.getMany(keys, in: keyspace, body) }
        for position in (0..<keys.count).reversed() {
            var step = ScanStep.next
            if try !base.get(keys[position], in: keyspace, { step = try body(position, $0) }) { step = try body(position, nil) }
            if step == .stop { return }
        }
    }

    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        switch mutant {
        case .ordersSignedBytes:
            try scan(range, keyspace, order, body) { left, right in
                left.lexicographicallyPrecedes(right) { Int8(bitPattern: $0) < Int8(bitPattern: $1) }
            }
        case .ordersLongerKeysFirst:
            try scan(range, keyspace, order, body) { left, right in
                if left.starts(with: right) || right.starts(with: left) { return left.count > right.count }
                return left.lexicographicallyPrecedes(right)
            }
        case .scansSeeTheirBeginning: try scan(range, keyspace, order, body) { $0.lexicographicallyPrecedes($1) }
        case .ignoresDescending: try base.scan(range, in: keyspace, order: .ascending, body)
        case .includesUpperBound: try base.scan(KeyRange(from: range.lower, upTo: range.upper.map { $0 + [0] }), in: keyspace, order: order, body)
        case .excludesLowerBound: try base.scan(KeyRange(from: range.lower + [0], upTo: range.upper), in: keyspace, order: order, body)
        case .readsWithoutSnapshot:
            guard !(self is MutantWriter), let name = names[keyspace] else { return try base.scan(range, in: keyspace, order: order, body) }
            try backend.base.read { (now: any StorageReader) throws -> Void in
                if let keyspace = try now.keyspace(named: name) { try now.scan(range, in: keyspace, order: order, body) }
            }
        case .endsRangesBeforeEdges:
            try base.scan(range, in: keyspace, order: order) { key, value in
                let copy = [UInt8](copying: key)
                return try copy.last == 0x7F && range.upper == copy + [0] ? .next : body(key, value)
            }
        default: try base.scan(range, in: keyspace, order: order, body)
        }
    }

    var prefetches: Bool { base.prefetches || mutant == .prefetchesForGood }

    func prefetch(_ keys: [[UInt8]], in keyspace: Keyspace) throws {
        try base.prefetch(keys, in: keyspace)
        guard mutant == .prefetchesForGood || mutant == .removesOnlyAnnouncedKeys else { return }
        for key in keys where !key.isEmpty && key.count <= StorageLimits.maxKeySize {
            announced[keyspace, default: [:]][key] = .some(try base.value(of: key, in: keyspace))
        }
    }

    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?,
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        guard mutant == .takesTheExpectedNumberForALimit, let count else {
            return try base.scan(range, in: keyspace, order: order, expecting: count, body)
        }
        var taken = 0
        try base.scan(range, in: keyspace, order: order, expecting: count) { key, value in
            taken += 1
            return try taken > count ? .stop : body(key, value)
        }
    }

    func scanKeys(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, expecting count: Int?, _ body: (_ key: RawSpan) throws -> ScanStep
    ) throws {
        if mutant == .scansLiveKeys, try live(keyspace, { try $0.scanKeys(range, in: $1, order: order, expecting: count, body) }) != nil { return }
        try base.scanKeys(range, in: keyspace, order: mutant == .listsKeysUpwardsOnly ? .ascending : order, expecting: count, body)
    }

    func count(of range: KeyRange, in keyspace: Keyspace) throws -> Int {
        let range = mutant == .countsTheUpperBound ? KeyRange(from: range.lower, upTo: range.upper.map { $0 + [0] }) : range
        if mutant == .refusesLongBoundsInCounts { try refuseLongBounds(of: range) }
        if mutant == .countsLiveRanges, let count = try live(keyspace, { try $0.count(of: range, in: $1) }) { return count }
        return try base.count(of: range, in: keyspace)
    }

    func cursor(in keyspace: Keyspace) throws -> any StorageCursor {
        let cursor = try base.cursor(in: keyspace)
        if mutant == .cursorsSeeTheBeginning { return ListCursor(try copies(of: .all, keyspace)) }
        return MutantCursor(cursor, mutant) { [self] key in try live(keyspace) { try $0.value(of: key, in: $1) } ?? nil }
    }

    func count(in keyspace: Keyspace) throws -> Int {
        if mutant == .answersForDroppedKeyspaces {
            do { return try base.count(in: keyspace) } catch StorageError.invalidKeyspace { return 0 }
        }
        let count = try base.count(in: keyspace)
        guard mutant == .countsOnce else { return count }
        if let known = counts[keyspace] { return known }
        counts[keyspace] = count
        return count
    }

    /// What `body` finds in a read of its own, which sees what is committed now; nil in a write, and when the keyspace is gone.
    private func live<Result>(_ keyspace: Keyspace, _ body: (any StorageReader, Keyspace) throws -> Result) throws -> Result? {
        guard !(self is MutantWriter), let name = names[keyspace] else { return nil }
        return try backend.base.read { (now: any StorageReader) throws -> Result? in
            guard let keyspace = try now.keyspace(named: name) else { return nil }
            return try body(now, keyspace)
        }
    }

    private func getLive(_ key: [UInt8], in keyspace: Keyspace, _ body: (RawSpan) throws -> Void) throws -> Bool {
        let value = try live(keyspace) { reader, keyspace in try reader.value(of: key, in: keyspace) }
        guard let value = try value ?? base.value(of: key, in: keyspace) else { return false }
        try body(value.span.bytes)
        return true
    }

    final func refuseLongBounds(of range: KeyRange) throws {
        guard max(range.lower.count, range.upper?.count ?? 0) > StorageLimits.maxKeySize else { return }
        throw StorageError.keyTooLarge(.init(engine: "mutant", path: backend.path, message: "a bound is too long"))
    }

    final func cut(_ key: [UInt8]) -> [UInt8] { Array(key.prefix(StorageLimits.maxKeySize)) }

    private func copies(of range: KeyRange, _ keyspace: Keyspace) throws -> [(key: [UInt8], value: [UInt8])] {
        var entries: [(key: [UInt8], value: [UInt8])] = []
        try base.scan(range, in: keyspace, order: .ascending) { key, value in
            entries.append(([UInt8](copying: key), [UInt8](copying: value)))
            return .next
        }
        return entries
    }

    /// Scans a copy in an order of its own.
    private func scan(
        _ range: KeyRange, _ keyspace: Keyspace, _ order: ScanOrder, _ body: (RawSpan, RawSpan) throws -> ScanStep,
        by precedes: ([UInt8], [UInt8]) -> Bool
    ) throws {
        let entries = try copies(of: range, keyspace).sorted { precedes($0.key, $1.key) }
        for (key, value) in order == .ascending ? entries : entries.reversed() {
            if try body(key.span.bytes, value.span.bytes) == .stop { return }
        }
    }
}
