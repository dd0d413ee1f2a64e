import EngineSupport
import Foundation
import Testing
import TroveLMDB
import TroveStorage

/// How LMDB stores are destroyed while other processes compact them, and after crashes.
@Suite struct DestroyingTests {
    private static func store(in directory: TemporaryDirectory) throws {
        let backend = try LMDBBackend(path: directory.file())
        try backend.write(.relaxed) { writer in
            let keyspace = try writer.createKeyspace(named: "k")
            try writer.put([1] as [UInt8], [2] as [UInt8], in: keyspace)
        }
        try backend.close()
    }

    /// One that compacts gives its lock on the store up for a moment, and has the lock on the replacement meanwhile.
    @Test func notWhileAnotherReplacesTheFile() throws {
        let directory = try TemporaryDirectory()
        try Self.store(in: directory)
        let replacement = open(directory.file() + "-compacting", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(replacement >= 0)
        try #require(flock(replacement, LOCK_EX | LOCK_NB) == 0)
        #expect { try LMDBBackend.destroy(at: directory.file()) } throws: { if case StorageError.locked = $0 { true } else { false } }
        #expect(FileManager.default.fileExists(atPath: directory.file()))
        close(replacement)
        try LMDBBackend.destroy(at: directory.file())
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    }

    /// Another descriptor's shared lock is what another process has that opened the store.
    @Test func notWhileAnotherHasItOpen() throws {
        let directory = try TemporaryDirectory()
        try Self.store(in: directory)
        let other = open(directory.file(), O_RDWR | O_CLOEXEC)
        try #require(other >= 0)
        try #require(flock(other, LOCK_SH | LOCK_NB) == 0)
        #expect { try LMDBBackend.destroy(at: directory.file()) } throws: { if case StorageError.locked = $0 { true } else { false } }
        close(other)
        let backend = try LMDBBackend(path: directory.file())
        #expect(try backend.read { try $0.keyspace(named: "k") } != nil)
        try backend.close()
    }

    @Test func whatCrashesLeftGoesToo() throws {
        let directory = try TemporaryDirectory()
        try Self.store(in: directory)
        for ending in ["-compacting", "-new"] {
            #expect(FileManager.default.createFile(atPath: directory.file() + ending, contents: Data("left".utf8)))
        }
        try LMDBBackend.destroy(at: directory.file())
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    }
}
