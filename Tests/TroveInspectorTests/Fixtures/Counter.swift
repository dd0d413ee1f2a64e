import Synchronization

/// A number that several threads add to.
final class Counter: Sendable {
    private let number = Mutex(0)

    var value: Int { number.withLock { $0 } }

    func add(_ count: Int) { number.withLock { $0 += count } }
}
