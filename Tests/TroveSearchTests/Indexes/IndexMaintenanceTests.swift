import Foundation
import Synchronization
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

@Suite struct IndexMaintenanceTests {
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Track.self) }
    }

    /// Random changes in random transactions, with savepoints and rollbacks, against a dictionary of the objects.
    @Test(arguments: TestShare.trials([UInt64(1), 2, 3, 4])) func randomChanges(engine: Engine, seed: UInt64) throws {
        let fixture = try fixture(engine)
        // Some programs write what they note every few changes, in the middle of batches too.
        if seed.isMultiple(of: 2) { fixture.store.core.maxBufferedIndexSize.store(4_000, ordering: .relaxed) }
        var program = RandomTracks(seed: seed)
        for round in 0..<12 {
            var changed = program.tracks
            let isRolledBack = program.chance(4)
            do {
                try fixture.store.write { transaction in
                    changed = program.tracks
                    for _ in 0..<program.number(1...6) { try program.change(transaction, &changed) }
                    // A read in the middle writes what is noted.
                    if program.chance(3) { try expectIndexes(transaction, of: changed.values) }
                    for _ in 0..<program.number(0...4) { try program.change(transaction, &changed) }
                    if isRolledBack { throw RandomTracks.Rollback() }
                }
                program.tracks = changed
            } catch is RandomTracks.Rollback {}
            if round % 3 == 0 { try expectIndexes(fixture.store, of: program.tracks.values) }
            if round == 6 { try fixture.reopenStore() }
        }
        try expectIndexes(fixture.store, of: program.tracks.values)
        let stored = try fixture.store.fetch(Track.self).all()
        #expect(Dictionary(uniqueKeysWithValues: stored.map { ($0.id, $0) }) == program.tracks)
    }
}
