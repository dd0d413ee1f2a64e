import Synchronization

/// Numbers that tasks have noted.
final class SeenNumbers: Sendable {
    private let numbers = Mutex<Set<Int>>([])

    func insert(_ number: Int) { numbers.withLock { _ = $0.insert(number) } }
    func contains(_ number: Int) -> Bool { numbers.withLock { $0.contains(number) } }
}
