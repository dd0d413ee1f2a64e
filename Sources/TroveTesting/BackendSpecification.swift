import TroveStorage

/// The requirements on every storage engine, as cases that any test framework can run.
///
/// ```swift
/// @Test(arguments: BackendSpecification.cases)
/// func specification(_ specification: SpecificationCase) async throws {
///     try await specification.run(on: BackendFactory(name: "Mine") { try MyBackend(path: $0) })
/// }
/// ```
public enum BackendSpecification {
    /// All cases, by topic.
    public static let cases: [SpecificationCase] = [
        order, ranges, entries, scans, scansAmongChanges, keys, hints, cursors, cursorsAmongChanges, manyEntries, deletingRanges, keyspaces, keyspaceNames,
        limits, largeValues, snapshots, snapshotReads, stamps, concurrentReaders, atomicity, savepoints, savepointHandles, lifetime, writers, reentry, closing,
        openingTwice, readOnly, sharing, durability, backup, compaction, structure, statistics, capabilities, concurrency, random,
    ].flatMap { $0 }

    /// Checks that every deviation names an engine of `factories` and an existing case, and no two the same.
    ///
    /// - Throws: ``SpecificationFailure`` that names the deviation.
    public static func check(_ deviations: [SpecificationDeviation], for factories: [BackendFactory]) throws {
        var seen: Set<[String]> = []
        for deviation in deviations {
            let problem: String? =
                if !factories.contains(where: { $0.name == deviation.engine }) {
                    "there is no engine of this name"
                } else if !cases.contains(where: { $0.name == deviation.caseName }) {
                    "there is no case of this name"
                } else if !seen.insert([deviation.engine, deviation.caseName]).inserted {
                    "it is listed twice"
                } else {
                    nil
                }
            if let problem {
                throw SpecificationFailure(
                    caseName: deviation.caseName, engine: deviation.engine,
                    expectation: "every listed deviation to name an engine and a case, once", found: problem,
                    file: #fileID, line: #line)
            }
        }
    }
}
