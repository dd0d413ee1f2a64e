import Synchronization
import TroveStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The process that something was made in, as opposed to a child that it has forked: a child has its parent's files, but neither their locks nor its threads.
///
/// ```swift
/// let process = ForkMark()                    // when the engine is opened
/// try process.check(engine: name, path: path) // before it is used: in a child nothing of it may be touched, nor closed
/// ```
///
/// A look is one load and no system call. A child of `vfork` or `posix_spawn` runs another program and is not meant.
public struct ForkMark: Sendable {
    /// How often this process, and those before it, were forked into being.
    private static let forks = Atomic<Int>(0)
    private static let isCounting: Bool = {
        pthread_atfork(nil, nil) { ForkMark.forks.add(1, ordering: .relaxed) } == 0
    }()

    private let forks: Int

    /// Marks this process.
    public init() {
        // Where the system has no room for another handler, nothing is noticed.
        _ = Self.isCounting
        forks = Self.forks.load(ordering: .relaxed)
    }

    /// Whether the process that asks is a forked child of the one that was marked.
    @inline(__always)
    public var isInherited: Bool { forks != Self.forks.load(ordering: .relaxed) }

    /// Throws in a forked child.
    ///
    /// - Throws: ``StorageError/openedBeforeFork(_:)``.
    @inline(__always)
    public func check(engine: @autoclosure () -> String, path: @autoclosure () -> String) throws(StorageError) {
        if isInherited { throw Self.refusal(engine(), path()) }
    }

    @inline(never)
    private static func refusal(_ engine: String, _ path: String) -> StorageError {
        .openedBeforeFork(
            .init(engine: engine, path: path, message: "the process was forked while the store was open; fork first, and open the store in the child"))
    }
}
