import Foundation

/// All that a run found, as it is kept in a file.
struct ResultsFile: Codable, Sendable {
    /// The version of the file's format. It changes when files of the one before cannot be read any more.
    static let currentFormat = 2

    let format: Int
    let environment: RunEnvironment
    let scale: Scale
    /// How often everything was to be measured; ``stages`` tell how often it was.
    let repeats: Int
    let durability: DurabilityName
    let stages: [StageRecord]
    /// The names of the workloads that the run had no time for.
    let leftOut: [String]
    let summaries: [Summary]
    let targets: [TargetResult]
    let measurements: [Measurement]
    /// nil in older results.
    let failures: [Failure]?
    /// The failures, and what else was wrong, in words.
    let problems: [String]

    init(_ results: Results) {
        format = Self.currentFormat
        environment = results.environment
        scale = results.plan.scale
        repeats = results.plan.repeats
        durability = results.plan.durability
        stages = results.stages
        leftOut = results.leftOut
        summaries = results.summaries
        targets = Targets.results(results)
        measurements = results.measurements
        failures = results.failures
        problems = results.problems
    }

    /// What every version's files have.
    private struct Head: Decodable {
        let format: Int?
        let environment: RunEnvironment
    }

    /// Reads a file that ``write(to:)`` has written.
    ///
    /// - Throws: ``BenchmarkError`` with the file's name when it is none, or one of another version.
    init(path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { throw BenchmarkError("there is no file \(path); 'run --json FILE' writes one") }
        guard let data = FileManager.default.contents(atPath: path) else { throw BenchmarkError("cannot read \(path)") }
        let decoder = JSONDecoder()
        do {
            let head = try decoder.decode(Head.self, from: data)
            guard head.format == Self.currentFormat else {
                throw BenchmarkError(
                    """
                    \(path) was written by another version of trove-bench, in format \(head.format ?? 1); this one reads format \(Self.currentFormat). \
                    Measure anew with 'run --json FILE', or use the trove-bench of commit \(head.environment.commit).
                    """)
            }
            self = try decoder.decode(ResultsFile.self, from: data)
        } catch let error as BenchmarkError {
            throw error
        } catch {
            throw BenchmarkError("\(path) does not have the results of a run, which 'run --json FILE' writes: \(Self.reason(error))")
        }
    }

    /// What is wrong with a file, without the decoder's nesting.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "'\(key.stringValue)' is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "'\(context.codingPath.map(\.stringValue).joined(separator: "."))' has another type"
        case DecodingError.dataCorrupted: "it is no JSON"
        default: "\(error)"
        }
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
