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
}
