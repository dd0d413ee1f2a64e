import TestSupport
import Testing
import TroveTesting

/// A wrapper that lets nothing fail is the engine itself.
@Suite(.serialized) struct FaultSpecificationTests {
    private static let factory = BackendFactory(
        name: "memory, wrapped", kind: .inMemory,
        openWithTimeout: { FaultInjectingBackend(try Engine.memory.open($0, timeout: $1), faults: FaultInjector()) },
        open: { FaultInjectingBackend(try Engine.memory.open($0), faults: FaultInjector()) })

    /// What a wrapper can get wrong, and not the engine alone; `ForwardingCheck` holds it to hand on everything.
    private static let cases = TestShare.cases(of: ["keyspaces", "hints", "keys", "cursors", "scans", "savepoints", "lifetime", "snapshots", "closing"])

    @Test(arguments: cases) func passes(specification: SpecificationCase) async throws {
        try await specification.run(on: Self.factory)
    }

    @Test func passesEverythingOn() throws {
        #expect(try ForwardingCheck.missing { FaultInjectingBackend($0, faults: FaultInjector()) } == [])
    }
}
