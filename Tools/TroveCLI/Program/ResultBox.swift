import Synchronization

/// What asynchronous work came to, for a thread that waits for it.
final class ResultBox<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)

    func set(_ new: Result<Value, any Error>) { result.withLock { $0 = new } }

    /// The result, once it was set.
    func get() throws -> Value { try result.withLock { $0! }.get() }
}
