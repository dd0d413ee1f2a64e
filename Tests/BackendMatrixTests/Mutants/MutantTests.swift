import EngineSupport
import Testing
import TroveStorage
import TroveTesting

/// The specification against backends that each break one guarantee: a check that cannot fail is none.
@Suite struct MutantTests {
    /// The case that is named for the mutant fails on it, for another reason than that the time is up, and passes on the same backend without
    /// the mutation: else the wrapper would be what is caught.
    @Test(arguments: Mutant.allCases) func `each is caught, and the control is not`(mutant: Mutant) async throws {
        let specification = try #require(BackendSpecification.cases.first { $0.name == mutant.caughtBy }, "there is no case \(mutant.caughtBy)")
        try await specification.run(on: Self.factory(nil, hasFiles: mutant.needsFiles))
        let failure = await #expect(throws: SpecificationFailure.self, "\(mutant) passes \(mutant.caughtBy)") {
            try await specification.run(on: Self.factory(mutant, hasFiles: mutant.needsFiles))
        }
        #expect(failure?.isTimeOut == false, "\(mutant) was not caught, the case only did not end: \(failure?.description ?? "")")
    }

    /// The wrapper answers nothing in place of its engine: a structure check that found nothing by default would hide damage.
    @Test func `the wrapper passes everything on`() throws {
        #expect(try ForwardingCheck.missing { MutantBackend(nil, over: $0) } == [])
    }

    /// With TROVE_MUTANTS=all every mutant meets every case, and the failing ones are printed.
    @Test(.enabled(if: Environment.mutants == "all"), arguments: Mutant.allCases) func `all cases that catch it`(mutant: Mutant) async throws {
        var failing: [String] = []
        for specification in BackendSpecification.cases where !specification.name.hasPrefix("sharing.") {
            do {
                try await specification.run(on: Self.factory(mutant, hasFiles: mutant.needsFiles), timeLimit: .seconds(60))
            } catch let failure as SpecificationFailure where !failure.isTimeOut {
                failing.append(specification.name)
            } catch is SpecificationFailure {}
        }
        print("\(mutant): \(failing.count) cases, first \(failing.first ?? "none"): \(failing.joined(separator: " "))")
        #expect(failing.contains(mutant.caughtBy))
    }

    private static func factory(_ mutant: Mutant?, hasFiles: Bool) -> BackendFactory {
        BackendFactory(
            name: mutant?.rawValue ?? "no mutation", kind: hasFiles ? .files : .inMemory,
            openWithTimeout: { path, timeout in try MutantBackend(mutant, hasFiles: hasFiles, path: path, timeout: timeout) },
            openReadOnly: { path in try MutantBackend(mutant, readOnly: path) },
            open: { path in try MutantBackend(mutant, hasFiles: hasFiles, path: path) })
    }
}
