import EngineSupport
import Foundation
import Testing
import TroveStorage

@testable import TroveSQLite

/// Reading without locks, which only a file system that cannot be written brings about for the superuser.
@Suite struct ReadOnlyTests {
    /// The path is part of a URI then.
    @Test(arguments: ["store", "a?b", "a#b", "a%20b", "a b", "ä\u{301}", "a&immutable=0", "a:b'c"]) func anyPathIsReadWithoutLocks(name: String) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file(name)
        let store = try SQLiteBackend(path: path)
        try store.write(.relaxed) { writer in try writer.put([1], [1], in: writer.createKeyspace(named: "data")) }
        try store.close()
        let connection = try Connection(path: path, access: .readingUnlocked, timeout: .zero)
        try connection.configure(cacheSize: 1 << 20, memoryMapSize: 0)
        #expect(try connection.integer(.keyspaceCount) == 1)
        #expect(connection.logState == .only)
        connection.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [name])
    }

    /// A copy is no log's file, and is read with SQLite's ordinary locks, which leave nothing beside it.
    @Test func aBackupLeavesNothingBesideIt() throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteBackend(path: directory.file("original"))
        try store.write(.relaxed) { writer in try writer.put([1], [1], in: writer.createKeyspace(named: "data")) }
        try store.backUp(to: directory.file("copy"))
        try store.close()
        let copy = try Engine.sqlite.openReadOnly(directory.file("copy"))
        #expect(try copy.read { reader in try reader.keyspace(named: "data").map { try reader.count(in: $0) } } == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["copy", "original"])
        try copy.close()
    }
}
