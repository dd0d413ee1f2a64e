/// How the times of single operations are spread, in seconds.
struct Latencies: Codable, Sendable {
    let median: Double
    let percentile95: Double
    let percentile99: Double
    let maximum: Double

    /// nil when there are no times, which are in nanoseconds.
    init?(_ nanoseconds: [UInt64]) {
        let sorted = nanoseconds.sorted()
        guard let last = sorted.last else { return nil }
        // The smallest time that so many percent of all do not exceed.
        func percentile(_ percent: Int) -> Double { Double(sorted[(sorted.count * percent + 99) / 100 - 1]) * 1e-9 }
        median = percentile(50)
        percentile95 = percentile(95)
        percentile99 = percentile(99)
        maximum = Double(last) * 1e-9
    }

    /// Of several repeats the median of each, but the largest of all; nil when there are none.
    init?(_ repeats: [Latencies]) {
        guard let median = Spread(repeats.map(\.median)), let percentile95 = Spread(repeats.map(\.percentile95)),
            let percentile99 = Spread(repeats.map(\.percentile99)), let maximum = Spread(repeats.map(\.maximum))
        else { return nil }
        self.median = median.median
        self.percentile95 = percentile95.median
        self.percentile99 = percentile99.median
        self.maximum = maximum.maximum
    }
}
