import Testing
import TroveStorage

/// What can be done about an error.
@Suite struct StorageErrorTests {
    private let details = StorageError.Details(engine: "server", path: "db.example.org/music", message: "it is away", code: "40P01")

    @Test func `errors of servers say whether to try again`() {
        #expect(StorageError.unreachable(details).isRetryable)
        #expect(StorageError.unreachable(details).concernsEveryTransaction)
        #expect(!StorageError.unreachable(details).leavesOutcomeOpen)
        #expect(StorageError.conflict(details).isRetryable)
        #expect(!StorageError.conflict(details).concernsEveryTransaction)
        #expect(!StorageError.outcomeUnknown(details).isRetryable)
        #expect(StorageError.outcomeUnknown(details).leavesOutcomeOpen)
    }

    @Test func `a code is text or a number`() {
        #expect(StorageError.conflict(details).description == "server, db.example.org/music: it is away (code 40P01) [conflict]")
        let numbered = StorageError.Details(engine: "e", path: "p", message: "m", code: Int32(-13))
        #expect(numbered.code == "-13")
        #expect(StorageError.Details(engine: "e", path: "p", message: "m").code == nil)
    }
}
