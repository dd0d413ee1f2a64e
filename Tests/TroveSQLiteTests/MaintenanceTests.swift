import EngineSupport
import Foundation
import Testing
import TroveStorage

@testable import TroveSQLite

struct MaintenanceTests {
    private func fill(_ fixture: Fixture, _ count: Int, round: UInt8) throws {
        try fixture.store.write(.buffered) { writer in
            let data = try writer.createKeyspace(named: "data")
            for number in 0..<count { try writer.put(bytes(number), Array(repeating: round, count: 300), in: data) }
        }
    }

    @Test func aBackupIsAConsistentStoreOfItsOwn() async throws {
        let fixture = try Fixture()
        try fill(fixture, 2_000, round: 0)
        let store = fixture.store
        let isDone = SharedFlag()
        async let writing: Void = onThread {
            for round in 1..<UInt8.max where !isDone.isRaised {
                try store.write(.buffered) { writer in
                    let data = try writer.createKeyspace(named: "data")
                    for number in 0..<2_000 { try writer.put(bytes(number), Array(repeating: round, count: 300), in: data) }
                }
            }
        }
        let copies = (0..<3).map { fixture.directory.file("copy\($0)") }
        try await onThread {
            defer { isDone.raise() }
            for copy in copies { try store.backUp(to: copy) }
        }
        try await writing
        for copy in copies {
            let opened = try SQLiteBackend(path: copy)
            try opened.read { (reader: any StorageReader) throws -> Void in
                let data = try #require(try reader.keyspace(named: "data"))
                var values: Set<[UInt8]> = []
                try reader.scan(.all, in: data, order: .ascending) { _, value in
                    values.insert([UInt8](copying: value))
                    return .next
                }
                #expect(values.count == 1)
                #expect(try reader.count(in: data) == 2_000)
            }
            try opened.close()
            if let tool = Tool("sqlite3") { #expect(try tool.run([copy, "PRAGMA integrity_check"]).output == "ok\n") }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path).allSatisfy { !$0.contains("partial") })
    }

    @Test func aBackupNeverReplacesAnything() throws {
        let fixture = try Fixture()
        try fill(fixture, 10, round: 1)
        let taken = fixture.directory.file("taken")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: taken))
        try FileManager.default.createSymbolicLink(atPath: fixture.directory.file("link"), withDestinationPath: "/nowhere/at/all")
        for name in ["taken", "link", "store"] {
            #expect(StorageError.name { try fixture.store.backUp(to: fixture.directory.file(name)) } == "destinationExists")
        }
        #expect(FileManager.default.contents(atPath: taken) == Data("mine".utf8))
        #expect(StorageError.name { try fixture.store.backUp(to: fixture.directory.file("no/copy")) } == "noSuchDirectory")
    }

    @Test func compactingGivesSpaceBack() throws {
        let fixture = try Fixture()
        try fill(fixture, 5_000, round: 1)
        try fixture.put([9], Array(repeating: 9, count: 50_000))
        try fixture.store.write(.durable) { (writer: any StorageWriter) throws -> Void in
            _ = try writer.deleteRange(KeyRange(from: bytes(10), upTo: bytes(10_000)), in: try writer.createKeyspace(named: "data"))
        }
        let before = try fixture.store.statistics()
        #expect(before.freeSize > 1_000_000)
        try fixture.store.compact()
        let after = try fixture.store.statistics()
        #expect(after.freeSize == 0)
        #expect(after.fileSize < before.fileSize / 4)
        #expect(after.engineFigures["wal_size"] == 0)
        #expect(try fixture.value(of: bytes(9)) == Array(repeating: 1, count: 300))
        #expect(try fixture.value(of: [9]) == Array(repeating: 9, count: 50_000))
        try fixture.put(bytes(11), [1])
        #expect(try fixture.integrity() == "ok")
    }

    @Test func compactingInsideATransactionIsRefused() throws {
        let fixture = try Fixture()
        try fixture.store.read { (_: any StorageReader) throws -> Void in
            #expect(StorageError.name { try fixture.store.compact() } == "writeInsideRead")
        }
        try fixture.store.write(.buffered) { (_: any StorageWriter) throws -> Void in
            #expect(StorageError.name { try fixture.store.compact() } == "writeInsideWrite")
        }
        try fixture.store.compact()
    }

    /// A read that runs wants to write while another thread waits for it to end.
    @Test func compactingDoesNotHangOnAReadThatWrites() async throws {
        let fixture = try Fixture()
        let store = fixture.store
        let entered = DispatchSemaphore(value: 0)
        async let reading: Void = onThread {
            try store.read { (_: any StorageReader) throws -> Void in
                entered.signal()
                usleep(30_000)
                try store.write(.buffered) { writer in try writer.put([1], [1], in: try writer.createKeyspace(named: "data")) }
            }
        }
        try await onThread {
            try entered.waitPatiently()
            try store.compact()
        }
        try await reading
        #expect(try fixture.value(of: [1]) == [1])
    }

    @Test func theFileIsAnOrdinaryDatabase() throws {
        let fixture = try Fixture()
        try fill(fixture, 3_000, round: 3)
        try fixture.put([1], Array(repeating: 1, count: 100_000))
        try fixture.store.close()
        let tool = try #require(Tool("sqlite3"), "the sqlite3 tool checks the file")
        #expect(try tool.run([fixture.path, "PRAGMA integrity_check"]).output == "ok\n")
        #expect(try tool.run([fixture.path, "SELECT count(*) FROM trove_entries"]).output == "3001\n")
    }

    @Test func memoryMapping() throws {
        var options = SQLiteBackend.Options()
        options.memoryMapSize = 64 << 20
        let fixture = try Fixture(options)
        try fill(fixture, 3_000, round: 3)
        try fixture.reopen(options)
        for number in 0..<100 { #expect(try fixture.value(of: bytes(number)) == Array(repeating: 3, count: 300)) }
        #expect(try fixture.integrity() == "ok")
    }
}
