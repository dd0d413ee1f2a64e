import CSQLite
import EngineSupport
import Foundation
import Testing
import TroveStorage

@testable import TroveSQLite

struct LogTests {
    private func logSize(_ fixture: Fixture) throws -> Int {
        try #require(try fixture.store.statistics().engineFigures["wal_size"])
    }

    private func options(threshold: Int) -> SQLiteBackend.Options {
        var options = SQLiteBackend.Options()
        options.walAutocheckpoint = threshold
        return options
    }

    @Test func theLogStaysBounded() throws {
        let fixture = try Fixture(options(threshold: 20))
        for number in 0..<2_000 { try fixture.put(bytes(number % 50), Array(repeating: 1, count: 500)) }
        #expect(try logSize(fixture) <= 2 * 20 * 8_300)
    }

    @Test func theLogStaysBoundedBesideOverlappingReaders() async throws {
        let fixture = try Fixture(options(threshold: 20))
        try fixture.put([1], [1])
        // Without the wait for readers a run reaches 3,000 commits of two pages or more. On a busy machine one may, because the wait is bounded and
        // readers that hold a snapshot get no processor; not one after the other.
        var isBounded = false
        for _ in 0..<4 where !isBounded {
            try await writeBesideReaders(fixture.store)
            isBounded = try logSize(fixture) < 3_000 * 8_192
            for number in 0..<100 { try fixture.put(bytes(number), [1]) }
            #expect(try logSize(fixture) <= WriteAheadLog.patience * 3 * 20 * 8_300)
        }
        #expect(isBounded)
    }

