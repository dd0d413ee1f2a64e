import Testing
import TroveTesting

/// Every engine against the whole specification.
@Suite(.serialized)
struct BackendMatrixTests {
    @Test(arguments: engines.filter { !shownEngines.contains($0.name) }, BackendSpecification.cases)
    func specification(engine: BackendFactory, specification: SpecificationCase) async throws {
        try await specification.run(on: engine, deviations: deviations)
    }

    @Test func `every deviation names an engine and a case`() throws {
        try BackendSpecification.check(deviations, for: engines)
    }

    @Test func `no case is missing or listed twice`() {
        let names = BackendSpecification.cases.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count == 237)
    }
}

/// The backends that examples and tests bring along, against the whole specification: at the same time as the engines, since most cases wait more than they
/// work.
@Suite(.serialized)
struct ShownBackendMatrixTests {
    @Test(arguments: engines.filter { shownEngines.contains($0.name) }, BackendSpecification.cases)
    func specification(engine: BackendFactory, specification: SpecificationCase) async throws {
        try await specification.run(on: engine, deviations: deviations)
    }

    @Test func `each of them is in the matrix`() {
        #expect(engines.count { shownEngines.contains($0.name) } == shownEngines.count)
        #expect(engines.count > shownEngines.count)
    }
}
