import EngineSupport
import Foundation
import Testing
import TroveStorage

@testable import TroveSQLite

/// What stands in the log after a savepoint or a statement was undone that was larger than the cache; see `docs/decisions/0013`.
@Suite struct SavepointSpillTests {
    private struct Undone: Error {}

    private static let small: SQLiteBackend.Options = {
        var options = SQLiteBackend.Options()
        options.cacheSize = 64 << 10
        options.walAutocheckpoint = 100_000
        return options
    }()

    /// The first rows go to the log once, the last ones twice.
    private func fillAndUndo(_ writer: any StorageWriter, _ data: Keyspace, depth: Int) throws {
        do {
            try writer.savepoint {
                if depth > 1 { try fillAndUndo(writer, data, depth: depth - 1) }
                for round in 0..<4 {
                    for number in (round == 0 ? 0 : 300)..<400 { try writer.put(bytes(number), Array(repeating: UInt8(round), count: 1_000), in: data) }
                }
                throw Undone()
            }
        } catch is Undone {}
    }

    /// A copy of the file and its log is what a process finds that opens the store after a crash.
    @Test(arguments: [1, 2]) func whatIsCommittedAfterItIsRecovered(depth: Int) throws {
        let fixture = try Fixture(Self.small)
        try fixture.put([0], [0])
        try fixture.store.write(.buffered) { writer in
            let data = try writer.createKeyspace(named: "data")
            try writer.put([1], [1], in: data)
            try fillAndUndo(writer, data, depth: depth)
            for number in 1_000..<1_040 { try writer.put(bytes(number), Array(repeating: 7, count: 1_000), in: data) }
        }
        #expect(try countAfterCrash(of: fixture) == 42)
    }

    /// SQLite undoes a statement of the application's that fails as it undoes a savepoint.
    @Test(arguments: [false, true]) func whatIsCommittedAfterAFailedStatementIsRecovered(isInSavepoint: Bool) throws {
        let fixture = try Fixture(Self.small)
        try fixture.put([0], [0])
        try fixture.store.write(.buffered) { writer in
            try #require(SQLiteConnection(writer)).execute("CREATE TABLE visits(id INTEGER PRIMARY KEY, v BLOB, n CHECK (n < 500))")
        } as Void
        let before = try fixture.logSize
        try fixture.store.write(.buffered) { writer in
            let data = try writer.createKeyspace(named: "data")
            try writer.put([0], [1], in: data)
            let fail = {
                let sql = try #require(SQLiteConnection(writer))
                let name = StorageError.name { try sql.execute(Self.failing) }
                #expect(name == "engineFailure")
            }
            if isInSavepoint { try writer.savepoint(fail) } else { try fail() }
            #expect(try fixture.logSize == before)
            for number in 1_000..<1_040 { try writer.put(bytes(number), Array(repeating: 7, count: 1_000), in: data) }
        }
        #expect(try countAfterCrash(of: fixture) == 41)
    }

    /// Stores 400 rows, the last 100 of them again, and then one that the table refuses.
    private static let failing = """
        WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 500)
          INSERT INTO visits SELECT CASE WHEN i < 400 THEN i ELSE i - 100 END, zeroblob(1000), i FROM n WHERE true
          ON CONFLICT (id) DO UPDATE SET v = excluded.v, n = excluded.n
        """

    /// How many entries a process finds that opens what is on the disk now.
    private func countAfterCrash(of fixture: Fixture) throws -> Int {
        let copy = fixture.directory.file("copy")
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: fixture.path + suffix, toPath: copy + suffix) }
        #expect(try RawDatabase(copy).value("PRAGMA integrity_check") == "ok")
        let recovered = try SQLiteBackend(path: copy)
        let count = try recovered.read { reader -> Int in
            try reader.count(of: .all, in: try #require(try reader.keyspace(named: "data")))
        }
        try recovered.close()
        return count
    }

    /// Outside of savepoints a transaction larger than the cache goes to the log before its commit, also after a savepoint.
    @Test func transactionsWithoutSavepointsSpill() throws {
        let fixture = try Fixture(Self.small)
        try fixture.put([0], [0])
        let before = try fixture.logSize
        try fixture.store.write(.buffered) { writer in
            let data = try writer.createKeyspace(named: "data")
            try writer.savepoint {
                for number in 0..<400 { try writer.put(bytes(number), Array(repeating: 1, count: 1_000), in: data) }
                #expect(try fixture.logSize == before)
            }
            for number in 400..<800 { try writer.put(bytes(number), Array(repeating: 1, count: 1_000), in: data) }
            #expect(try fixture.logSize > before + 400_000)
        }
    }
}

extension Fixture {
    fileprivate var logSize: Int {
        get throws { try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0 }
    }
}
