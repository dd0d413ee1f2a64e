/// The state of a walk through an index in order: which group of entries it is in, and where it had to begin.
struct IndexWalk {
    /// Entries that belong together and are not in the right order by themselves.
    struct Group {
        /// What the entries begin with.
        let prefix: [UInt8]
        /// Whether only the records' values tell the order; otherwise it is that of the keys.
        let needsValues: Bool
        /// Whether the place at which the walk begins is in the group.
        let isAtStart: Bool
        /// The keys, where the entries are not kept.
        var keys = KeyList()
        /// The entries themselves, where they are kept.
        var entries: EntryCopies?

        var count: Int { entries?.count ?? keys.count }

        mutating func append(_ entry: IndexEntry) {
            if entries == nil { keys.append(entry.recordKey) } else { entries?.append(entry) }
        }
    }

    let scan: IndexScan
    let order: IndexOrder
    /// Told where a part of the parts is looked at alone.
    private let layout: PartLayout?
    /// Whether entries of equal parts come ascending by key.
    private let keysAreInOrder: Bool
    /// Whether a group keeps its entries, not their keys alone.
    private let keepsEntries: Bool
    /// What the entries at the start begin with, and the key of the object there.
    private let startPrefix: [UInt8]?
    private let startKey: [UInt8]
    private var group: Group?
    private(set) var hasLargeGroup = false

    init(_ scan: IndexScan, _ order: IndexOrder, start: QueryPlace?, sort: PartLayout?, keepsEntries: Bool) {
        self.scan = scan
        self.order = order
        // An object whose key is not whole in its entry is put in order by its record.
        self.keepsEntries = keepsEntries && order.hasShortKeys
        let parts = scan.index.fields.parts
        let layout =
            start == nil && order.usesAllParts
            ? nil : PartLayout(parts.map { ($0.type, $0.part.direction) }, from: scan.index.slice?.prefixes.first?.count ?? 0)
        self.layout = layout
        keysAreInOrder = order.keysAreInOrder
        startKey = start.map { Array($0.key) } ?? []
        startPrefix = start.flatMap { Self.prefix(of: $0, scan, order, layout, sort) }
    }

    /// What the entries of a place begin with: the fixed parts, then those of the place's sort, cut to what entries always have.
    private static func prefix(
        of place: QueryPlace, _ scan: IndexScan, _ order: IndexOrder, _ layout: PartLayout?, _ sort: PartLayout?
    ) -> [UInt8]? {
        guard let layout, let sort, let first = scan.ranges.first?.lower else { return nil }
        let fixedSize = first.withUnsafeBytes { layout.size(ofFirst: scan.fixedParts, in: $0) }
        guard let fixedSize, let criteria = place.bytes.withUnsafeBytes({ sort.ranges(in: $0) }) else { return nil }
        var prefix = Array(first[..<fixedSize])
        for criterion in order.criteria {
            let part = place.bytes[criteria[criterion]]
            // All parts are inverted, or none, where the index is read in the other direction.
            prefix += order.order == .descending ? part.map { ~$0 } : Array(part)
        }
        return Array(prefix.prefix(EntryFormat.keptPartsSize))
    }

    /// The part of a range that is not before the start.
    func clipped(_ range: KeyRange) -> KeyRange {
        guard let startPrefix else { return range }
        if order.order == .descending {
            let end = KeyRange.prefix(startPrefix).upper
            guard let end, range.upper.map({ end.lexicographicallyPrecedes($0) }) ?? true else { return range }
            return KeyRange(from: range.lower, upTo: end)
        }
        var begin = startPrefix
        if keysAreInOrder, !scan.index.schema.isUnique, startPrefix.count < EntryFormat.keptPartsSize { begin += shortStartKey }
        return range.lower.lexicographicallyPrecedes(begin) ? KeyRange(from: begin, upTo: range.upper) : range
    }

    /// The entries of a group that are read forwards though the walk goes backwards.
    func forwardRange(of prefix: [UInt8]) -> KeyRange {
        let range = KeyRange.prefix(prefix)
        guard prefix == startPrefix, !scan.index.schema.isUnique else { return range }
        return KeyRange(from: prefix + shortStartKey, upTo: range.upper)
    }

    /// As much of the place's id as an entry may have: the object there, whose id may be longer, can be gone.
    private var shortStartKey: ArraySlice<UInt8> { startKey.prefix(EntryFormat.maxRecordKeySize) }

    /// How many of an entry's first bytes tell its group, and whether that is only a part of what it is sorted by.
    private func extent(_ entry: IndexEntry) -> (size: Int, isCut: Bool) {
        let size = order.usesAllParts ? entry.parts.count : layout?.size(ofFirst: order.partCount, in: entry.parts)
        guard let size, size <= EntryFormat.keptPartsSize else { return (EntryFormat.keptPartsSize, true) }
        return (size, false)
    }

