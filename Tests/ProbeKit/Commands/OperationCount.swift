import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Counts storage operations and kills the process at one of them.
final class OperationCount: Sendable {
    private let target: Int
    private let count = Atomic(0)

    /// - Parameter target: the operation at which the process is killed; 0 for none.
    init(target: Int) { self.target = target }

    func note() {
        if count.add(1, ordering: .relaxed).newValue == target { kill(getpid(), SIGKILL) }
    }
}
