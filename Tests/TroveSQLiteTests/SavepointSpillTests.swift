import Foundation
import TestSupport
import Testing
import TroveStorage

@testable import TroveSQLite

/// What stands in the log after a savepoint was undone that was larger than the cache; see `docs/decisions/0013`.
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
        let copy = fixture.directory.file("copy")
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: fixture.path + suffix, toPath: copy + suffix) }
        #expect(try RawDatabase(copy).value("PRAGMA integrity_check") == "ok")
        let recovered = try SQLiteBackend(path: copy)
        let count = try recovered.read { reader -> Int in
            try reader.count(of: .all, in: try #require(try reader.keyspace(named: "data")))
        }
        #expect(count == 42)
        try recovered.close()
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
