import TestSupport
import Testing

@testable import Trove

/// Random programs against a model of the rules in plain dictionaries.
@Suite struct RuleProgramTests {
    @Test(arguments: TestShare.trials([UInt64(1), 2, 3, 4, 5, 6])) func agreesWithTheModel(engine: Engine, seed: UInt64) throws {
        let fixture = try StoreFixture(engine) { backend in
            try ObjectStore(
                backend, durability: .relaxed, models: RuleAuthor.self, RuleBook.self, RulePublisher.self,
                RuleChapter.self, RuleTag.self, RuleCover.self, RuleReview.self, RuleFolder.self)
        }
        let program = RuleProgram(fixture.store, seed: seed)
        for round in 0..<60 {
            guard try program.runTransaction() else {
                Issue.record("seed \(seed), transaction \(round)")
                return
            }
        }
        let report = try fixture.store.verify()
        #expect(report.isSound, "\(report.problems)")
    }
}
