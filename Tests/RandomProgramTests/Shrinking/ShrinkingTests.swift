import TestSupport
import Testing
import TroveTesting

/// What makes failing programs short, proved by an engine with a known bug.
@Suite struct ShrinkingTests {
    private let forgetful = BackendFactory(name: "forgetful", kind: .inMemory) { ForgetfulBackend(try Engine.memory.open($0)) }

    @Test func theForgetfulEngineHasNoOtherBug() throws {
        #expect(try ForwardingCheck.missing(in: ForgetfulBackend.init) == [])
    }

    /// The bug needs an entry, seven deletions in savepoints of which the last is of that entry, and nothing else.
    @Test func aLostDeletionIsFoundAndMadeShort() throws {
        let tester = StorageProgram.tester(on: [forgetful])
        var found: ProgramFailure?
        for seed in 1...20 as ClosedRange<UInt64> where found == nil {
            do {
                try tester.test(seed: seed)
            } catch let failure as ProgramFailure {
                found = failure
            }
        }
        let failure = try #require(found)
        #expect(failure.originalStepCount == 60)
        #expect(failure.stepCount <= 2, "\(failure)")
        let steps = try ProgramText.steps(StorageStep.self, from: failure.text)
        // A transaction, a savepoint or a few, seven deletions, one entry.
        #expect(steps.operationCount <= 20, "\(failure)")
        #expect(failure.description.contains("seed \(try #require(failure.seed))"))
        // What was printed fails again when it is fed back, and passes on an engine without the bug.
        #expect(throws: (any Error).self) { try StorageProgram.run(steps, on: forgetful) }
        try StorageProgram.run(steps, on: BackendFactory(name: "memory", kind: .inMemory) { try Engine.memory.open($0) })
    }

    /// Every form that the shrinker tries is simpler than the last, so shrinking ends; and text keeps a program whole.
    @Test(arguments: 1...5 as ClosedRange<UInt64>) func programsAreKeptByTextAndShrinkToNothing(seed: UInt64) throws {
        let steps = StorageProgram.steps(seed: seed)
        #expect(steps == StorageProgram.steps(seed: seed))
        #expect(steps != StorageProgram.steps(seed: seed + 1))
        #expect(try ProgramText.steps(StorageStep.self, from: ProgramText.text(of: steps)) == steps)
        // A bug that every program with a step has.
        struct Bug: Error {}
        let tester = ProgramTester(
            "any", subjects: [.init("any") { (steps: [StorageStep]) in if !steps.isEmpty { throw Bug() } }]) { StorageProgram.steps(seed: $0) }
        #expect { try tester.test(seed: seed) } throws: { ($0 as? ProgramFailure)?.stepCount == 1 }
    }

    /// The time is a caller's, and may be longer than clocks can count.
    @Test(arguments: [(Duration(attoseconds: .max), 1), (.seconds(Int64.max), 1), (Duration(attoseconds: .min), 60)])
    func anyTimeWillDo(time: Duration, count: Int) throws {
        struct Bug: Error {}
        var tester = ProgramTester(
            "any", subjects: [.init("any") { (steps: [StorageStep]) in if !steps.isEmpty { throw Bug() } }]) { StorageProgram.steps(seed: $0) }
        tester.maxShrinkingTime = time
        #expect { try tester.test(seed: 1) } throws: { ($0 as? ProgramFailure)?.stepCount == count }
    }

    @Test func textThatIsNoProgramIsRefused() {
        #expect(throws: UnreadableProgram.self) { try ProgramText.steps(StorageStep.self, from: #"{"explode":{}}"#) }
        #expect(throws: UnreadableProgram.self, "no step at all") { try ProgramText.steps(StorageStep.self, from: "storage program, Mine, seed 3:") }
        #expect(throws: UnreadableProgram.self) {
            try ProgramText.steps(StorageStep.self, from: #"{"read":{"operations":[{"get":{"key":"6g","keyspace":"a"}}]}}"#)
        }
    }
}
