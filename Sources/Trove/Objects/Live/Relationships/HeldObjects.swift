import Synchronization

/// Holds the objects of a relationship, and lets them go without recursion: freeing a chain of a hundred thousand objects of which each holds the next
/// would take as many frames of the stack.
///
/// It is `@unchecked Sendable` because its value is set when it is made and taken when nobody has it any more.
@usableFromInline final class HeldObjects<Value: Sendable>: @unchecked Sendable {
    private var kept: Value?

    @usableFromInline init(_ value: Value) { kept = value }

    /// The objects; nil for nobody but the end of its life.
    @usableFromInline var value: Value? { kept }

    deinit {
        var last: (any Sendable)? = kept
        kept = nil
        ReleaseQueue.release(&last)
    }
}

/// What is to be freed, by the thread that frees it: what is let go while something is freed waits until that is done.
private enum ReleaseQueue {
    private static let waiting = Mutex<[UInt: [any Sendable]]>([:])

    /// Takes a value and frees it, at once or when what is being freed has been.
    static func release(_ value: inout (any Sendable)?) {
        let thread = RecursiveLock.currentThread
        guard begin(with: &value, thread) else { return }
        while releaseNext(thread) {}
        waiting.withLock { $0[thread] = nil }
    }

    /// Puts the value into the queue; false when the thread is freeing another one.
    private static func begin(with value: inout (any Sendable)?, _ thread: UInt) -> Bool {
        guard let taken = value.take() else { return false }
        return waiting.withLock { waiting in
            let isFirst = waiting[thread] == nil
            waiting[thread, default: []].append(taken)
            return isFirst
        }
    }

    /// Frees one value of the queue, outside of the lock; false when there is none.
    private static func releaseNext(_ thread: UInt) -> Bool {
        waiting.withLock { $0[thread]?.popLast() } != nil
    }
}
