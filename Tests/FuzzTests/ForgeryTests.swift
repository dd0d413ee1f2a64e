import Foundation
import TestSupport
import Testing

@testable import Trove

/// Stores in which a forger has changed fields to extremes: every entry in every way, at places and with extremes that a seed chooses.
///
/// `TROVE_FORGERIES=n` with n above 1 tries every entry n times, and `make test-all` twice; otherwise one in ten is tried.
@Suite struct ForgeryTests {
    private static let rounds = max(1, ProcessInfo.processInfo.environment["TROVE_FORGERIES"].flatMap(Int.init) ?? (TestShare.isWhole ? 2 : 1))

    @Test(arguments: ForgeryCheck.Kind.allCases) func everyEntry(kind: ForgeryCheck.Kind) throws {
        let contents = try StoreCheck.contents.get()
        var generator = SeededGenerator(seed: 18)
        let turn = ForgeryCheck.Kind.allCases.firstIndex(of: kind) ?? 0
        for _ in 0..<Self.rounds {
            // One in ten in a short run, others for each kind.
            for number in contents.entries.indices where Self.rounds > 1 || (number + turn) % 10 == 0 {
                let place = Int.random(in: 0..<512, using: &generator)
                let extreme = ForgeryCheck.extremes.randomElement(using: &generator) ?? 0
                var entries = contents.entries
                ForgeryCheck.forge(&entries, number, kind, place, extreme, contents)
                check(entries, "entry \(number), \(kind), place \(place), \(extreme)")
            }
        }
    }

    /// Each leaf of the catalogue at each of the extremes that trap where numbers are added and converted.
    @Test func everyLeafOfTheCatalogue() throws {
        let contents = try StoreCheck.contents.get()
        for number in contents.entries.indices where contents.entries[number].keyspace == Catalogue.keyspaceName {
            for place in stride(from: 0, to: 64, by: Self.rounds > 1 ? 1 : 9) {
                for extreme in [UInt64.max >> 1, 1 << 63, .max] {
                    var entries = contents.entries
                    ForgeryCheck.forge(&entries, number, .leaf, place, extreme, contents)
                    check(entries, "catalogue entry \(number), leaf \(place), \(extreme)")
                }
            }
        }
    }

    private func check(_ entries: [StoreCheck.Entry], _ what: String) {
        let file = entries.reduce(0) { $0 + $1.key.count + $1.value.count }
        do {
            let peak = try ForgedMemoryTests.peak { try StoreCheck.check(entries) }
            #expect(peak <= ForgedMemoryTests.bound(file), "\(what): \(peak) bytes of a file of \(file)")
        } catch {
            Issue.record("\(what): \(error)")
        }
    }
}
