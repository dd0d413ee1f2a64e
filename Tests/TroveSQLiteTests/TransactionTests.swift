import CSQLite
import EngineSupport
import Foundation
import Testing
import TroveStorage

@testable import TroveSQLite

struct TransactionTests {
    @Test func theSnapshotIsFixedBeforeTheBodyReads() async throws {
        let fixture = try Fixture()
        try fixture.put([1], [1])
        let store = fixture.store
        try store.read { (reader: any StorageReader) throws -> Void in
            // The body has read nothing yet when the other connection commits.
            try store.write(.buffered) { writer in try writer.put([1], [2], in: try writer.createKeyspace(named: "data")) }
            try store.write(.buffered) { writer in try writer.put([1], [9], in: try writer.createKeyspace(named: "later")) }
            let data = try #require(try reader.keyspace(named: "data"))
            #expect(try reader.value(of: [1], in: data) == [1])
            #expect(try reader.keyspace(named: "later") == nil)
            #expect(try reader.keyspaceNames() == ["data"])
        }
        #expect(try fixture.value(of: [1]) == [2])
        #expect(try fixture.value(of: [1], in: "later") == [9])
    }

    @Test func theSnapshotOutlastsManyStatements() throws {
        let fixture = try Fixture()
        try fixture.put([1], [1])
        try fixture.store.read { (reader: any StorageReader) throws -> Void in
            let data = try #require(try reader.keyspace(named: "data"))
            for round in 0..<50 {
                #expect(try reader.value(of: [1], in: data) == [1])
                #expect(try reader.count(in: data) == 1)
                try fixture.put([1], [UInt8(round)])
                try fixture.put(bytes(round), [1])
            }
        }
        #expect(try fixture.value(of: [1]) == [49])
    }

    @Test func namesAreForgottenWhenAnotherProcessChangesTheDirectory() throws {
        let fixture = try Fixture()
        try fixture.put([1], [1])
        #expect(try fixture.value(of: [1]) == [1])
        let raw = try RawDatabase(fixture.path)
        try raw.execute(
            """
            BEGIN IMMEDIATE;
            UPDATE trove_state SET generation = 2;
            UPDATE trove_keyspaces SET number = 2;
            INSERT INTO trove_entries VALUES (x'0201', x'07');
            COMMIT
            """)
        #expect(try fixture.value(of: [1]) == [7])
        try fixture.store.write(.buffered) { writer in
            let data = try #require(try writer.keyspace(named: "data"))
            #expect(data.number == 2)
            #expect(try writer.createKeyspace(named: "new").number == 3)
        }
    }

    /// It was taken as it stood, cut to 32 bits, and the greatest one ended the program.
    @Test(arguments: ["-1", "0", "4294967295", "4294967297"]) func aNumberThatNoKeyspaceHasIsDamage(number: String) throws {
        let fixture = try Fixture()
        try fixture.put([1], [1])
        // The generation tells that what was looked up is old.
        try RawDatabase(fixture.path).execute("UPDATE trove_state SET generation = 2; UPDATE trove_keyspaces SET number = \(number)")
        try #require(StorageError.name { _ = try fixture.value(of: [1]) } == "corrupt")
        #expect(StorageError.name { try fixture.put([1], [2]) } == "corrupt")
    }

    /// Without it, numbers of keyspaces began anew.
    @Test(arguments: ["UPDATE trove_state SET generation = -1", "UPDATE trove_state SET generation = 4294967296", "DELETE FROM trove_state"])
    func aGenerationThatIsDamagedWhileTheStoreIsOpenIsDamage(change: String) throws {
        let fixture = try Fixture()
        try fixture.put([1], [1])
        try RawDatabase(fixture.path).execute(change)
        #expect(StorageError.name { try fixture.put([1], [2]) } == "corrupt")
    }

