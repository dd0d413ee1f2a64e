import TestSupport
import Testing
import TroveStorage

/// A backend that is let go while another one on its store is used.
@Suite struct ReleasingTests {
    /// Whoever lets go of it may hold what the transactions of others wait for.
    @Test(arguments: Engine.allCases) func waitsForNobodysTransaction(engine: Engine) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        let store = try engine.open(path)
        let (isOpen, isWriting, isReleased) = (SharedFlag(), SharedFlag(), SharedFlag())
        await onThreads(2) { worker in
            do {
                if worker == 0 {
                    try blockUntil("the other backend") { isOpen.isRaised }
                    try store.write(.buffered) { _ in
                        isWriting.raise()
                        try blockUntil("the release") { isReleased.isRaised }
                    }
                } else {
                    var other: (any StorageBackend)? = try engine.open(path)
                    try other?.write(.buffered) { _ = try $0.createKeyspace(named: "s") }
                    isOpen.raise()
                    try withExtendedLifetime(other) { try blockUntil("the write") { isWriting.isRaised } }
                    other = nil
                    isReleased.raise()
                }
            } catch {
                Issue.record(error)
            }
        }
        #expect(try store.read { try $0.keyspaceNames() } == ["s"])
        try store.close()
    }
}
