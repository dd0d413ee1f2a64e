/// Runs random programs on the subjects of a test, and shortens those that fail.
///
/// ```swift
/// let tester = StorageProgram.tester(on: [BackendFactory(name: "Mine") { try MyBackend(path: $0) }])
/// for seed in 0..<100 as Range<UInt64> { try tester.test(seed: seed) }
/// ```
///
/// Other layers test themselves with programs of their own: a type of steps, how a seed makes them, and how they run.
public struct ProgramTester<Step: ProgramStep>: Sendable {
    /// The subject of a program: an engine, say.
    public struct Subject: Sendable {
        /// The name in failures.
        public let name: String
        /// Runs a program; throws when a result is wrong.
        public let run: @Sendable ([Step]) throws -> Void

        /// Names a subject.
        public init(_ name: String, run: @escaping @Sendable ([Step]) throws -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// The kind of these programs.
    public let name: String
    /// The subjects that every program runs on, one after the other.
    public let subjects: [Subject]
    /// The largest number of runs to shorten a failing program.
    public var maxShrinkingRuns = 4_000
    /// The longest time to shorten a failing program in, whose last run may go beyond it.
    public var maxShrinkingTime = Duration.seconds(30)

    private let generate: @Sendable (UInt64) -> [Step]

    /// Creates a tester of some programs on some subjects.
    ///
    /// - Parameter generate: the program of a seed, always the same.
    public init(_ name: String, subjects: [Subject], generate: @escaping @Sendable (_ seed: UInt64) -> [Step]) {
        self.name = name
        self.subjects = subjects
        self.generate = generate
    }

    /// The program of a seed.
    public func program(seed: UInt64) -> [Step] { generate(seed) }

    /// Runs the program of a seed on every subject; returns the number of its elementary operations.
    ///
    /// - Throws: ``ProgramFailure`` with the program made short.
    @discardableResult
    public func test(seed: UInt64) throws -> Int {
        let steps = generate(seed)
        try test(steps, seed: seed)
        return steps.operationCount
    }

    /// Runs a program that was written down, for instance one that a ``ProgramFailure`` printed.
    ///
    /// - Throws: ``ProgramFailure`` with the program made short.
    public func test(_ steps: [Step]) throws { try test(steps, seed: nil) }

    private func test(_ steps: [Step], seed: UInt64?) throws {
        for subject in subjects {
            do {
                try subject.run(steps)
            } catch {
                var shrinker = ProgramShrinker(steps, failure: error, maxRuns: maxShrinkingRuns, maxTime: maxShrinkingTime, run: subject.run)
                shrinker.shrink()
                throw ProgramFailure(
                    program: name, subject: subject.name, seed: seed, reason: "\(shrinker.failure)", firstReason: "\(error)",
                    text: try ProgramText.text(of: shrinker.steps), stepCount: shrinker.steps.count,
                    originalStepCount: steps.count, runs: shrinker.runs)
            }
        }
    }
}
