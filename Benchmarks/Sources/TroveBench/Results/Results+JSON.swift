import Foundation

extension Results {
    private struct File: Encodable {
        let environment: RunEnvironment
        let scale: Scale
        let repeats: Int
        let durability: DurabilityName
        let summaries: [Summary]
        let targets: [TargetResult]
        let measurements: [Measurement]
        let problems: [String]
    }

    /// Everything, for programs that compare runs.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(
            File(
                environment: environment, scale: plan.scale, repeats: plan.repeats, durability: plan.durability,
                summaries: summaries, targets: Targets.results(self), measurements: measurements, problems: problems))
    }
}
