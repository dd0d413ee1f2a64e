import TroveStorage

/// A walk over the entries of a range in one direction: pages of the store merged with the changes as they are at each step.
final class OverlayWalk {
    /// The entries of a first page whose number nobody has said, and how many times as many the next one has.
    private static let (firstPage, growth) = (16, 8)
    private static let maxPage = 4_096
    /// The bytes after which a page ends.
    private static let maxPageSize = 4 << 20

    let order: ScanOrder
    /// The entry that the walk is at, after ``next()`` was true. The value is empty in a walk for keys.
    private(set) var key: [UInt8] = []
    private(set) var value: [UInt8] = []
    /// Whether that entry is the store's own, and as it still is.
    var isOfBase: Bool { wasOfBase && sendings == overlay.sendings }

    private let overlay: WriteOverlay
    private let keyspace: Keyspace
    /// What is left to walk over, the current key apart.
    private var lower: [UInt8]
    private var isAfterLower: Bool
    private var upper: [UInt8]?
    private let isForKeys: Bool

    private var page: [(key: [UInt8], value: [UInt8])] = []
    private var position = 0
    private var isLastPage = false
    private var pageCount: Int
    private var sendings: Int
    private var wasOfBase = false

    /// - Parameter isAfter: whether an ascending walk leaves the least key of the range out.
    init(
        _ overlay: WriteOverlay, _ range: KeyRange, isAfter: Bool = false, in keyspace: Keyspace, order: ScanOrder, expecting count: Int? = nil,
        isForKeys: Bool = false
    ) {
        self.overlay = overlay
        self.keyspace = keyspace
        self.order = order
        self.isForKeys = isForKeys
        (lower, upper, isAfterLower) = (range.lower, range.upper, isAfter)
        pageCount = count.map { min(max($0, 1), Self.maxPage) } ?? Self.firstPage
        sendings = overlay.sendings
    }

    /// Goes to the next entry; false when there is none.
    func next() throws -> Bool {
        if KeyRange(from: lower, upTo: upper).isEmpty { return false }
        while true {
            let stored = try nextOfBase()
            let change = nextChange()
            guard stored != nil || change != nil else { return false }
            if let change, stored.map({ comesNoLater(change.key, $0.key) }) ?? true {
                if stored?.key == change.key { position += 1 }
                pass(change.key)
                guard let new = change.value else { continue }
                (key, value, wasOfBase) = (change.key, isForKeys ? [] : new, false)
                return true
            }
            guard let stored else { return false }
            position += 1
            pass(stored.key)
            (key, value, wasOfBase) = (stored.key, stored.value, true)
            return true
        }
    }

    private func comesNoLater(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        let difference = left.compare(to: right)
        return order == .ascending ? difference <= 0 : difference >= 0
    }

    private func pass(_ key: [UInt8]) {
        if order == .ascending { (lower, isAfterLower) = (key, true) } else { upper = key }
    }

    private func nextChange() -> OrderedChanges.Change? {
        guard let changes = overlay.changes[keyspace] else { return nil }
        switch order {
        case .ascending:
            guard let change = changes.first(from: lower, after: isAfterLower) else { return nil }
            if let upper, !change.key.precedes(upper) { return nil }
            return change
        case .descending:
            guard let change = changes.last(below: upper), !change.key.precedes(lower) else { return nil }
            return change
        }
    }

    private func nextOfBase() throws -> (key: [UInt8], value: [UInt8])? {
        if sendings != overlay.sendings {
            // The store has other entries than when the page was read.
            (page, position, isLastPage, sendings) = ([], 0, false, overlay.sendings)
        }
        if position == page.count && !isLastPage { try readPage() }
        return position < page.count ? page[position] : nil
    }

    private func readPage() throws {
        page.removeAll(keepingCapacity: true)
        (position, isLastPage) = (0, true)
        let range = KeyRange(from: isAfterLower ? lower + [0] : lower, upTo: upper)
        if range.isEmpty { return }
        var size = 0
        func keep(_ key: RawSpan, _ value: [UInt8]) -> ScanStep {
            page.append(([UInt8](copying: key), value))
            size += key.byteCount + value.count
            isLastPage = page.count < pageCount && size < Self.maxPageSize
            return isLastPage ? .next : .stop
        }
        if isForKeys {
            try overlay.base.scanKeys(range, in: keyspace, order: order, expecting: pageCount) { keep($0, []) }
        } else {
            try overlay.base.scan(range, in: keyspace, order: order, expecting: pageCount) { keep($0, [UInt8](copying: $1)) }
        }
        pageCount = min(pageCount * Self.growth, Self.maxPage)
    }
}
