import AllocationCounter
import Foundation

/// Measures one piece of work, or several that are added up: the time, the processor time, and the memory it takes.
struct Gauge {
    /// The wall-clock time in seconds.
    private(set) var seconds = 0.0
    /// The processor time of all threads, in seconds.
    private(set) var processorSeconds = 0.0
    /// The most memory in use during the work above that before it, in bytes.
    private(set) var peakGrowth = 0
    /// How often memory was allocated; nil where that cannot be counted.
    private(set) var allocations: Int?
    /// How long the single operations took, in nanoseconds, where they were timed.
    private(set) var latencies: [UInt64] = []
    /// The memory that the engine took for itself before the work, where a workload finds out.
    var engineCache: Int?

    private struct Start {
        let time = ContinuousClock.now
        let processorSeconds = Gauge.processorSeconds()
        let allocations = allocation_counter_of_all_threads()
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

    /// Does something with each element, one after the other, and times each by itself besides the whole.
    mutating func measureEach<Element>(_ elements: [Element], _ work: (Element) throws -> Void) throws {
        var latencies: [UInt64] = []
        latencies.reserveCapacity(elements.count)
        try measure {
            for element in elements {
                let start = Self.now()
                try work(element)
                latencies.append(Self.now() - start)
            }
        }
        add(latencies: latencies)
    }

    /// Takes the times of single operations that were timed elsewhere, in nanoseconds.
    mutating func add(latencies: [UInt64]) { self.latencies += latencies }

    /// The time since some moment, in nanoseconds. Reading it takes some 25 of them.
    static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

    private static func start() throws -> Start {
        try MemoryUse.resetPeak()
        return Start(memory: MemoryUse.current())
    }

    private mutating func end(_ start: Start) {
        let time = ContinuousClock.now - start.time
        seconds += Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
        processorSeconds += Self.processorSeconds() - start.processorSeconds
        if allocation_counter_works() { allocations = (allocations ?? 0) + Int(allocation_counter_of_all_threads() - start.allocations) }
        peakGrowth = max(peakGrowth, MemoryUse.current().peak - start.memory.resident)
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
