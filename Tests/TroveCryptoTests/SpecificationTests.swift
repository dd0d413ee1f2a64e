import TestSupport
import Testing
import TroveTesting

/// The sealed store against the whole specification: each case on one engine with a file, each of which has its turn; on all engines in a whole run.
@Suite(.serialized)
struct SealedSpecificationTests {
    private static let trials = BackendSpecification.cases.enumerated().flatMap { number, specification in
        let engines = TestShare.isWhole ? Engine.allCases : [Engine.persistent[number % Engine.persistent.count]]
        return engines.map { Trial(engine: $0, specification: specification) }
    }

    struct Trial: Sendable, CustomStringConvertible {
        let engine: Engine
        let specification: SpecificationCase

        var description: String { "\(engine): \(specification)" }
    }

    @Test(arguments: trials) func passes(trial: Trial) async throws {
        try await trial.specification.run(on: trial.engine.sealedFactory)
    }

    /// The same programs on all sealed engines, answer by answer.
    @Test(arguments: [1, 2] as [UInt64]) func enginesAgree(seed: UInt64) throws {
        try StorageProgram.tester(on: Engine.allCases.map(\.sealedFactory), count: 30).test(seed: seed)
    }
}
