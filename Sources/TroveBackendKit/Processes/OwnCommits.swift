import Synchronization
import TroveStorage

/// An engine that several processes may have open, and that tells its own commits from theirs. ``StorageBackend/sharedEngine`` may be one.
package protocol OwnCommitTelling: AnyObject, Sendable {
    var ownCommits: OwnCommits { get }
}

/// Tells the commits of this process from those of others, by the stamps of the states between which its writes lie.
///
/// Nobody else commits while a write runs. So a state that a write begins with, or that a look finds between two writes, is either the one that the last
/// write left or another process's. What cannot be told counts as another process's: reading once too often does no harm.
package final class OwnCommits: Sendable {
    private struct State {
        /// The state that is accounted for; of no meaning before a look has found one.
        var stamp: StateStamp?
        var isKnown = false
        var isWriting = false
        var writeCount: UInt64 = 0
        var othersCount: UInt64 = 0
    }

    /// How many writes there were when a look began.
    package struct Mark: Sendable {
        fileprivate let writeCount: UInt64
    }

    /// Whether somebody looks: writes pay for one load until then.
    private let isFollowed = Atomic(false)
    private let state = Mutex(State())

    package init() {}

    /// Notes that a write has begun, which keeps others from committing.
    ///
    /// - Parameter stamp: tells the state that it begins with.
    /// - Returns: whether ``end(at:isOwn:)`` has to be told of its end, before others may commit.
    package func begin(at stamp: () -> StateStamp?) -> Bool {
        guard isFollowed.load(ordering: .acquiring) else { return false }
        let stamp = stamp()
        state.withLock { state in
            if state.isKnown, stamp != state.stamp { state.othersCount += 1 }
            (state.stamp, state.isKnown, state.isWriting) = (stamp, true, true)
        }
        return true
    }

    /// Notes that a write has ended, committed or not.
    ///
    /// - Parameters:
    ///   - stamp: the state that it leaves.
    ///   - isOwn: false when that cannot be its own work alone, as a program that does not keep Trove's order has committed behind it.
    package func end(at stamp: StateStamp?, isOwn: Bool) {
        state.withLock { state in
            if !isOwn { state.othersCount += 1 }
            (state.stamp, state.isWriting) = (stamp, false)
            state.writeCount += 1
        }
    }

    /// Begins a look, before the state is read that ``judge(_:isNew:since:)`` is told of. From the first one on writes are noted.
    package func beginLook() -> Mark {
        isFollowed.store(true, ordering: .releasing)
        return Mark(writeCount: state.withLock { $0.writeCount })
    }

    /// How often others were found to have committed.
    ///
    /// - Parameters:
    ///   - found: the state that was read; nil where the engine does not tell.
    ///   - isNew: whether it may be another one than the look before has found.
    /// - Returns: also whether `found` was judged. It is not beside a write of this process: then the state has to be read again.
    package func judge(_ found: StateStamp?, isNew: Bool, since mark: Mark) -> (othersCount: UInt64, isJudged: Bool) {
        state.withLock { state in
            guard isNew else { return (state.othersCount, true) }
            guard state.writeCount == mark.writeCount, !state.isWriting else { return (state.othersCount, false) }
            if state.isKnown, found == nil || found != state.stamp { state.othersCount += 1 }
            (state.stamp, state.isKnown) = (found, true)
            return (state.othersCount, true)
        }
    }
}
