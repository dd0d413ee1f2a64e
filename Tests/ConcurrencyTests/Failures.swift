import Synchronization

/// What went wrong on any of a test's threads.
final class Failures: Sendable {
    private let messages = Mutex<[String]>([])

    var list: [String] { messages.withLock { $0 } }

    func note(_ message: String) { messages.withLock { $0.append(message) } }

    func attempt(_ body: () throws -> Void) {
        do { try body() } catch { note("\(error)") }
    }
}
