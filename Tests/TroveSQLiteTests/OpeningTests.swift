import CSQLite
import EngineSupport
import Foundation
import Testing
import TroveStorage

@testable import TroveSQLite

struct OpeningTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file() }

    init() throws { directory = try TemporaryDirectory() }

    private func openingError() -> String? {
        StorageError.name { try SQLiteBackend(path: path).close() }
    }

    private func contents(_ path: String) -> Data? { FileManager.default.contents(atPath: path) }

    /// Of a longer one SQLite says that it is not able to open the file, and no more.
    @Test func aPathIsAsLongAsSQLiteTakesIt() throws {
        var place = directory.path
        while place.utf8.count < Connection.maxPathSize - 90 {
            place += "/" + String(repeating: "d", count: 29)
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        }
        func path(_ size: Int) -> String { place + "/" + String(repeating: "f", count: size - place.utf8.count - 1) }
        let longest = try SQLiteBackend(path: path(Connection.maxPathSize))
        try longest.write(.durable) { writer in
            let data = try writer.createKeyspace(named: "data")
            try writer.put([1], [2], in: data)
        }
        let tooLong = path(Connection.maxPathSize + 1)
        #expect(StorageError.name { _ = try SQLiteBackend(path: tooLong) } == "unsupported")
        #expect(StorageError.name { try longest.backUp(to: tooLong) } == "unsupported")
        // A backup is written under a longer name first.
        #expect(StorageError.name { try longest.backUp(to: path(Connection.maxPathSize - 5)) } == "unsupported")
        try longest.backUp(to: path(Connection.maxPathSize - 40))
        try longest.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: place).count == 2)
    }

    @Test func aNewFileIsMarked() throws {
        try SQLiteBackend(path: path).close()
        let raw = try RawDatabase(path)
        #expect(try raw.value("PRAGMA application_id") == "\(StoreFormat.applicationID)")
        #expect(try raw.value("PRAGMA user_version") == "1")
        #expect(try raw.value("PRAGMA page_size") == "8192")
        #expect(try raw.value("PRAGMA journal_mode") == "wal")
        // The mark is in the file itself, where it is looked for before SQLite reads any log.
        #expect(contents(path)?[68..<72] == Data("Trov".utf8))
    }

    @Test func anEmptyFileBecomesAStore() throws {
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(openingError() == nil)
        #expect(openingError() == nil)
    }

    /// The crash loop's power losses left a file of zeros beside the journal that makes it empty again, and the zeros were refused as no database
    /// before SQLite saw the journal. A file of zeros without one, or with one of a file that had pages, stays refused.
    @Test(arguments: [(0, nil), (1, "notAStore")] as [(UInt8, String?)])
    func aStoreThatWasNotFinishedIsMadeAgain(pages: UInt8, error: String?) throws {
        let zeros = Data(count: 8_192)
        try zeros.write(to: URL(fileURLWithPath: path))
        #expect(openingError() == "notAStore")
        // No records; a random number; the pages the file had; sectors of 512 bytes, pages of 8,192.
        var journal = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7] + [0, 0, 0, 0] + [1, 2, 3, 4] + [0, 0, 0, pages] + [0, 0, 2, 0] + [0, 0, 0x20, 0])
        journal.append(Data(count: 512 - journal.count))
        try journal.write(to: URL(fileURLWithPath: path + "-journal"))
        #expect(openingError() == error)
        if error == nil { #expect(openingError() == nil) } else { #expect(contents(path) == zeros) }
    }

    /// SQLite takes what is missing of the last page for zeros: a search found nothing there, while a scan of other pages went well.
    @Test(arguments: [1, 100, 4_096, 8_191]) func aFileThatEndsWithinItsLastPageIsRefused(missing: Int) throws {
        let store = try SQLiteBackend(path: path)
        for number in 0..<400 {
            try store.write(.relaxed) { writer in
                try writer.put(bytes(number), [UInt8](repeating: 1, count: 200), in: try writer.createKeyspace(named: "data"))
            }
        }
        try store.close()
        let whole = try #require(contents(path))
        #expect(whole.count % 8_192 == 0)
        let cut = whole.dropLast(missing)
        try cut.write(to: URL(fileURLWithPath: path))
        for isReadOnly in [false, true] {
            #expect { try isReadOnly ? Engine.sqlite.openReadOnly(path).close() : SQLiteBackend(path: path).close() } throws: {
                "\($0)".contains("the file is cut off: it should have \(whole.count) bytes and has \(cut.count)") && "\($0)".hasSuffix("[corrupt]")
            }
            #expect(contents(path) == cut)
        }
        try whole.write(to: URL(fileURLWithPath: path))
        #expect(openingError() == nil)
        // A log that has other pages makes up for nothing.
        let open = try SQLiteBackend(path: path)
        try open.write(.durable) { writer in try writer.put(bytes(0), [2], in: try writer.createKeyspace(named: "data")) }
        let copy = directory.file("copy")
        try #require(contents(path)).dropLast(missing).write(to: URL(fileURLWithPath: copy))
        try #require(contents(path + "-wal")).write(to: URL(fileURLWithPath: copy + "-wal"))
        #expect(StorageError.name { try SQLiteBackend(path: copy).close() } == "corrupt")
        try open.close()
    }

    @Test(arguments: ["DELETE", "WAL"]) func aDatabaseOfAnotherProgramIsLeftUntouched(mode: String) throws {
        let raw = try RawDatabase(path)
        try raw.execute("PRAGMA journal_mode = \(mode); CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        let files = ["", "-wal", "-shm"].map { path + $0 }
        let before = files.map(contents)
        #expect(openingError() == "notAStore")
        #expect(files.map(contents) == before)
        #expect(try raw.value("SELECT a FROM t") == "1")
    }

    @Test func anotherProgramsDatabaseKeepsItsLocks() throws {
        let raw = try RawDatabase(path)
        try raw.execute("CREATE TABLE t (a); BEGIN EXCLUSIVE; INSERT INTO t VALUES (1)")
        #expect(openingError() == "notAStore")
        // Had the check opened and closed the file by itself, the lock would be gone for other processes.
        #expect(try lockedElsewhere())
        try raw.execute("COMMIT")
    }

    /// Whether the sqlite3 tool, another process, finds the file locked. True where the tool is not installed.
    private func lockedElsewhere() throws -> Bool {
        guard let tool = Tool("sqlite3") else { return true }
        return try tool.run([path, "SELECT count(*) FROM t"]).output.contains("locked")
    }

    @Test func otherFilesAreNotStores() throws {
        for text in ["This is a letter.\n", String(repeating: "x", count: 5_000)] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            #expect(openingError() == "notAStore")
            #expect(contents(path) == Data(text.utf8))
        }
    }

    @Test func aNewerFormatIsRefused() throws {
        try SQLiteBackend(path: path).close()
        try RawDatabase(path).execute("PRAGMA journal_mode = DELETE; PRAGMA user_version = 2")
        let before = contents(path)
        #expect(openingError() == "newerFormat")
        #expect(contents(path) == before)
    }

    @Test func missingTablesAreDamage() throws {
        try SQLiteBackend(path: path).close()
        try RawDatabase(path).execute("PRAGMA journal_mode = DELETE; DROP TABLE trove_entries")
        #expect(openingError() == "corrupt")
    }

    /// SQLite would compute what a forged definition says, as large as it says, when the value is read.
    @Test(arguments: [
        "UPDATE sqlite_schema SET sql = 'CREATE TABLE trove_state (x, generation AS (length(hex(zeroblob(100000000))) * 0))' WHERE name = 'trove_state'",
        "CREATE INDEX mine ON trove_values (length(hex(zeroblob(id))))",
        "CREATE TRIGGER mine AFTER INSERT ON trove_entries BEGIN DELETE FROM trove_entries; END",
    ])
    func forgedTablesAreDamage(change: String) throws {
        try SQLiteBackend(path: path).close()
        try RawDatabase(path).execute("PRAGMA journal_mode = DELETE; PRAGMA writable_schema = ON; \(change)")
        #expect(openingError() == "corrupt")
    }

    @Test(arguments: [40, 8_192, 20_000]) func aTruncatedFileIsDamage(size: Int) throws {
        let store = try SQLiteBackend(path: path)
        try store.write(.durable) { writer in
            let data = try writer.createKeyspace(named: "data")
            for number in 0..<1_000 { try writer.put(bytes(number), Array(repeating: 7, count: 100), in: data) }
        }
        try store.close()
        let whole = try #require(contents(path))
        try whole.prefix(size).write(to: URL(fileURLWithPath: path))
        #expect(openingError() == "corrupt")
        #expect(contents(path)?.prefix(size) == whole.prefix(size))
    }

    @Test(arguments: [16, 18, 20, 100]) func aDamagedHeaderIsATypedError(offset: Int) throws {
        try SQLiteBackend(path: path).close()
        var data = try #require(contents(path))
        data.replaceSubrange(offset..<offset + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
        try data.write(to: URL(fileURLWithPath: path))
        let error = openingError()
        #expect(error == "corrupt" || error == "readOnly", "\(error ?? "none")")
    }

    @Test func aDamagedPageIsATypedError() throws {
        let store = try SQLiteBackend(path: path)
        try store.write(.durable) { writer in
            let data = try writer.createKeyspace(named: "data")
            for number in 0..<2_000 { try writer.put(bytes(number), Array(repeating: 7, count: 100), in: data) }
        }
        try store.close()
        var data = try #require(contents(path))
        let page = 8_192
        for start in stride(from: 6 * page, to: data.count, by: page) {
            data.replaceSubrange(start..<start + 64, with: repeatElement(0xAB, count: 64))
        }
        try data.write(to: URL(fileURLWithPath: path))
        let damaged = try SQLiteBackend(path: path)
        #expect(
            StorageError.name {
                try damaged.read { reader in
                    let data = try #require(try reader.keyspace(named: "data"))
                    try reader.scan(.all, in: data, order: .ascending) { _, _ in .next }
                }
            } == "corrupt")
        try damaged.close()
    }

    @Test func aLogOfAnotherDatabaseIsRefused() throws {
        try SQLiteBackend(path: path).close()
        let other = directory.file("other")
        let raw = try RawDatabase(other)
        try raw.execute("PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
        try FileManager.default.copyItem(atPath: other + "-wal", toPath: path + "-wal")
        let before = [contents(path), contents(path + "-wal")]
        #expect(openingError() == "corrupt")
        #expect([contents(path), contents(path + "-wal")] == before)
        try FileManager.default.removeItem(atPath: path + "-wal")
        #expect(openingError() == nil)
    }

    @Test func aFileLockedByAnotherConnectionIsLocked() throws {
        try SQLiteBackend(path: path).close()
        do {
            let raw = try RawDatabase(path)
            try raw.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
            var options = SQLiteBackend.Options()
            options.writerTimeout = .milliseconds(50)
            #expect(StorageError.name { try SQLiteBackend(path: path, options: options).close() } == "locked")
        }
        #expect(openingError() == nil)
    }

    @Test func optionsOutOfRangeAreRefused() throws {
        let changes: [(String, (inout SQLiteBackend.Options) -> Void)] = [
            ("pageSize", { $0.pageSize = 5_000 }), ("pageSize", { $0.pageSize = 1_024 }), ("pageSize", { $0.pageSize = 0 }),
            ("pageSize", { $0.pageSize = .min }), ("pageSize", { $0.pageSize = .max }),
            ("cacheSize", { $0.cacheSize = -1 }), ("cacheSize", { $0.cacheSize = .min }), ("cacheSize", { $0.cacheSize = .max }),
            ("memoryMapSize", { $0.memoryMapSize = -1 }), ("memoryMapSize", { $0.memoryMapSize = .max }),
            ("walAutocheckpoint", { $0.walAutocheckpoint = 0 }), ("walAutocheckpoint", { $0.walAutocheckpoint = .max }),
            ("maxReaders", { $0.maxReaders = 0 }), ("maxReaders", { $0.maxReaders = .min }), ("maxReaders", { $0.maxReaders = .max }),
            ("writerTimeout", { $0.writerTimeout = .seconds(-1) }), ("writerTimeout", { $0.writerTimeout = .seconds(Int64.min) }),
            ("readerTimeout", { $0.readerTimeout = .nanoseconds(-1) }),
        ]
        for (name, change) in changes {
            var options = SQLiteBackend.Options()
            change(&options)
            #expect {
                try SQLiteBackend(path: path, options: options).close()
            } throws: { error in
                guard case StorageError.unsupported(let details) = error else { return false }
                return details.message.hasPrefix(name + " must be ")
            }
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func optionsAtTheEndsOfTheirRangesWork() throws {
        let changes: [(inout SQLiteBackend.Options) -> Void] = [
            { $0.pageSize = 65_536 }, { $0.cacheSize = 0 }, { $0.cacheSize = 1 << 40 }, { $0.memoryMapSize = 1 << 40 }, { $0.walAutocheckpoint = 1 },
            { $0.walAutocheckpoint = 1_000_000_000 }, { $0.maxReaders = 1 }, { $0.maxReaders = 1_000_000 }, { $0.writerTimeout = .zero },
            { $0.writerTimeout = .seconds(Int64.max) }, { $0.readerTimeout = .zero }, { $0.readerTimeout = .seconds(Int64.max) },
            { $0.writerTimeout = Duration(attoseconds: .max) }, { $0.readerTimeout = Duration(attoseconds: .max) },
        ]
        for (number, change) in changes.enumerated() {
            var options = SQLiteBackend.Options()
            change(&options)
            let store = try SQLiteBackend(path: path + "\(number)", options: options)
            try store.write(.durable) { writer in try writer.put([1], [2], in: try writer.createKeyspace(named: "data")) }
            let value = try store.read { reader in try reader.keyspace(named: "data").flatMap { try reader.value(of: [1], in: $0) } }
            #expect(value == [2])
            try store.close()
        }
    }

    /// The queue of writers is for processes that are there; where its file cannot be made, the store works without.
    @Test func theQueueOfWritersIsAFileBesideTheOpenStore() throws {
        let store = try SQLiteBackend(path: path)
        #expect(FileManager.default.fileExists(atPath: path + "-queue"))
        try store.close()
        #expect(!FileManager.default.fileExists(atPath: path + "-queue"))
        try FileManager.default.createDirectory(atPath: path + "-queue", withIntermediateDirectories: false)
        let other = try SQLiteBackend(path: path)
        try other.write(.durable) { writer in try writer.put([1], [2], in: try writer.createKeyspace(named: "data")) }
        try other.close()
        #expect(FileManager.default.fileExists(atPath: path + "-queue"))
    }

    /// Two processes may find the file of the queue empty; what the second one writes spares the numbers of the first.
    @Test func roomInTheQueueIsAddedBehindWhatIsThere() throws {
        let descriptor = open(path + "-queue", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        #expect(QueueFile.addRoom(to: descriptor))
        let numbers = Data((1...32).map { UInt8($0) })
        #expect(numbers.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, 32, 0) } == 32)
        #expect(QueueFile.addRoom(to: descriptor))
        #expect(FileManager.default.contents(atPath: path + "-queue") == numbers + Data(count: 32))
    }

    @Test func pageSizeIsTheFilesOwn() throws {
        var options = SQLiteBackend.Options()
        options.pageSize = 4_096
        try SQLiteBackend(path: path, options: options).close()
        let store = try SQLiteBackend(path: path)
        #expect(try store.statistics().engineFigures["page_size"] == 4_096)
        try store.close()
    }

    @Test func aHardLinkLeadsToTheSameEngine() throws {
        let store = try SQLiteBackend(path: path)
        let link = directory.file("link")
        try FileManager.default.linkItem(atPath: path, toPath: link)
        let second = try SQLiteBackend(path: link)
        // Two engines would read different logs, because the log is found by name.
        try store.write(.durable) { writer in
            try writer.put([1], [2], in: try writer.createKeyspace(named: "data"))
            let error = StorageError.name { try second.write(.durable) { (_: any StorageWriter) in } }
            #expect(error == "writeInsideWrite")
        }
        let value = try second.read { reader in
            try reader.keyspace(named: "data").flatMap { try reader.value(of: [1], in: $0) }
        }
        #expect(value == [2])
        try store.close()
        try second.write(.durable) { writer in try writer.put([2], [3], in: try writer.createKeyspace(named: "data")) }
        try second.close()
        #expect(StorageError.name { try second.synchronize() } == "closed")
    }

    @Test func closingLeavesOneFile() throws {
        let store = try SQLiteBackend(path: path)
        try store.write(.buffered) { writer in try writer.put([1], [2], in: try writer.createKeyspace(named: "data")) }
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        try store.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["store"])
    }

    @Test func lettingGoOfAStoreClosesIt() throws {
        do {
            let store = try SQLiteBackend(path: path)
            try store.write(.buffered) { writer in try writer.put([1], [2], in: try writer.createKeyspace(named: "data")) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["store"])
    }

    @Test func aFailureOfSQLiteAloneHasNoReasonOfTheSystem() throws {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        try #require(sqlite3_open(":memory:", &handle) == SQLITE_OK)
        sqlite3_exec(handle, "ATTACH '/no/such/directory/file' AS other", nil, nil, nil)
        #expect(sqlite3_system_errno(handle) != 0)
        let code = sqlite3_exec(handle, "SELECT nothing", nil, nil, nil)
        #expect(code == SQLITE_ERROR)
        #expect(SQLiteFailure(code: code, handle: handle).systemError == 0)
    }
}
