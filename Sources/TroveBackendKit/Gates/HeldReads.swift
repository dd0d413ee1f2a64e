import Synchronization

/// An engine that now and then waits for all reads to end, and refuses to where some go on until somebody ends them. ``StorageBackend/sharedEngine`` may be one.
package protocol HeldReadsRefusing: AnyObject, Sendable {
    /// What it is told of such reads.
    var heldReads: HeldReads { get }
}

/// The number of reads of an engine that go on until somebody ends them.
package final class HeldReads: Sendable {
    private let number = Atomic(0)

    package init() {}

    package var count: Int { number.load(ordering: .acquiring) }

    package func note(_ count: Int) { number.store(count, ordering: .releasing) }
}
