import Trove
import TroveTesting

/// What the samples of docs/testing.md take for granted.
enum TestingPage {
    static func MyBackend(path: String) throws -> MemoryBackend { missing() }
    static var text: String { missing() }
}
