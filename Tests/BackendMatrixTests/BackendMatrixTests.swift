import Testing
import TroveTesting

/// Every engine against the whole specification.
@Suite(.serialized)
struct BackendMatrixTests {
    @Test(arguments: engines, BackendSpecification.cases)
    func specification(engine: BackendFactory, specification: SpecificationCase) async throws {
        try await specification.run(on: engine, deviations: deviations)
    }

    @Test func `every deviation names an engine and a case`() throws {
        try BackendSpecification.check(deviations, for: engines)
    }

    @Test func `no case is missing or listed twice`() {
        let names = BackendSpecification.cases.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count == 203)
    }
}