    @Test func aWriterOfAnotherProcessIsWaitedForAndTimesOut() throws {
        var options = SQLiteBackend.Options()
        options.writerTimeout = .milliseconds(30)
        let fixture = try Fixture(options)
        let raw = try RawDatabase(fixture.path)
        try raw.execute("BEGIN IMMEDIATE")
        #expect(StorageError.name { try fixture.put([1], [1]) } == "timedOut")
        try raw.execute("COMMIT")
        try fixture.put([1], [1])
        #expect(try fixture.value(of: [1]) == [1])
    }

    /// Objects of one file work on one engine, and each waits as long as its own options say.
    @Test func aSecondObjectHasTimeoutsOfItsOwn() async throws {
        var options = SQLiteBackend.Options()
        options.writerTimeout = .seconds(3_600)
        options.readerTimeout = .seconds(3_600)
        options.maxReaders = 1
        let fixture = try Fixture(options)
        options.writerTimeout = .milliseconds(30)
        options.readerTimeout = .milliseconds(30)
        let (first, second) = (fixture.store, try SQLiteBackend(path: fixture.path, options: options))
        let (held, written, read) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let attempts: [String?] = onThread {
            try held.waitPatiently()
            let write = StorageError.name { try second.write(.buffered) { _ in } }
            written.signal()
            try held.waitPatiently()
            defer { read.signal() }
            return [write, StorageError.name { try second.read { (_: any StorageReader) in } }]
        }
        try await onThread {
            try first.write(.buffered) { _ in
                held.signal()
                try written.waitPatiently()
            }
            try first.read { (_: any StorageReader) throws -> Void in
                held.signal()
                try read.waitPatiently()
            }
        }
        #expect(try await attempts == ["timedOut", "timedOut"])
        // Another program is waited for no longer.
        let raw = try RawDatabase(fixture.path)
        try raw.execute("BEGIN IMMEDIATE")
        #expect(StorageError.name { try second.write(.buffered) { _ in } } == "timedOut")
        #expect(StorageError.name { try second.compact() } == "timedOut")
        try raw.execute("COMMIT")
        try second.compact()
        try second.close()
    }

