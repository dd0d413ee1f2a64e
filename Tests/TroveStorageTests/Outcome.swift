import Synchronization

/// What the body of a thread came to.
final class Outcome: Sendable {
    let result = Mutex<Result<Void, any Error>>(.success(()))
}
