import Foundation

/// Measures one piece of work: its time, its processor time, and the memory it takes.
struct Gauge {
    /// The wall-clock time in seconds.
    private(set) var seconds = 0.0
    /// The processor time of all threads, in seconds.
    private(set) var processorSeconds = 0.0
    /// The most memory in use during the work above that before it, in bytes.
    private(set) var peakGrowth = 0
    /// The memory that the engine took for itself before the work, where a workload finds out.
    var engineCache: Int?

    private struct Start {
        let time = ContinuousClock.now
        let processorSeconds = Gauge.processorSeconds()
        let memory: MemoryUse
    }

    mutating func measure<Result>(_ work: () throws -> Result) throws -> Result {
        let start = try Self.start()
        let result = try work()
        end(start)
        return result
    }

    mutating func measure<Result>(_ work: () async throws -> Result) async throws -> Result {
        let start = try Self.start()
        let result = try await work()
        end(start)
        return result
    }

    private static func start() throws -> Start {
        try MemoryUse.resetPeak()
        return Start(memory: MemoryUse.current())
    }

    private mutating func end(_ start: Start) {
        let time = ContinuousClock.now - start.time
        seconds = Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
        processorSeconds = Self.processorSeconds() - start.processorSeconds
        peakGrowth = max(0, MemoryUse.current().peak - start.memory.resident)
    }

    private static func processorSeconds() -> Double {
        var usage = rusage()
        #if os(Linux)
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
        getrusage(RUSAGE_SELF, &usage)
        #endif
        let parts = [usage.ru_utime, usage.ru_stime]
        return parts.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) * 1e-6 }
    }
}
