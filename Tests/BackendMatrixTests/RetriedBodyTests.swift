import EngineSupport
import Testing
import TroveTesting

/// The specification asks nothing of an engine that one may not do whose write bodies run more than once.
@Suite(.serialized) struct RetriedBodyTests {
    private static let factory = BackendFactory(
        name: "memory, retrying", kind: .inMemory,
        openWithTimeout: { RetryingBackend(try Engine.memory.open($0, timeout: $1)) },
        open: { RetryingBackend(try Engine.memory.open($0)) })

    /// Those whose bodies do more than change the store.
    private static let cases = TestShare.cases(of: ["keys", "reentry", "savepoints", "writers"])

    @Test(arguments: cases) func passes(specification: SpecificationCase) async throws {
        try await specification.run(on: Self.factory)
    }
}
