import Dispatch
import Synchronization
import TroveBackendKit

/// Something that happens once and that threads wait for.
final class Signal: Sendable {
    struct NeverRaised: Error, CustomStringConvertible {
        let name: String
        let patience: Duration
        var description: String { "'\(name)' did not happen within \(patience); a thread is stuck where it should go on" }
    }

    private let name: String
    private let patience: Duration
    private let semaphore = DispatchSemaphore(value: 0)
    /// What became of it: nothing yet, raised, or a thread of the case has failed, so that it may never be.
    private let outcome = Mutex<Result<Void, any Error>?>(nil)

    /// - Parameter patience: how long a thread waits, so that a stuck engine is a failure and not a hang.
    init(_ name: String, patience: Duration) {
        self.name = name
        self.patience = patience
    }

    /// Whether it was raised, or a thread of the case has failed: whoever goes on until then has to end in either case.
    var isRaised: Bool { outcome.withLock { $0 != nil } }

    func raise() { end(.success(())) }

    /// Lets everybody who waits go on with the error, unless the signal has been raised.
    func fail(_ error: any Error) { end(.failure(error)) }

    private func end(_ result: Result<Void, any Error>) {
        outcome.withLock { $0 = $0 ?? result }
        semaphore.signal()
    }

    /// Waits for ``raise()``; any number of threads may wait. Throws the error of ``fail(_:)``, or that the patience has ended.
    func wait() throws {
        guard semaphore.wait(timeout: .now() + patience.dispatchInterval) == .success else { throw NeverRaised(name: name, patience: patience) }
        semaphore.signal()
        try outcome.withLock { $0 }?.get()
    }
}
