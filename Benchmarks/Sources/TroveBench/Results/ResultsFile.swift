import Foundation

/// All that a run found, as it is kept in a file.
struct ResultsFile: Codable, Sendable {
    let environment: RunEnvironment
    let scale: Scale
    let repeats: Int
    let durability: DurabilityName
    let summaries: [Summary]
    let targets: [TargetResult]
    let measurements: [Measurement]
    let problems: [String]

    init(_ results: Results) {
        environment = results.environment
        scale = results.plan.scale
        repeats = results.plan.repeats
        durability = results.plan.durability
        summaries = results.summaries
        targets = Targets.results(results)
        measurements = results.measurements
        problems = results.problems
    }

    /// Reads a file that ``write(to:)`` has written.
    ///
    /// - Throws: ``BenchmarkError`` with the file's name when it is none.
    init(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else { throw BenchmarkError("cannot read \(path)") }
        do {
            self = try JSONDecoder().decode(ResultsFile.self, from: data)
        } catch {
            throw BenchmarkError("\(path) does not have the results of a run: \(error)")
        }
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: URL(fileURLWithPath: path))
    }
}
