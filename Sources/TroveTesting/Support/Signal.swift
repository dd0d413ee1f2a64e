import Dispatch
import Synchronization

/// Something that happens once and that threads wait for.
final class Signal: Sendable {
    struct NeverRaised: Error, CustomStringConvertible {
        let name: String
        var description: String { "'\(name)' did not happen within two minutes; a thread is stuck where it should go on" }
    }

    private let name: String
    private let semaphore = DispatchSemaphore(value: 0)
    private let raised = Mutex(false)

    init(_ name: String) { self.name = name }

    var isRaised: Bool { raised.withLock { $0 } }

    func raise() {
        raised.withLock { $0 = true }
        semaphore.signal()
    }

    /// Waits for ``raise()``; any number of threads may wait. Throws after two minutes, so that a stuck
    /// engine is a failure and not a hang.
    func wait() throws {
        guard semaphore.wait(timeout: .now() + .seconds(120)) == .success else { throw NeverRaised(name: name) }
        semaphore.signal()
    }
}
