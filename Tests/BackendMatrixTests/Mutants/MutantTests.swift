import TestSupport
import Testing
import TroveStorage
import TroveTesting

/// The specification against backends that each break one guarantee: a check that cannot fail is none.
@Suite struct MutantTests {
    /// The case that is named for the mutant fails on it, and passes on the engine that the mutant is made of.
    @Test(arguments: Mutant.allCases) func `each is caught`(mutant: Mutant) async throws {
        let specification = try #require(BackendSpecification.cases.first { $0.name == mutant.caughtBy }, "there is no case \(mutant.caughtBy)")
        await #expect(throws: SpecificationFailure.self, "\(mutant) passes \(mutant.caughtBy)") {
            try await specification.run(on: Self.factory(mutant), timeLimit: .seconds(60))
        }
    }

    /// With TROVE_MUTANTS=all every mutant meets every case, and the failing ones are printed.
    @Test(.enabled(if: Environment.mutants == "all"), arguments: Mutant.allCases) func `all cases that catch it`(mutant: Mutant) async throws {
        var failing: [String] = []
        for specification in BackendSpecification.cases where !specification.name.hasPrefix("sharing.") {
            do { try await specification.run(on: Self.factory(mutant), timeLimit: .seconds(20)) } catch { failing.append(specification.name) }
        }
        print("\(mutant): \(failing.count) cases, first \(failing.first ?? "none"): \(failing.joined(separator: " "))")
        #expect(failing.contains(mutant.caughtBy))
    }

    private static func factory(_ mutant: Mutant) -> BackendFactory {
        BackendFactory(
            name: "\(mutant)", isPersistent: mutant.needsFiles,
            openWithTimeout: { path, timeout in try MutantBackend(mutant, path: path, timeout: timeout) },
            open: { path in try MutantBackend(mutant, path: path) })
    }
}
