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
