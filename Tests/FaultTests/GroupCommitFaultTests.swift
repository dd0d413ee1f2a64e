import TestSupport
import Testing
import Trove
import TroveTesting

/// Asynchronous writes that share commits of an engine whose calls fail now and then: each gets an answer that is true for it.
@Suite struct GroupCommitFaultTests {
    @Model("Tally") struct Tally {
        var id: Int
        @Attribute(.indexed) var count: Int
    }

    private struct Outcome: Sendable {
        let id: Int
        let error: String?
    }

    /// 200 tasks that each count one up, a few of them with an error of their own.
    private func run(_ engine: Engine, _ plan: FaultPlan) async throws -> (outcomes: [Outcome], counts: [Int: Int], faults: Int) {
        struct Own: Error {}
        let directory = try TemporaryDirectory()
        let engineBackend = try engine.open(directory.file())
        let faults = FaultInjector()
        let store = try ObjectStore(
            FaultInjectingBackend(engineBackend, faults: faults), durability: .relaxed, models: Tally.self)
        faults.arm(plan)
        let outcomes = await withTaskGroup(of: Outcome.self) { group in
            for id in 0..<200 {
                group.addTask {
                    do {
                        try await store.write { transaction in
                            let count = try transaction.fetch(Tally.self, id: id)?.count ?? 0
                            try transaction.save(Tally(id: id, count: count + 1))
                            if id % 20 == 7 { throw Own() }
                        }
                        return Outcome(id: id, error: nil)
                    } catch {
                        return Outcome(id: id, error: "\(error)")
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        faults.disarm()
        let tallies = try await store.fetch(Tally.self).all()
        let report = try await store.verify()
        #expect(report.isSound, "\(report.problems)")
        try await store.close()
        return (outcomes, Dictionary(uniqueKeysWithValues: tallies.map { ($0.id, $0.count) }), faults.faultCount)
    }

    @Test(arguments: Engine.allCases, [UInt64(1), 2, 3])
    func whatWasAcknowledgedIsThereAndNothingElse(engine: Engine, seed: UInt64) async throws {
        let plan = FaultPlan(
            .oneIn(60, seed: seed), at: FaultPoint.insideTransactions, as: seed == 2 ? .diskFull : .inputOutput,
            savepointsRecover: seed != 3)
        let (outcomes, counts, faults) = try await run(engine, plan)
        #expect(faults > 0)
        for outcome in outcomes {
            #expect(counts[outcome.id] == (outcome.error == nil ? 1 : nil), "\(outcome)")
            if outcome.id % 20 == 7 { #expect(outcome.error != nil) }
        }
    }

    /// A group's commit that is reported as failed may have happened. Each change of the group was tried once more, alone, and then counted twice.
    @Test(arguments: Engine.allCases, FaultKind.allCases) func whatMayHaveBeenDoneIsNotDoneTwice(engine: Engine, kind: FaultKind) async throws {
        let (outcomes, counts, faults) = try await run(engine, FaultPlan(.oneIn(2, seed: 5), at: [.afterCommit], as: kind))
        #expect(faults > 0)
        for outcome in outcomes {
            #expect(counts[outcome.id] == (outcome.id % 20 == 7 ? nil : 1), "\(outcome)")
        }
        #expect(outcomes.contains { $0.error != nil && $0.id % 20 != 7 })
    }
}
