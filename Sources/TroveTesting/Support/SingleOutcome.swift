import Synchronization

/// A continuation that takes the first outcome and ignores later ones.
final class SingleOutcome: Sendable {
    private let continuation: Mutex<CheckedContinuation<Void, any Error>?>

    init(_ continuation: CheckedContinuation<Void, any Error>) {
        self.continuation = Mutex(continuation)
    }

    func resume(_ outcome: Result<Void, any Error>) {
        let first = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        first?.resume(with: outcome)
    }
}
