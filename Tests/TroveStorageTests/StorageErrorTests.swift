import Testing
import TroveBackendKit
import TroveMemory
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

    /// The result of a body that did not run was taken out of an optional without a look, which is undefined.
    @Test func `a savepoint that returns without its body throws`() throws {
        final class IdleWriter: ForwardingWriter {
            let wrappedWriter: any StorageWriter

            init(_ writer: any StorageWriter) { wrappedWriter = writer }

            func savepoint(_ body: () throws -> Void) throws {}
        }

        try MemoryBackend().write(.relaxed) { (writer: any StorageWriter) throws -> Void in
            let error = #expect(throws: StorageError.self) { _ = try IdleWriter(writer).savepoint { () throws -> Int in 5 } as Int }
            #expect(error?.name == "engineFailure")
        }
    }
}
