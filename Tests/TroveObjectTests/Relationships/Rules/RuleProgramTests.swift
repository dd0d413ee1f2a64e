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

/// The same programs where some of the models are known from the catalogue alone.
@Suite struct UnknownModelProgramTests {
    /// The models that a program has; those that they lead to come along.
    enum Knowledge: String, CaseIterable {
        case none, tags, folders, books

        var models: [any Model.Type] {
            switch self {
            case .none: []
            case .tags: [RuleTag.self]
            case .folders: [RuleFolder.self, RuleTag.self]
            case .books: [RuleBook.self]
            }
        }
    }

    @Test(arguments: Engine.allCases, Knowledge.allCases) func agreesWithTheModel(engine: Engine, knowledge: Knowledge) throws {
        let fixture = try StoreFixture(engine) { backend in
            try ObjectStore(
                backend, durability: .relaxed, models: RuleAuthor.self, RuleBook.self, RulePublisher.self,
                RuleChapter.self, RuleTag.self, RuleCover.self, RuleReview.self, RuleFolder.self)
        }
        let numbers = try fixture.store.read { try $0.indexTable.entries.map(\.number) }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: knowledge.models) }
        let program = RuleProgram(fixture.store, seed: 7)
        for round in 0..<40 {
            guard try program.runTransaction() else {
                Issue.record("transaction \(round)")
                return
            }
        }
        let report = try fixture.store.verify()
        #expect(report.isSound, "\(report.problems)")
        #expect(try fixture.store.read { try $0.indexTable.entries.map(\.number) } == numbers, "no index was given up")
        try fixture.reopenStore()
        let whole = try fixture.store.verify()
        #expect(whole.isSound, "\(whole.problems)")
        #expect(try fixture.store.read { try $0.indexTable.entries.map(\.number) } == numbers)
    }
}
