import Foundation
import TestSupport
import Testing
import Trove
import TroveSQLite

@testable import TestModels

/// What an engine offers beyond the contract, inside a store's transactions: on SQLite SQL, on others a typed error.
@Suite struct EngineAccessTests {
    private struct Undone: Error {}

    @Test(arguments: Engine.allCases) func tablesBesideObjects(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Song.self) }
        let store = fixture.store
        let song = Song.sample(1)
        let result = Result {
            try store.write { transaction in
                try transaction.save(song)
                let sql = try transaction.engine(SQLiteConnection.self)
                try sql.execute("CREATE TABLE visits (page TEXT PRIMARY KEY, count INTEGER)")
                try transaction.savepoint { try sql.execute("INSERT INTO visits VALUES (?, 1)", "songs") }
            }
        }
        guard engine == .sqlite else {
            #expect { try result.get() } throws: { ($0 as? StorageError)?.name == "unsupported" && "\($0)".contains("SQLiteConnection needs a store directly on SQLite") }
            #expect(try store.fetch(Song.self).count() == 0)
            return
        }
        try result.get()
        #expect(throws: Undone.self) {
            try store.write { transaction in
                try transaction.engine(SQLiteConnection.self).execute("UPDATE visits SET count = 2")
                try transaction.delete(song)
                throw Undone()
            }
        }
        try fixture.reopenStore()
        let counts = try fixture.store.read { try $0.engine(SQLiteConnection.self).rows("SELECT count FROM visits").map { $0["count"]?.integer } }
        #expect(counts == [1])
        let soundCounts = try fixture.store.read(passingOver: { _ in }) { (transaction: ReadTransaction) throws -> Int in
            try transaction.engine(SQLiteConnection.self).rows("SELECT count FROM visits").count
        }
        #expect(soundCounts == 1)
        #expect(try fixture.store.fetch(Song.self, id: song.id) == song)
        #expect(try fixture.store.verify().isSound)
        // Copies are of objects, keyspaces and blobs.
        let directory = try TemporaryDirectory()
        let copy = try Engine.sqlite.open(directory.file())
        try fixture.store.copy(to: copy)
        let moved = try ObjectStore(copy, models: Song.self)
        #expect { try moved.read { try $0.engine(SQLiteConnection.self).rows("SELECT count FROM visits") } } throws: { "\($0)".contains("no such table") }
        try moved.close()
    }

    /// What it gave there would work after the closure, on a connection that another thread uses by then.
    @Test(arguments: Engine.keepingSnapshots) func notInASnapshot(engine: Engine) throws {
        let (fixture, _) = try StoreFixture.ofSongs(engine, count: 1)
        let snapshot = try fixture.store.snapshot()
        #expect { try snapshot.read { _ = try $0.engine(SQLiteConnection.self) } } throws: {
            ($0 as? StorageError)?.name == "unsupported" && "\($0)".contains("store.read")
        }
        #expect(try snapshot.fetch(Song.self).count() == 1)
        snapshot.close()
        withExtendedLifetime(fixture) {}
    }
}
