import Synchronization

/// Keeps an error of one of several tasks.
final class FirstError: Sendable {
    private let kept = Mutex<(any Error)?>(nil)

    var error: (any Error)? { kept.withLock { $0 } }

    func keep(_ error: any Error) { kept.withLock { $0 = $0 ?? error } }
}