    @Test func manyThreadsShareFewConnections() async throws {
        var options = SQLiteBackend.Options()
        options.maxReaders = 3
        let fixture = try Fixture(options)
        try fixture.put([1], [1])
        let store = fixture.store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await onThread {
                        for _ in 0..<20 {
                            try store.read { (reader: any StorageReader) throws -> Void in
                                let data = try #require(try reader.keyspace(named: "data"))
                                #expect(try reader.value(of: [1], in: data) == [1])
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let connections = try #require(try store.statistics().engineFigures["reader_connections"])
        #expect(connections <= 3)
    }

    @Test func nestedReadsGoBeyondTheBound() throws {
        var options = SQLiteBackend.Options()
        options.maxReaders = 1
        options.readerTimeout = .milliseconds(20)
        let fixture = try Fixture(options)
        try fixture.put([1], [1])
        let store = fixture.store
        try store.read { (_: any StorageReader) throws -> Void in
            try store.read { (_: any StorageReader) throws -> Void in
                #expect(try fixture.value(of: [1]) == [1])
                #expect(try store.statistics().activeReaders == 2)
            }
        }
        try store.write(.buffered) { writer in
            try writer.put([1], [2], in: try writer.createKeyspace(named: "data"))
            #expect(try fixture.value(of: [1]) == [1])
        }
        #expect(try store.statistics().engineFigures["reader_connections"] == 1)
    }

    @Test func anotherThreadWaitsForAConnectionAndTimesOut() async throws {
        var options = SQLiteBackend.Options()
        options.maxReaders = 1
        options.readerTimeout = .milliseconds(20)
        let fixture = try Fixture(options)
        let store = fixture.store
        let (entered, leave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let reader: Void = onThread {
            try store.read { (_: any StorageReader) throws -> Void in
                entered.signal()
                try leave.waitPatiently()
            }
        }
        let error = try await onThread {
            try entered.waitPatiently()
            defer { leave.signal() }
            return StorageError.name { try store.read { (_: any StorageReader) in } }
        }
        try await reader
        #expect(error == "timedOut")
    }

    @Test func aFullDiskPoisonsAndRollsBack() throws {
        let fixture = try Fixture()
        try fixture.put([1], [1])
        let engine = fixture.store.engine
        let pages = try engine.writer.integer("PRAGMA page_count")
        try engine.writer.execute("PRAGMA max_page_count = \(pages + 2)")
        let error = StorageError.name {
            try fixture.store.write(.durable) { writer in
                let data = try writer.createKeyspace(named: "data")
                try writer.put([2], [2], in: data)
                let failure = StorageError.name {
                    for number in 0..<1_000 { try writer.put(bytes(number), Array(repeating: 1, count: 1_000), in: data) }
                }
                #expect(failure == "diskFull")
                #expect(StorageError.name { try writer.put([3], [3], in: data) } == "transactionPoisoned")
                #expect(StorageError.name { _ = try writer.value(of: [1], in: data) } == "transactionPoisoned")
            }
        }
        #expect(error == "transactionPoisoned")
        try engine.writer.execute("PRAGMA max_page_count = 1000000")
        #expect(try fixture.value(of: [2]) == nil)
        try fixture.put([2], [3])
        #expect(try fixture.value(of: [2]) == [3])
        #expect(try fixture.integrity() == "ok")
    }

    /// SQLite rolls the whole transaction back when the disk is full, so undoing a savepoint must not make it look usable.
    @Test func afterAFullDiskASavepointDoesNotHeal() throws {
        let fixture = try Fixture()
        let engine = fixture.store.engine
        let pages = try engine.writer.integer("PRAGMA page_count")
        try engine.writer.execute("PRAGMA max_page_count = \(pages + 5)")
        let error = StorageError.name {
            try fixture.store.write(.durable) { writer in
                let data = try writer.createKeyspace(named: "data")
                try writer.put([1], [1], in: data)
                let failure = StorageError.name {
                    try writer.savepoint {
                        for number in 0..<1_000 { try writer.put(bytes(number), Array(repeating: 1, count: 1_000), in: data) }
                    }
                }
                #expect(failure == "diskFull")
                #expect(StorageError.name { try writer.put([2], [2], in: data) } == "transactionPoisoned")
            }
        }
        #expect(error == "transactionPoisoned")
        try engine.writer.execute("PRAGMA max_page_count = 1000000")
        #expect(try fixture.value(of: [1]) == nil)
        try fixture.put([1], [2])
        #expect(try fixture.integrity() == "ok")
    }

    /// All savepoints of SQLite's have one name here: one that swallows a failure has to be undone, or the one around it undoes the wrong one and keeps its own changes.
    @Test func aFailureCaughtInsideASavepointUndoesIt() throws {
        struct Unwanted: Error {}
        let fixture = try Fixture()
        try fixture.store.write(.durable) { writer in
            let data = try writer.createKeyspace(named: "data")
            let sqlite = try #require(writer as? SQLiteWriter)
            #expect(throws: Unwanted.self) {
                try writer.savepoint {
                    try writer.put([1], [1], in: data)
                    let inner = StorageError.name {
                        try writer.savepoint {
                            try writer.put([2], [2], in: data)
                            // What a call of the engine does that fails; the body goes on as if nothing had been.
                            _ = sqlite.failed(SQLITE_NOMEM)
                        }
                    }
                    #expect(inner == "transactionPoisoned")
                    #expect(try writer.value(of: [1], in: data) == [1])
                    #expect(try writer.value(of: [2], in: data) == nil)
                    throw Unwanted()
                }
            }
            #expect(try writer.value(of: [1], in: data) == nil)
            try writer.savepoint { try writer.put([3], [3], in: data) }
        }
        #expect(try fixture.value(of: [1]) == nil)
        #expect(try fixture.value(of: [2]) == nil)
        #expect(try fixture.value(of: [3]) == [3])
        #expect(try fixture.integrity() == "ok")
    }
}
