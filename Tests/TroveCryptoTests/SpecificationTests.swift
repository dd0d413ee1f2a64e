import TestSupport
import Testing
import TroveTesting

/// The sealed store against the whole specification: in a whole run each case on each engine; otherwise each sixth case on one engine with a file, each of
/// which has its turn.
@Suite(.serialized)
struct SealedSpecificationTests {
    private static let trials: [Trial] = {
        let cases = BackendSpecification.cases
        if TestShare.isWhole { return cases.flatMap { specification in Engine.allCases.map { Trial(engine: $0, specification: specification) } } }
        return stride(from: 0, to: cases.count, by: 6).map { Trial(engine: Engine.persistent[$0 / 6 % Engine.persistent.count], specification: cases[$0]) }
    }()

    struct Trial: Sendable, CustomStringConvertible {
        let engine: Engine
        let specification: SpecificationCase

        var description: String { "\(engine): \(specification)" }
    }

    @Test(arguments: trials) func passes(trial: Trial) async throws {
        try await trial.specification.run(on: trial.engine.sealedFactory)
    }

    /// The same programs on all sealed engines, answer by answer.
    @Test(arguments: TestShare.isWhole ? Array(1...20) : [1] as [UInt64]) func enginesAgree(seed: UInt64) throws {
        try StorageProgram.tester(on: Engine.allCases.map(\.sealedFactory), count: 30).test(seed: seed)
    }
}
