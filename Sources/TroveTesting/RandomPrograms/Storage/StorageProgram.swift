import TroveStorage

/// Random programs over the storage API: the same on every engine and on a model of plain dictionaries, answer by answer and
/// entry by entry.
///
/// ```swift
/// let mine = BackendFactory(name: "Mine") { try MyBackend(path: $0) }
/// try StorageProgram.tester(on: [mine]).test(seed: 7)
/// ```
///
/// A ``ProgramFailure`` prints a program of a few steps, which ``run(_:on:)`` runs again:
///
/// ```swift
/// try StorageProgram.run(ProgramText.steps(from: text), on: mine)
/// ```
public enum StorageProgram {
    /// The program of a seed.
    ///
    /// - Parameter count: the number of steps, each of which is a transaction of up to 60 operations or something done to the whole store.
    public static func steps(seed: UInt64, count: Int = 60) -> [StorageStep] {
        var generator = StorageProgramGenerator(seed: seed)
        return generator.steps(count)
    }

    /// Runs a program on an engine, in its own temporary directory. Compares each answer, and the whole contents after each step, with the model's.
    ///
    /// - Throws: an error that names the step and both answers, when they differ.
    public static func run(_ steps: [StorageStep], on factory: BackendFactory) throws {
        let expected = try StorageProgramRun.answers(of: steps, on: model)
        _ = try StorageProgramRun.answers(of: steps, on: factory, expected: expected)
    }

    /// A tester of such programs; each runs on all of `factories`.
    ///
    /// - Parameter count: the number of steps of a program.
    public static func tester(on factories: [BackendFactory], count: Int = 60) -> ProgramTester<StorageStep> {
        ProgramTester(
            "storage program",
            subjects: factories.map { factory in
                ProgramTester.Subject(factory.name) { try run($0, on: factory) }
            }
        ) { steps(seed: $0, count: count) }
    }

    private static let model = BackendFactory(name: "the model", kind: .inMemory) { _ in ModelBackend() }
}
