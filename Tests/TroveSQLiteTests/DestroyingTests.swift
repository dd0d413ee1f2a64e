import CSQLite
import EngineSupport
import Foundation
import Synchronization
import Testing
import TroveBackendKit
import TroveStorage

@testable import TroveSQLite

/// How SQLite stores are destroyed while others open them, and what of other programs stays.
struct DestroyingTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.file() }

    init() throws { directory = try TemporaryDirectory() }

    /// Another process may open the store when the log has been left and the file is not locked yet. It was deleted beneath that process: with a log an
    /// exclusive transaction only keeps other writers away.
    @Test func notWhatAnotherHasJustOpened() throws {
        try SQLiteBackend(path: path).close()
        let file = try StoreFile(engine: SQLiteEngine.name, path: path)
        let connection = try SQLiteEngine.openWriter(file, .init())
        defer { connection.close() }
        #expect(try connection.text("PRAGMA journal_mode = DELETE") == "delete")
        try SQLiteEngine.keepAlone(file, through: connection)
        try connection.execute("ROLLBACK")
        let other = try SQLiteBackend(path: path)
        #expect { try SQLiteEngine.keepAlone(file, through: connection) } throws: { if case StorageError.locked = $0 { true } else { false } }
        try connection.execute("ROLLBACK")
        try other.close()
    }

    /// Who waited for the lock of the process that destroyed the store went on with a file that has no name.
    @Test func whoOpensWhatIsDestroyedIsTold() throws {
        try SQLiteBackend(path: path).close()
        let file = try StoreFile(engine: SQLiteEngine.name, path: path)
        let connection = try SQLiteEngine.openWriter(file, .init())
        defer { connection.close() }
        #expect(try !connection.fileHasMoved())
        try file.remove(withEndings: ["-wal", "-shm"])
        #expect(try connection.fileHasMoved())
        try SQLiteBackend(path: path).close()
        #expect(try connection.fileHasMoved())
    }

    /// Of a file that is not there any more too.
    @Test func closedStoresSayThatTheyAreClosed() throws {
        let store = try SQLiteBackend(path: path)
        try store.close()
        try SQLiteBackend.destroy(at: path)
        let copy = directory.file("copy")
        let calls: [() throws -> Void] = [
            { try store.read { (_: any StorageReader) in } }, { try store.write(.buffered) { (_: any StorageWriter) in } }, { _ = try store.statistics() },
            { try store.backUp(to: copy) }, { try store.checkStructure() }, { try store.compact() }, { try store.synchronize() },
        ]
        for call in calls { #expect(StorageError.name(of: call) == "closed") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    }

    /// As an opening that waited: the lock is let go of when the file is away.
    @Test func whoWaitedToOpenIsTold() throws {
        try SQLiteBackend(path: path).close()
        let path = path
        let holder = try RawDatabase(path)
        #expect(try holder.value("PRAGMA journal_mode = DELETE") == "delete")
        try holder.execute("BEGIN EXCLUSIVE")
        let before = Self.descriptors(of: path)
        let name = Mutex<String?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        var options = SQLiteBackend.Options()
        // However long the machine lets this test wait.
        options.writerTimeout = .seconds(3_600)
        let patient = options
        Thread {
            let error = StorageError.name { try SQLiteBackend(path: path, options: patient).close() }
            name.withLock { $0 = error ?? "none" }
            isDone.signal()
        }.start()
        try blockUntil("the opening") { Self.descriptors(of: path) > before }
        try FileManager.default.removeItem(atPath: path)
        try holder.execute("ROLLBACK")
        try isDone.waitPatiently()
        #expect(name.withLock { $0 } == "inputOutput")
    }

    /// How many descriptors of this process lead to a file.
    private static func descriptors(of path: String) -> Int {
        var wanted = stat()
        guard stat(path, &wanted) == 0 else { return 0 }
        return (0..<min(getdtablesize(), 65_536)).count { descriptor in
            var information = stat()
            return fstat(descriptor, &information) == 0 && information.st_ino == wanted.st_ino && information.st_dev == wanted.st_dev
        }
    }

    @Test(arguments: ["DELETE", "WAL"]) func notTheDatabaseOfAnotherProgram(mode: String) throws {
        let raw = try RawDatabase(path)
        try raw.execute("PRAGMA journal_mode = \(mode); CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        let files = ["", "-wal", "-shm"].map { path + $0 }
        let before = files.map { FileManager.default.contents(atPath: $0) }
        #expect(StorageError.name { try SQLiteBackend.destroy(at: path) } == "notAStore")
        #expect(files.map { FileManager.default.contents(atPath: $0) } == before)
        #expect(try raw.value("SELECT a FROM t") == "1")
    }

    /// A crash leaves the log and its index beside the store.
    @Test func whatCrashesLeftGoesToo() throws {
        try SQLiteBackend(path: path).close()
        let raw = try RawDatabase(path)
        try raw.execute("BEGIN; UPDATE trove_state SET generation = generation; COMMIT")
        let files = ["", "-wal", "-shm"].map { path + $0 }
        let contents = files.map { FileManager.default.contents(atPath: $0) }
        let copy = directory.file("copy")
        for (ending, bytes) in zip(["", "-wal", "-shm"], contents) { try #require(bytes).write(to: URL(fileURLWithPath: copy + ending)) }
        for ending in ["-journal", "-queue"] { #expect(FileManager.default.createFile(atPath: copy + ending, contents: Data())) }
        try SQLiteBackend.destroy(at: copy)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.hasPrefix("copy") } == [])
    }
}
