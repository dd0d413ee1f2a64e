import TestSupport
import Testing
import TroveStorage

/// A backend that is let go while another one on its store is used.
@Suite struct ReleasingTests {
    /// Whoever lets go of it may hold what the transactions of others wait for.
    @Test(arguments: Engine.allCases) func waitsForNobodysTransaction(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        let store = try engine.open(directory.file())
        var other: (any StorageBackend)? = try engine.open(directory.file())
        try other?.write(.buffered) { _ = try $0.createKeyspace(named: "s") }
        let held = try await HeldTransactions { hold in try store.write(.buffered) { _ in try hold() } }
        other = nil
        try await held.end()
        #expect(try store.read { try $0.keyspaceNames() } == ["s"])
        try store.close()
    }
}
