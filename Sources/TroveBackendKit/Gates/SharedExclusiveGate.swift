import Dispatch
import Synchronization

/// A readers-writer gate: many threads share it, or one has it alone.
///
/// Backends use it where readers must be away: to apply a write on an engine without snapshots, to
/// remap or replace the file, to close. Sharing is cheap (one uncontended lock out of sixteen, chosen by
/// thread) and re-entrant. The order is phase-fair: a waiting exclusive thread keeps new sharers out, and
/// when it leaves, all sharers that wait are let in before the next exclusive one.
///
/// Whoever enters exclusively must hold the store's ``WriterGate``, so that only one thread tries at a time.
public final class SharedExclusiveGate: Sendable {
    /// A thread inside, with how often it entered and since when.
    private struct Sharer {
        let thread: ThreadIdentity
        var depth: Int
        let since: MonotonicTime
    }

    private final class Shard: Sendable {
        let sharers = Mutex<[Sharer]>([])
    }

    private final class Waiter: Sendable {
        let thread = ThreadIdentity.current
        let wake = DispatchSemaphore(value: 0)
    }

    private let shards: [Shard] = (0..<16).map { _ in Shard() }
    /// The thread that has the gate alone or waits for it; 0 when there is none. Set before the shards
    /// are looked at and read under a shard's lock, so a sharer is either seen or sees it.
    private let exclusive = Atomic<UInt>(0)
    private let drained = DispatchSemaphore(value: 0)
    private let waiters = Mutex<[Waiter]>([])

    /// A gate that nobody is in.
    public init() {}

    private func shard(of thread: ThreadIdentity) -> Shard {
        // Thread identities are addresses: the low bits are equal, the bits above the page differ.
        shards[Int(truncatingIfNeeded: (thread.raw >> 12) ^ (thread.raw >> 20)) & 15]
    }

    /// Waits to share the gate. Never waits when the thread shares it already.
    ///
    /// - Returns: ``GateEntry/alreadyInside`` when the thread has the gate alone.
    public func enterShared(timeout: Duration) -> GateEntry {
        let thread = ThreadIdentity.current
        if admit(thread) { return .entered }
        if exclusive.load(ordering: .sequentiallyConsistent) == thread.raw { return .alreadyInside }
        let waiter = Waiter()
        let isAdmitted = waiters.withLock { waiters in
            // The exclusive thread may have left since; it lets in only those it finds in the list.
            if admit(thread) { return true }
            waiters.append(waiter)
            return false
        }
        if isAdmitted || waiter.wake.wait(timeout: .now() + timeout.dispatchInterval) == .success { return .entered }
        return waiters.withLock { waiters in
            guard let index = waiters.firstIndex(where: { $0 === waiter }) else { return .entered }
            waiters.remove(at: index)
            return .timedOut
        }
    }

    /// Adds the thread to the sharers unless another one has or wants the gate alone.
    private func admit(_ thread: ThreadIdentity) -> Bool {
        shard(of: thread).sharers.withLock { sharers in
            if let index = sharers.firstIndex(where: { $0.thread == thread }) {
                sharers[index].depth += 1
                return true
            }
            guard exclusive.load(ordering: .sequentiallyConsistent) == 0 else { return false }
            sharers.append(Sharer(thread: thread, depth: 1, since: .now))
            return true
        }
    }

    /// Ends one entry of ``enterShared(timeout:)`` on this thread.
    public func leaveShared() {
        let thread = ThreadIdentity.current
        shard(of: thread).sharers.withLock { sharers in
            guard let index = sharers.firstIndex(where: { $0.thread == thread }) else { return }
            sharers[index].depth -= 1
            if sharers[index].depth == 0 { sharers.remove(at: index) }
        }
        if exclusive.load(ordering: .sequentiallyConsistent) != 0 { drained.signal() }
    }

    /// Waits until no other thread shares the gate, and keeps new ones out.
    ///
    /// - Returns: ``GateEntry/alreadyInside`` when the calling thread shares the gate or has it alone.
    public func enterExclusive(timeout: Duration) -> GateEntry {
        let thread = ThreadIdentity.current
        if isSharedByCurrentThread || isExclusiveToCurrentThread { return .alreadyInside }
        let deadline = DispatchTime.now() + timeout.dispatchInterval
        exclusive.store(thread.raw, ordering: .sequentiallyConsistent)
        for shard in shards {
            while !shard.sharers.withLock({ $0.isEmpty }) {
                if drained.wait(timeout: deadline) == .timedOut {
                    leaveExclusive()
                    return .timedOut
                }
            }
        }
        return .entered
    }

    /// Admits the waiting sharers, then opens the gate.
    public func leaveExclusive() {
        let admitted = waiters.withLock { waiters in
            for waiter in waiters {
                shard(of: waiter.thread).sharers.withLock { sharers in
                    sharers.append(Sharer(thread: waiter.thread, depth: 1, since: .now))
                }
            }
            defer { waiters.removeAll() }
            exclusive.store(0, ordering: .sequentiallyConsistent)
            return waiters
        }
        for waiter in admitted { waiter.wake.signal() }
    }

    /// Whether the calling thread shares the gate.
    public var isSharedByCurrentThread: Bool {
        let thread = ThreadIdentity.current
        return shard(of: thread).sharers.withLock { $0.contains { $0.thread == thread } }
    }

    /// Whether the calling thread has the gate alone.
    public var isExclusiveToCurrentThread: Bool {
        exclusive.load(ordering: .sequentiallyConsistent) == ThreadIdentity.current.raw
    }

    /// How many threads wait to share the gate.
    var waiterCount: Int { waiters.withLock { $0.count } }

    /// Whether a thread has the gate alone or waits for it.
    var isWanted: Bool { exclusive.load(ordering: .sequentiallyConsistent) != 0 }

    /// The number of threads that share the gate, and the time since the first of them entered.
    public var sharers: (count: Int, oldest: Duration?) {
        var count = 0
        var oldest: MonotonicTime?
        for shard in shards {
            shard.sharers.withLock { sharers in
                for sharer in sharers {
                    count += 1
                    oldest = min(oldest ?? sharer.since, sharer.since)
                }
            }
        }
        return (count, oldest.map { $0.elapsed })
    }
}
