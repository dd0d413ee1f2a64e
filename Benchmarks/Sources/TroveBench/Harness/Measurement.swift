/// The outcome of one workload by one contestant in one repeat.
struct Measurement: Codable, Sendable {
    let contestant: String
    let workload: String
    /// Which repeat, from 0.
    let round: Int
    let operations: Int
    let seconds: Double
    let processorSeconds: Double
    /// Bytes above those in use before the work.
    let peakGrowth: Int
    let engineCache: Int?
    /// How often memory was allocated by all operations; nil where that is not counted.
    let allocations: Int?
    /// The times of single operations, where they were taken.
    let latencies: Latencies?
    /// The bytes of the store's files after the store was closed.
    let storeSize: Int
    let tally: Tally

    /// The time of one operation, in seconds.
    var secondsEach: Double { seconds / Double(operations) }
}

extension Measurement {
    /// How often workloads were measured: the fewest and the most repeats that any contestant has of any of them; nil when none has one.
    static func repeats(_ measurements: [Measurement], of workloads: [any Workload]) -> ClosedRange<Int>? {
        let names = Set(workloads.map(\.name))
        let counts = Dictionary(grouping: measurements.filter { names.contains($0.workload) }, by: { [$0.contestant, $0.workload] }).values.map(\.count)
        guard let least = counts.min(), let most = counts.max() else { return nil }
        return least...most
    }
}
