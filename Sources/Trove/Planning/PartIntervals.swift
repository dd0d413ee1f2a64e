/// The values of one part that can pass a condition: ranges of the part's ascending bytes, which do not overlap, ascending.
struct PartIntervals: Sendable, Hashable {
    /// A range of part bytes: from `lower` on, below `upper`.
    struct Interval: Sendable, Hashable {
        var lower: [UInt8]
        /// Nil for no bound.
        var upper: [UInt8]?
        /// Whether it is of one whole part, the bytes in `lower`.
        var isPoint = false

        var isEmpty: Bool {
            guard let upper else { return false }
            return !ByteOrder.isBefore(lower, upper)
        }

        /// The range as the evaluation has them.
        var keyPartRange: KeyPartRange {
            isPoint ? KeyPartRange(point: lower) : KeyPartRange(from: .included(lower), to: upper.map { .excluded($0) } ?? .unbounded)
        }
    }

    private(set) var intervals: [Interval]
    /// Whether all values in the intervals pass; otherwise the condition has to be checked on the record too.
    var isExact: Bool

    init(_ intervals: [Interval], isExact: Bool) {
        self.intervals = intervals.contains(where: \.isEmpty) ? intervals.filter { !$0.isEmpty } : intervals
        self.isExact = isExact
    }

    /// One value alone.
    init(point part: [UInt8]) {
        intervals = [Interval(lower: part, upper: KeyRange.prefix(part).upper, isPoint: true)]
        isExact = true
    }

    init(_ range: KeyPartRange, isPoint: Bool, isExact: Bool) {
        let (lower, upper) = range.bytes
        if let lower {
            // What the comparison leaves of a range may be one part too: `year <= 1959 and year >= 1959`.
            self.init([Interval(lower: lower, upper: upper, isPoint: isPoint && range.point != nil)], isExact: isExact)
        } else {
            self.init([], isExact: isExact)
        }
    }

    /// The intervals in a slice of an index of all paths; nil when what has no entries there could be in one.
    func within(_ slice: PathSlice) -> PartIntervals? {
        let (lowest, end) = slice.bounds
        var kept: [Interval] = []
        for interval in intervals {
            // Nothing is below nil.
            if let upper = interval.upper, !ByteOrder.isBefore([KeyPart.null], upper) { continue }
            guard !ByteOrder.isBefore(interval.lower, lowest) else { return nil }
            if let upper = interval.upper, !ByteOrder.isBefore(end, upper) {
                kept.append(interval)
            } else {
                guard !slice.isTextOnly else { return nil }
                kept.append(Interval(lower: interval.lower, upper: end))
            }
        }
        return PartIntervals(kept, isExact: isExact && slice.isExact)
    }

    var arePoints: Bool { intervals.allSatisfy(\.isPoint) }

    /// The values in both.
    ///
    /// - Complexity: O(*n* + *m*): both lists ascend and do not overlap.
    func intersection(_ other: PartIntervals) -> PartIntervals {
        var common: [Interval] = []
        var (left, right) = (0, 0)
        while left < intervals.count, right < other.intervals.count {
            let (first, second) = (intervals[left], other.intervals[right])
            let lower = ByteOrder.isBefore(first.lower, second.lower) ? second.lower : first.lower
            let endsFirst: Bool
            switch (first.upper, second.upper) {
            case (nil, _): endsFirst = false
            case (_, nil): endsFirst = true
            case (let end?, let other?): endsFirst = ByteOrder.isBefore(end, other)
            }
            let upper = endsFirst ? first.upper : second.upper
            common.append(Interval(lower: lower, upper: upper, isPoint: first.isPoint || second.isPoint))
            if endsFirst { left += 1 } else { right += 1 }
        }
        return PartIntervals(common, isExact: isExact && other.isExact)
    }

    /// The values in one of the lists or several.
    ///
    /// - Complexity: O(*n* log *n*) in all intervals together.
    static func union(_ lists: [PartIntervals]) -> PartIntervals {
        let sorted = lists.flatMap(\.intervals).sorted { ByteOrder.isBefore($0.lower, $1.lower) }
        var merged: [Interval] = []
        for next in sorted {
            guard let last = merged.last else {
                merged.append(next)
                continue
            }
            guard let end = last.upper else { break }
            if ByteOrder.isBefore(end, next.lower) || (end == next.lower && last != next) && (last.isPoint || next.isPoint) {
                merged.append(next)
            } else if last != next {
                let upper = next.upper.map { ByteOrder.isBefore(end, $0) ? $0 : end }
                merged[merged.count - 1] = Interval(lower: last.lower, upper: upper)
            }
        }
        return PartIntervals(merged, isExact: lists.allSatisfy(\.isExact))
    }