    /// Whether an entry comes where it belongs.
    func isDirect(_ entry: IndexEntry) -> Bool {
        keysAreInOrder && order.order == .ascending && entry.parts.count <= EntryFormat.keptPartsSize
    }

    /// Whether an entry that comes where it belongs is not the start's own or before it.
    func isBehindStart(_ entry: IndexEntry) -> Bool {
        guard let startPrefix, startPrefix.count == entry.parts.count, entry.parts.elementsEqual(startPrefix) else { return true }
        return entry.recordKey.bytes.compare(to: startKey[...]) > 0
    }

    /// Whether an entry ends the group that is being gathered.
    func begins(_ entry: IndexEntry) -> Bool {
        guard let group else { return false }
        return group.prefix.count > entry.parts.count || !entry.parts.starts(with: group.prefix)
    }

    mutating func add(_ entry: IndexEntry) {
        if group == nil {
            let (size, isCut) = extent(entry)
            let prefix = Array(entry.parts.prefix(size))
            let needsValues = isCut || !order.isComplete
            group = Group(prefix: prefix, needsValues: needsValues, isAtStart: prefix == startPrefix)
            if keepsEntries, !needsValues { group?.entries = EntryCopies() }
        }
        group?.append(entry)
    }

    /// Whether a group that could be read forwards has more keys than `limit`.
    mutating func isTooLargeToTurn(_ limit: Int) -> Bool {
        guard keysAreInOrder, let group, !group.needsValues, group.count > limit else { return false }
        hasLargeGroup = true
        return true
    }

    /// Lets go of the keys of a group that come behind the first `reach`, each time that they have become many.
    ///
    /// - Parameter sorted: puts keys into the order of results; those alone that are behind the start, where the group is at it.
    mutating func cutGroup(to reach: Int?, _ sorted: (_ keys: KeyList, _ isAtStart: Bool) throws -> KeyList) rethrows {
        guard let reach, reach <= ResultWindow.maxTop, !keysAreInOrder, let count = group?.keys.count, count >= 2 * reach + 1_024,
            let isAtStart = group?.isAtStart, group?.needsValues == false
        else { return }
        group?.keys.sortUniquely()
        let keys = group?.keys ?? KeyList()
        var first = KeyList()
        _ = try sorted(keys, isAtStart).forEach { key in
            if first.count == reach { return .stop }
            first.append(key)
            return .next
        }
        group?.keys = first
    }

    mutating func takeGroup() -> Group? {
        defer { group = nil }
        return group
    }

    /// The prefix of the group that was too large to be turned round; nil when there is none.
    mutating func takeLargeGroup() -> [UInt8]? {
        guard hasLargeGroup else { return nil }
        hasLargeGroup = false
        return takeGroup()?.prefix
    }
}

/// Copies of an index's entries, for those that are handed on after the engine's bytes are gone.
struct EntryCopies {
    /// Where the pieces of an entry end, which lie one after the other.
    private struct Place {
        let start, partsEnd, keyEnd, end: Int
        let isShortened, isUnique: Bool
    }

    private var bytes: [UInt8] = []
    private var places: [Place] = []

    var count: Int { places.count }

    mutating func append(_ entry: IndexEntry) {
        let start = bytes.count
        bytes.append(contentsOf: entry.parts)
        let partsEnd = bytes.count
        bytes.append(contentsOf: entry.recordKey)
        let keyEnd = bytes.count
        bytes.append(contentsOf: entry.covered)
        places.append(
            Place(start: start, partsEnd: partsEnd, keyEnd: keyEnd, end: bytes.count, isShortened: entry.isShortened, isUnique: entry.isUnique))
    }

    /// Calls `body` with the entries ascending by record key until it returns ``ScanStep/stop``; returns its last answer.
    func forEachByKey(_ body: (IndexEntry) throws -> ScanStep) rethrows -> ScanStep {
        try bytes.withUnsafeBytes { buffer in
            func piece(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[range]) }
            func key(_ place: Place) -> UnsafeRawBufferPointer { piece(place.partsEnd..<place.keyEnd) }
            for number in KeyList.ascending(places.count, { key(places[$0]) }) {
                let place = places[number]
                let entry = IndexEntry(
                    parts: piece(place.start..<place.partsEnd), isShortened: place.isShortened, recordKey: key(place), isUnique: place.isUnique,
                    covered: piece(place.keyEnd..<place.end))
                if try body(entry) == .stop { return .stop }
            }
            return .next
        }
    }
}
