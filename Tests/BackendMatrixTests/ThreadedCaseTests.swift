import EngineSupport
import Testing
import TroveTesting

/// The cases of the specification in which several threads use a store, by themselves: what `make tsan` runs of it.
@Suite(.serialized, .enabled(if: Environment.runsThreadedCases)) struct ThreadedCaseTests {
    private static let cases = BackendSpecification.cases(of: ["concurrency", "writers", "snapshots", "reentry", "openingTwice", "closing", "compaction"])

    @Test(arguments: engines, cases)
    func specification(engine: BackendFactory, specification: SpecificationCase) async throws {
        try await specification.run(on: engine, deviations: deviations)
    }
}
