/// One contestant's repeats of one workload.
struct Summary: Codable, Sendable {
    let contestant: String
    let workload: String
    /// The time of one operation, in seconds.
    let secondsEach: Spread
    /// The processor time of one operation, in seconds.
    let processorSecondsEach: Spread
    /// The peak of memory above that before the work, in bytes.
    let peakGrowth: Spread
    let engineCache: Spread?
    /// The size of the files afterwards, in bytes.
    let storeSize: Spread

    /// How often memory was allocated for one operation; nil where that was not counted.
    let allocationsEach: Spread?
    /// The times of single operations, where they were taken.
    let latencies: Latencies?

    /// nil when there are no measurements.
    init?(contestant: String, workload: String, _ measurements: [Measurement]) {
        guard let seconds = Spread(measurements.map(\.secondsEach)),
            let processorSeconds = Spread(measurements.map { $0.processorSeconds / Double($0.operations) }),
            let peak = Spread(measurements.map { Double($0.peakGrowth) }),
            let size = Spread(measurements.map { Double($0.storeSize) })
        else { return nil }
        self.contestant = contestant
        self.workload = workload
        secondsEach = seconds
        processorSecondsEach = processorSeconds
        peakGrowth = peak
        engineCache = Spread(measurements.compactMap { $0.engineCache.map(Double.init) })
        storeSize = size
        allocationsEach = Spread(measurements.compactMap { measured in measured.allocations.map { Double($0) / Double(measured.operations) } })
        latencies = Latencies(measurements.compactMap(\.latencies))
    }
}
