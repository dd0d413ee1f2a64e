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
    private static let topics: Set = ["keyspaces", "hints", "keys", "cursors", "scans", "savepoints", "lifetime", "snapshots", "closing"]

    @Test(arguments: BackendSpecification.cases.filter { TestShare.isWhole || topics.contains($0.topic) }) func passes(specification: SpecificationCase) async throws {
        try await specification.run(on: Self.factory)
    }

    @Test func everyTopicIsOne() { #expect(Self.topics.isSubset(of: BackendSpecification.cases.map(\.topic))) }

    @Test func passesEverythingOn() throws {
        #expect(try ForwardingCheck.missing { FaultInjectingBackend($0, faults: FaultInjector()) } == [])
    }
}