    /// All other values, nil among them; for exact intervals only.
    var complement: PartIntervals {
        var rest: [Interval] = []
        var lower: [UInt8]? = []
        for interval in intervals {
            if let start = lower { rest.append(Interval(lower: start, upper: interval.lower)) }
            lower = interval.upper
        }
        if let start = lower { rest.append(Interval(lower: start, upper: nil)) }
        return PartIntervals(rest, isExact: isExact)
    }
}

/// The parts that stand one after the other in an index's or a sort's bytes, so that they can be told apart.
struct PartLayout: Sendable {
    private let parts: [(type: FieldType?, isInverted: Bool)]
    private let start: Int

    /// - Parameter start: how many bytes stand before the first part.
    init(_ parts: [(type: FieldType?, direction: SortDirection)], from start: Int = 0) {
        self.start = start
        self.parts = parts.map { ($0.type?.unwrapped, $0.direction == .descending) }
    }

    var count: Int { parts.count }

    /// The size of the first `count` parts; nil when the bytes end before them.
    func size(ofFirst count: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
        var place = start
        for part in parts.prefix(count) {
            guard let end = Self.end(of: part.type, part.isInverted ? 0xFF : 0, bytes, place), end <= bytes.count else { return nil }
            place = end
        }
        return place
    }

    /// Where each part is; nil when the bytes are not those of the parts.
    func ranges(in bytes: UnsafeRawBufferPointer) -> [Range<Int>]? {
        var ranges: [Range<Int>] = []
        for part in parts {
            let start = ranges.last?.upperBound ?? start
            guard let end = Self.end(of: part.type, part.isInverted ? 0xFF : 0, bytes, start), end <= bytes.count else { return nil }
            ranges.append(start..<end)
        }
        return ranges
    }

    /// Takes the bytes apart, in place of what `pieces` had; false when they are not those of the parts, and of nothing else.
    func split(_ bytes: UnsafeRawBufferPointer, into pieces: inout [UnsafeRawBufferPointer]) -> Bool {
        pieces.removeAll(keepingCapacity: true)
        var start = start
        for part in parts {
            guard let end = Self.end(of: part.type, part.isInverted ? 0xFF : 0, bytes, start), end <= bytes.count else { return false }
            pieces.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            start = end
        }
        return start == bytes.count
    }

    /// Where the part that begins at `start` ends.
    private static func end(of type: FieldType?, _ mask: UInt8, _ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        // Below a value come nil and, for an index of members, what has none.
        guard bytes[start] ^ mask == KeyPart.present else { return start + 1 }
        guard let type else { return dynamicEnd(mask, bytes, start + 1) }
        return end(of: type.scalar?.partForm ?? .none, mask, bytes, start + 1)
    }

    private static func dynamicEnd(_ mask: UInt8, _ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        guard start < bytes.count, let valueClass = ValueClass(rawValue: bytes[start] ^ mask) else { return nil }
        return end(of: valueClass.partForm, mask, bytes, start + 1)
    }

    private static func end(of form: PartForm, _ mask: UInt8, _ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        switch form {
        case .fixed(let size): return start + size
        case .terminated: return end(terminatedBy: mask, bytes, start)
        case .decimal: return decimalEnd(mask, bytes, start)
        case .anyNumber:
            guard start + 8 < bytes.count else { return nil }
            return bytes[start + 8] ^ mask == 0 ? start + 9 : decimalEnd(mask, bytes, start + 9)
        case .none: return start
        }
    }

    private static func decimalEnd(_ mask: UInt8, _ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        // Zero and NaN are one byte; other numbers have their power of ten, and digits that a 0 ends, inverted below zero.
        switch bytes[start] ^ mask {
        case 0: return end(terminatedBy: ~mask, bytes, start + 3)
        case 2: return end(terminatedBy: mask, bytes, start + 3)
        default: return start + 1
        }
    }

    private static func end(terminatedBy byte: UInt8, _ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        guard start <= bytes.count else { return nil }
        return bytes[start...].firstIndex(of: byte).map { $0 + 1 }
    }
}
