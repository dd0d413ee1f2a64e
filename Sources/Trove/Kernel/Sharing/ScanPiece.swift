import Synchronization

/// What a scan asks before each record.
protocol ScanStepping {
    /// Counts a record; ``ScanStep/stop`` before one that the scan is not to read.
    mutating func step(at key: RawSpan) throws -> ScanStep

    /// What tells, between records, that the scan is to end.
    var watch: ReadWatch { get }
}

extension ReadWatch: ScanStepping {
    var watch: ReadWatch { self }

    @inline(__always)
    mutating func step(at key: RawSpan) throws -> ScanStep {
        try step()
        return .next
    }
}

/// Counts the records of a piece of a scan, and stops where another thread wants some of the rest.
struct ScanPace: ScanStepping {
    let watch: ReadWatch
    /// Tells whether a thread has nothing to do; nil where the scan is to stop in any case.
    private let hunger: ScanHunger?
    private let stride: Int
    private var rest: Int
    private var restBeforeStop: Int
    /// The key of the first record that was not read; nil when the scan has come to its end.
    private(set) var place: [UInt8]?

    /// - Parameter records: how many are read at least before the scan stops.
    init(_ watch: ReadWatch, _ hunger: ScanHunger?, after records: Int) {
        self.watch = watch
        self.hunger = hunger
        stride = max(1, min(ReadWatch.stepsBetweenLooks, records))
        rest = stride
        restBeforeStop = records
    }

    @inline(__always)
    mutating func step(at key: RawSpan) throws -> ScanStep {
        rest &-= 1
        return rest < 0 ? try look(key) : .next
    }

    @inline(never)
    private mutating func look(_ key: RawSpan) throws -> ScanStep {
        // This record is the first of the next ones.
        rest = stride - 1
        restBeforeStop -= stride
        try watch.look()
        guard restBeforeStop <= 0, hunger?.isFelt ?? true else { return .next }
        place = [UInt8](copying: key)
        return .stop
    }
}

/// A part of a scan that one thread reads, from its beginning to its end or to where it gives the rest away.
final class ScanPiece {
    /// What is left to read, in order.
    private(set) var ranges: ArraySlice<KeyRange>
    private let watch: ReadWatch
    private let hunger: ScanHunger?
    /// How many records are read at least before some of the rest is given away.
    private let records: Int
    /// Takes what is given away; nil for a piece that ends there.
    private let give: ((KeyRange) -> Void)?

    init(_ ranges: [KeyRange], _ watch: ReadWatch, _ hunger: ScanHunger?, after records: Int, giving give: ((KeyRange) -> Void)?) {
        self.ranges = ranges[...]
        self.watch = watch
        self.hunger = hunger
        self.records = records
        self.give = give
    }

    /// Calls `read` with one range after the other until all is read, or given away. It has to end each where the pace stops it.
    func forEachRange(_ read: (KeyRange, inout ScanPace) throws -> Void) throws {
        while let range = ranges.first {
            var pace = ScanPace(watch, hunger, after: records)
            try read(range, &pace)
            guard let place = pace.place else {
                ranges.removeFirst()
                continue
            }
            ranges[ranges.startIndex] = KeyRange(from: place, upTo: range.upper)
            guard let give else { return }
            if let upper = range.upper, let middle = KeyRange.middle(place, upper) {
                ranges[ranges.startIndex] = KeyRange(from: place, upTo: middle)
                give(KeyRange(from: middle, upTo: upper))
            }
        }
    }
}

/// How many threads of a scan have nothing to do.
final class ScanHunger: Sendable {
    private let threads = Atomic(0)

    /// Whether a thread has nothing to do.
    var isFelt: Bool { threads.load(ordering: .relaxed) > 0 }

    func add(_ count: Int) { threads.add(count, ordering: .relaxed) }
}

extension KeyRange {
    /// A key about in the middle of what is above `lower` and below `upper`, by the bytes as numbers; nil when they are too close to each other.
    static func middle(_ lower: [UInt8], _ upper: [UInt8]) -> [UInt8]? {
        var common = 0
        while common < lower.count, common < upper.count, lower[common] == upper[common] { common += 1 }
        func number(_ key: [UInt8]) -> UInt64 {
            (common..<common + 8).reduce(0) { $0 << 8 | UInt64($1 < key.count ? key[$1] : 0) }
        }
        let (low, high) = (number(lower), number(upper))
        guard high > low, high - low > 1 else { return nil }
        let middle = low + (high - low) / 2
        return lower.prefix(common) + withUnsafeBytes(of: middle.bigEndian) { Array($0) }
    }
}
