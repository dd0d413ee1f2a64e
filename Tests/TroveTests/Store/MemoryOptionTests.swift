import Testing
import Trove

@Suite struct MemoryOptionTests {
    /// As the options of the other engines; a backend in memory is made without an error, so the first use tells.
    @Test func aNegativeTimeoutIsRefused() {
        let backend = MemoryBackend(writerTimeout: .seconds(-1))
        for use in [{ try backend.read { _ in } }, { try backend.write(.relaxed) { _ in } }, { _ = try ObjectStore(backend) }] as [() throws -> Void] {
            #expect { try use() } throws: { error in "\(error)".contains("writerTimeout must be 0 or more") }
        }
    }
}
