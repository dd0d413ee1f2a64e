import Foundation
import Testing
import TroveBackendKit
import TroveStorage

@testable import TroveTokyoCabinet

/// What is left, and what is told, when a failure takes the library's handle.
@Suite("Tokyo Cabinet: failures")
struct FailureTests {
    /// Whoever groups writes would do them once more after an error that says they were undone.
    @Test("A sync that fails behind a commit leaves the outcome open, whatever the system says", arguments: [ENOSPC, EDQUOT, EIO, EROFS, ENOMEM])
    func syncBehindACommit(code: Int32) {
        let error = Engine.afterCommit(StoreFile.error(code, engine: Engine.name, path: "store.tcb"))
        #expect(error.leavesOutcomeOpen && !error.isRetryable, "\(error)")
    }

    /// Its inode would be free for another store's file when somebody removes it.
    @Test("A store that could not be opened again keeps its file until it is closed")
    func failedStoreKeepsItsFile() throws {
        let files = try TemporaryStore()
        try files.open().close()
        let failed = try files.open()
        // There is no log before the first transaction.
        let log = files.path("store.tcb.wal")
        try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: false)
        #expect(throws: StorageError.self) { try failed.fill("s", .buffered, numbered(10)) }
        #expect(throws: StorageError.self) { try failed.entries() }
        let descriptor = open(files.path, O_RDWR | O_CLOEXEC)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        close(descriptor)
        try FileManager.default.removeItem(atPath: log)
        try FileManager.default.removeItem(atPath: files.path)
        // Others at the path are none of its.
        let (fresh, second) = (try files.open(), try files.open())
        try fresh.fill("s", .buffered, numbered(20))
        #expect(try second.entries()?.count == 20)
        #expect(throws: StorageError.self) { try failed.entries() }
        for store in [failed, fresh, second] { try store.close() }
        let reopened = try files.open()
        #expect(try reopened.entries()?.count == 20)
        try reopened.close()
    }
}
