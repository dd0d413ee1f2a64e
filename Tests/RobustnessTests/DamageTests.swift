import Foundation
import ProbeKit
import TestSupport
import Testing

/// Damaged files give an error or the right answer: no crash, no hang, nothing wrong or missing without a word.
///
/// `TROVE_DAMAGE_ROUNDS=n` runs n times as many cases, each round with a seed of its own, and prints the outcomes; `TROVE_DAMAGE_ENGINE=SQLite` those of one engine.
@Suite(.serialized) struct DamageTests {
    private static let chosenRounds = ProcessInfo.processInfo.environment["TROVE_DAMAGE_ROUNDS"].flatMap(Int.init)
    static let rounds = max(1, chosenRounds ?? 1)
    /// A round that somebody asks for is whole.
    private static let casesPerRound = chosenRounds == nil && !TestShare.isWhole ? 8 : 20
    private static let engines = Engine.chosen(by: "TROVE_DAMAGE_ENGINE", of: Engine.persistent)

    @Test(arguments: engines, DamageRegion.allCases) func flippedBytes(engine: Engine, region: DamageRegion) async throws {
        let lab = try await DamageLab(engine)
        for seed in 1...Self.rounds {
            var generator = SeededGenerator(seed: UInt64(seed))
            for number in 0..<Self.casesPerRound {
                let damage = Damage(lab.original, in: region, using: &generator)
                let (outcome, isUntouched) = try await lab.open(damage.bytes)
                expectSafe(engine, outcome, isUntouched, "seed \(seed), case \(number): \(damage)")
            }
        }
        try await lab.finish(region.description)
    }

    /// Every bit of a record is covered by its checksum, so damage in a value cannot pass.
    @Test(arguments: engines) func flippedBitsInValues(engine: Engine) async throws {
        let lab = try await DamageLab(engine)
        for seed in 1...Self.rounds {
            var generator = SeededGenerator(seed: UInt64(seed))
            for number in SampleStore.untouchedItems {
                let value = Array(Item.sample(number).payload)
                let damage = try #require(
                    Damage(
                        lab.original, inValue: value, at: Int.random(in: 0..<min(value.count, 4_000), using: &generator),
                        bit: 1 << UInt8.random(in: 0..<8, using: &generator), named: "item \(number)"))
                let (outcome, isUntouched) = try await lab.open(damage.bytes)
                expectSafe(engine, outcome, isUntouched, "seed \(seed): \(damage)")
                if case .correct = outcome { Issue.record("\(engine), seed \(seed): \(damage): nothing noticed it") }
            }
        }
        try await lab.finish("values")
    }

    /// A file cut off anywhere; where only free pages are missing, the contents are right.
    ///
    /// Not cut to nothing: an empty file is a new store on every engine, because nothing tells that it was one.
    @Test(arguments: engines) func truncated(engine: Engine) async throws {
        let lab = try await DamageLab(engine)
        let size = lab.original.count
        var lengths = [1, 8, 16, 100, 255, 256, 2_048, 4_096, 6_000, 8_192, 12_288, size / 2, size / 2 / 4_096 * 4_096, size - 8_192, size - 4_096, size - 1]
        for seed in 1...Self.rounds {
            var generator = SeededGenerator(seed: UInt64(seed))
            lengths += (0..<6).map { _ in Int.random(in: 1..<size, using: &generator) }
        }
        for length in lengths {
            let (outcome, isUntouched) = try await lab.open(Array(lab.original[..<length]))
            expectSafe(engine, outcome, isUntouched, "cut from \(size) to \(length) bytes")
        }
        try await lab.finish("truncated")
    }

    /// Whole pages that are lost, of something else, in the wrong place or of an earlier time, and files that go on after their end.
    @Test(arguments: engines, PageDamage.allCases) func pages(engine: Engine, kind: PageDamage) async throws {
        let lab = try await DamageLab(engine)
        for seed in 1...Self.rounds {
            var generator = SeededGenerator(seed: UInt64(seed))
            for number in 0..<Self.casesPerRound / 2 {
                let damage = Damage(lab.original, kind, older: lab.older, using: &generator)
                let (outcome, isUntouched) = try await lab.open(damage.bytes)
                if engine == .sqlite, Self.misleadsSQLite(kind, outcome) { continue }
                expectSafe(engine, outcome, isUntouched, "seed \(seed), case \(number): \(damage)")
            }
        }
        try await lab.finish(kind.description)
    }

    /// SQLite reads a sound page wherever it is: counts and searches are misled by one that belongs elsewhere, which `verify` notices, and nothing tells an
    /// earlier state of the same page from the present one.
    private static func misleadsSQLite(_ kind: PageDamage, _ outcome: DamageOutcome) -> Bool {
        switch (kind, outcome) {
        case (.swapped, .partlyWrong), (.doubled, .partlyWrong), (.stale, .partlyWrong), (.stale, .wrong), (.stale, .silentlyMissing): true
        default: false
        }
    }

    private func expectSafe(_ engine: Engine, _ outcome: DamageOutcome, _ isUntouched: Bool, _ damage: String) {
        let description = "\(engine), \(damage)"
        switch outcome {
        case .refused:
            #expect(isUntouched, "\(description): the file was refused and changed")
        case .correct, .noticed, .partlyMissing: break
        case .silentlyMissing, .partlyWrong, .wrong, .ended: Issue.record("\(description): \(outcome)")
        }
        for fault in outcome.faults where !Self.isExpected(fault) {
            Issue.record("\(description): not an error for damage: \(fault)")
        }
    }

    /// Whether the error says that the file is damaged or not a store.
    private static func isExpected(_ fault: ProbeFault) -> Bool {
        fault.isTyped && ["corrupt", "notAStore", "newerFormat"].contains { fault.name.hasPrefix($0) }
    }
}
