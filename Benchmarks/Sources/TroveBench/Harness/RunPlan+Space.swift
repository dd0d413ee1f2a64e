import Foundation

extension RunPlan {
    /// About as many bytes as the files of an object take, its indexes and an engine's log included.
    private static let bytesOfObject = 150

    /// The bytes that the stores of the largest stage will about take; they are there at the same time.
    var spaceNeeded: Int {
        stages.map { stage in
            (stage.workloads.map(\.scale.count).max() ?? 0) * stage.contestants.count(where: \.isPersistent) * Self.bytesOfObject
        }.max() ?? 0
    }

    /// Throws when the disk has too little space for the largest stores.
    func checkSpace() throws {
        let parent = URL(fileURLWithPath: directory).deletingLastPathComponent().path
        let attributes = try FileManager.default.attributesOfFileSystem(forPath: parent)
        guard let free = (attributes[.systemFreeSize] as? NSNumber)?.intValue, free < spaceNeeded else { return }
        throw BenchmarkError(
            """
            the largest stores take about \(Self.gigabytes(spaceNeeded)) GB, \(parent) has \(Self.gigabytes(free)) GB: name a place with more \
            with --directory, or fewer objects with --count
            """)
    }

    private static func gigabytes(_ bytes: Int) -> String { Figures.short(Double(bytes) / 1e9) }
}

extension RunPlan {
    /// The same plan with the contestants and workloads of an earlier run besides its own, for the output.
    func adding(_ earlier: ResultsFile) -> RunPlan {
        var plan = self
        let failures = earlier.failures ?? []
        let workloads = Set(earlier.measurements.map(\.workload) + failures.map(\.workload) + plan.workloads.map(\.name))
        let contestants = Set(earlier.measurements.map(\.contestant) + failures.map(\.contestant) + plan.contestants.map(\.name))
        plan.workloads = Workloads.all.filter { workloads.contains($0.name) }
        plan.contestants = Contestants.all.filter { contestants.contains($0.name) }
        return plan
    }
}
