import Foundation
import TroveTesting

/// How much of the tests runs that could go on for ever: crashes, damage, faults, random programs.
public enum TestShare {
    /// Whether all of it runs, as `make test-all` asks; otherwise a fixed share, the same each time.
    public static let isWhole = ProcessInfo.processInfo.environment["TROVE_TESTS"] == "all"

    /// How many rounds a random program goes of those that the whole has: a third.
    public static func rounds(_ whole: Int) -> Int { isWhole ? whole : (whole + 2) / 3 }

    /// The engines that try the trial of this number: all of them, or memory and one with a file, each of which has its turn.
    ///
    /// For what is above the storage contract, where all engines run the same code.
    public static func engines(_ number: Int, of engines: [Engine] = Engine.allCases) -> [Engine] {
        let files = engines.filter { $0 != .memory }
        guard !isWhole, files.count > 1 else { return engines }
        return engines.filter { $0 == .memory || $0 == files[number % files.count] }
    }

    /// Each of the seeds, or of what else there is to try, with the engines whose turn it is.
    public static func trials<Seed: Sendable>(_ seeds: [Seed]) -> [(Engine, Seed)] {
        seeds.enumerated().flatMap { number, seed in engines(number).map { ($0, seed) } }
    }

    /// The specification: all of it, or the cases of these topics.
    public static func cases(of topics: Set<String>) -> [SpecificationCase] {
        let chosen = BackendSpecification.cases(of: topics)
        return isWhole ? BackendSpecification.cases : chosen
    }
}

extension BackendSpecification {
    /// The cases of these topics.
    ///
    /// - Precondition: Each of the topics has cases. One that was renamed would be left out, and nobody would notice.
    public static func cases(of topics: Set<String>) -> [SpecificationCase] {
        let unknown = topics.subtracting(cases.map(\.topic))
        precondition(unknown.isEmpty, "the specification has no topic \(unknown.sorted().joined(separator: ", "))")
        return cases.filter { topics.contains($0.topic) }
    }
}