    /// 3,000 small commits beside three readers that always overlap.
    private func writeBesideReaders(_ store: SQLiteBackend) async throws {
        let isDone = SharedFlag()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    try await onThread {
                        while !isDone.isRaised {
                            try store.read { (reader: any StorageReader) throws -> Void in
                                _ = try reader.keyspaceNames()
                                usleep(500)
                            }
                        }
                    }
                }
            }
            group.addTask {
                try await onThread {
                    defer { isDone.raise() }
                    for number in 0..<3_000 {
                        try store.write(.buffered) { writer in
                            try writer.put(bytes(number % 50), Array(repeating: 1, count: 500), in: try writer.createKeyspace(named: "data"))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func aLongReaderLetsTheLogGrowAndItsEndShrinksIt() throws {
        let fixture = try Fixture(options(threshold: 20))
        try fixture.put([1], [1])
        try fixture.store.read { (reader: any StorageReader) throws -> Void in
            for number in 0..<300 { try fixture.put(bytes(number % 50), Array(repeating: 1, count: 500)) }
            #expect(try logSize(fixture) > 300 * 8_192)
            let statistics = try fixture.store.statistics()
            #expect(statistics.activeReaders == 1)
            #expect(statistics.oldestReaderAge != nil)
            #expect(try reader.keyspaceNames() == ["data"])
        }
        // The reader copied the log when it left, so the next commit starts it again and cuts it.
        try fixture.put([1], [2])
        #expect(try logSize(fixture) <= WriteAheadLog.patience * 20 * 8_300)
    }

    /// A commit that finds a long log waits for short reads: the one of a snapshot would cost each its time in vain.
    @Test func readsThatGoOnForLongAreNotWaitedFor() async throws {
        let fixture = try Fixture()
        let (store, engine) = (fixture.store, fixture.store.engine)
        #expect(engine.readersMayEndSoon())
        let held = try await HeldTransactions { hold in
            try await onThread { try store.read { (_: any StorageReader) throws -> Void in try hold() } }
        }
        #expect(engine.readersMayEndSoon(youngerThan: .seconds(36_000)))
        #expect(!engine.readersMayEndSoon(youngerThan: .zero))
        try await held.end()
        #expect(engine.readersMayEndSoon(youngerThan: .zero))
    }

    @Test(arguments: Durability.allCases) func synchronousIsChosenForEachTransaction(durability: Durability) throws {
        let fixture = try Fixture()
        for level in [Durability.durable, .relaxed, durability] { try fixture.put([1], [1], level) }
        let setting = try fixture.store.engine.writer.integer("PRAGMA synchronous")
        #expect(setting == (durability == .durable ? 2 : 1))
    }

    @Test func synchronizingNeedsNoGate() throws {
        let fixture = try Fixture()
        try fixture.put([1], [1], .relaxed)
        try fixture.store.synchronize()
        try fixture.store.write(.buffered) { (_: any StorageWriter) in try fixture.store.synchronize() }
        try fixture.store.read { (_: any StorageReader) in try fixture.store.synchronize() }
        try fixture.reopen()
        try fixture.store.synchronize()
        #expect(try fixture.value(of: [1]) == [1])
    }

    @Test func anUncleanEndLosesNothing() throws {
        let fixture = try Fixture()
        for number in 0..<100 { try fixture.put(bytes(number), [UInt8(number)]) }
        // The files as a killed process leaves them.
        let copy = fixture.directory.file("copy")
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: fixture.path + suffix, toPath: copy + suffix) }
        let store = try SQLiteBackend(path: copy)
        try store.read { (reader: any StorageReader) throws -> Void in
            let data = try #require(try reader.keyspace(named: "data"))
            for number in 0..<100 { #expect(try reader.value(of: bytes(number), in: data) == [UInt8(number)]) }
        }
        try store.close()
    }

    /// The file is longer than what was committed, with zeros at its end, which every reader of the log takes for the end.
    @Test func durableCommitsFindTheLogWrittenAhead() throws {
        let fixture = try Fixture()
        func size() throws -> Int { try logSize(fixture) }
        // A program that commits little writes nothing ahead.
        for number in 0..<5 { try fixture.put(bytes(number), [UInt8(number)], .durable) }
        let pages = try #require(try fixture.store.statistics().engineFigures["wal_pages"])
        #expect(try size() == 32 + pages * (24 + 8_192))
        for number in 5..<200 { try fixture.put(bytes(number), [UInt8(number)], .durable) }
        let used = 32 + (try #require(try fixture.store.statistics().engineFigures["wal_pages"])) * (24 + 8_192)
        #expect(try size() > used && size() <= used + 130 * 8_216)
        let log = try #require(FileManager.default.contents(atPath: fixture.path + "-wal"))
        #expect(log[used...].allSatisfy { $0 == 0 } && log[..<used].suffix(8_192).contains { $0 != 0 })
        // The file grew a few times only.
        let before = try size()
        for number in 0..<40 { try fixture.put(bytes(number), [7], .durable) }
        let after = try size()
        #expect(after == before || after >= before + 100 * 8_216)

        // What a killed process leaves, read by SQLite's own program and by another store.
        let copy = fixture.directory.file("copy")
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: fixture.path + suffix, toPath: copy + suffix) }
        if Tool.isInstalled("sqlite3") {
            let (status, output) = try Tool.run("sqlite3", [copy, "PRAGMA integrity_check; SELECT count(*) >= 200 FROM trove_entries"])
            #expect(status == 0 && output == "ok\n1\n", "\(output)")
        }
        let store = try SQLiteBackend(path: copy)
        try store.read { (reader: any StorageReader) throws -> Void in
            let data = try #require(try reader.keyspace(named: "data"))
            for number in 0..<200 { #expect(try reader.value(of: bytes(number), in: data) == [number < 40 ? 7 : UInt8(number)]) }
        }
        try store.close()
    }

    /// The pages of the log, of which the compaction had written as many as the file has, were told until the next commit.
    @Test func aCompactionLeavesNoLog() throws {
        let fixture = try Fixture()
        for number in 0..<500 { try fixture.put(bytes(number), Array(repeating: 1, count: 300)) }
        try fixture.store.compact()
        let figures = try fixture.store.statistics().engineFigures
        #expect(figures["wal_pages"] == 0 && figures["wal_size"] == 0)
        #expect(try logSize(fixture) == 0)
        try fixture.put([1], [1], .durable)
        #expect(try fixture.store.statistics().engineFigures["wal_pages"] ?? 0 > 0)
        #expect(try fixture.value(of: [1]) == [1])
    }

    /// Commits that are not synced one by one gain nothing by it.
    @Test func otherCommitsWriteNothingAhead() throws {
        let fixture = try Fixture()
        for number in 0..<200 { try fixture.put(bytes(number), [UInt8(number)], .buffered) }
        let pages = try #require(try fixture.store.statistics().engineFigures["wal_pages"])
        #expect(try logSize(fixture) == 32 + pages * (24 + 8_192))
    }

    /// A log that is copied early is not made longer than it may be.
    @Test func nothingIsWrittenBeyondTheCheckpoint() throws {
        let fixture = try Fixture(options(threshold: 20))
        for number in 0..<500 { try fixture.put(bytes(number % 50), [UInt8(number % 256)], .durable) }
        #expect(try logSize(fixture) <= 2 * 20 * 8_300)
    }

    /// What a full disk asks for: all of the log is copied into the file, and the log's file gives its room back.
    @Test func aFullDiskGetsTheRoomOfTheLog() throws {
        let fixture = try Fixture(options(threshold: 1_000))
        for number in 0..<200 { try fixture.put(bytes(number), Array(repeating: 1, count: 500)) }
        #expect(try logSize(fixture) > 100_000)
        let engine = fixture.store.engine
        #expect(engine.log.makeRoom(engine.writer))
        #expect(try logSize(fixture) == 0 && engine.log.pageCount == 0)
        // Whoever reads keeps the log.
        try fixture.put([1], [1])
        try fixture.store.read { (reader: any StorageReader) throws -> Void in
            _ = try reader.keyspaceNames()
            try fixture.put([1], [2])
            #expect(!engine.log.makeRoom(engine.writer))
        }
        #expect(try fixture.value(of: [1]) == [2])
        #expect(try fixture.integrity() == "ok")
    }
}
