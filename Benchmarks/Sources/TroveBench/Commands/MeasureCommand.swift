import ArgumentParser
import Foundation

/// Measures one workload by one contestant and prints the result as JSON: what ``Runner`` starts for each.
struct MeasureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure", abstract: "Measures once, in this process. Started by `run`; of use under a profiler.",
        shouldDisplay: false)

    @Option var contestant: String
    @Option var workload: String
    @Option var count = 100_000
    @Option var round = 0
    @Option var durability = DurabilityName.durable
    @Option var directory: String
    @Option var recordFile = ""

    func run() async throws {
        let contestant = try Contestants.named(contestant)
        let workload = try Workloads.named(workload)
        let scale = Scale(count: count)
        let place = StorePlace(
            directory: directory, durability: durability.durability, isBulkLoad: workload.isBulkLoad, recordFile: recordFile)
        if workload.isCold { try PageCache.drop(filesIn: directory) }
        var gauge = Gauge()
        let tally = try await workload.measure(contestant, in: place, scale, seed: round, &gauge)
        let measurement = Measurement(
            contestant: contestant.name, workload: workload.name, round: round, operations: workload.operations(scale),
            seconds: gauge.seconds, processorSeconds: gauge.processorSeconds, peakGrowth: gauge.peakGrowth,
            engineCache: gauge.engineCache, allocations: gauge.allocations, latencies: Latencies(gauge.latencies), storeSize: try Self.size(of: directory), tally: tally)
        FileHandle.standardOutput.write(try JSONEncoder().encode(measurement))
    }

    /// The bytes of the files in a directory.
    private static func size(of directory: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: directory).reduce(0) { sum, name in
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(directory)/\(name)")
            return sum + (attributes[.size] as? Int ?? 0)
        }
    }
}
