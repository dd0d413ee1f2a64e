import Dispatch
import Synchronization

/// Lets a live list be read again when something has changed that it shows: once for all that changes before the reading begins, and one after the other.
///
/// Behind each reading is a pause of the time that it took, so that changes without an end leave half of it to others: a reading may have the writer.
///
/// The context and the store have it instead of the list: letting go of it, with whatever lock, ends no object.
final class RefetchTrigger: Sendable {
    private struct State {
        /// Where the list is read, and how; nil before that is known, and at the end.
        var reader: (queue: DispatchQueue, read: @Sendable () -> Void)?
        /// Whether something has changed since the last reading began.
        var isDue = false
        /// Whether a reading is to come, or under way.
        var isQueued = false
        /// When the pause ends, in nanoseconds of `DispatchTime`.
        var pauseEnd: UInt64 = 0
        /// Is called at the end; nil behind it.
        var whenEnded: (@Sendable () -> Void)?
        var isEnded: Bool { whenEnded == nil }
    }

    private static let longestPause: UInt64 = 1_000_000_000
    /// One that is shorter is not worth a timer.
    private static let shortestPause: UInt64 = 1_000_000

    private let state: Mutex<State>
    /// What makes changes; a reading follows when it has done what it does now.
    private let changeQueue: DispatchQueue?

    init(on changeQueue: DispatchQueue?, whenEnded: @escaping @Sendable () -> Void) {
        self.changeQueue = changeQueue
        state = Mutex(State(whenEnded: whenEnded))
    }

    /// Lets readings begin.
    func begin(on queue: DispatchQueue, _ read: @escaping @Sendable () -> Void) {
        let isDue = state.withLock { state in
            state.reader = (queue, read)
            state.isQueued = state.isDue
            return state.isDue
        }
        if isDue { enqueue(on: queue) }
    }

    /// Notes that something has changed. It may be called with any lock.
    func note() {
        let next: (queue: DispatchQueue, pauseEnd: UInt64)? = state.withLock { state in
            if state.isEnded { return nil }
            state.isDue = true
            guard !state.isQueued, let reader = state.reader else { return nil }
            state.isQueued = true
            return (reader.queue, state.pauseEnd)
        }
        if let next { enqueue(on: next.queue, after: next.pauseEnd) }
    }

    /// Notes that a reading is about to begin, which shows all that has changed until now.
    func beginReading() { state.withLock { $0.isDue = false } }

    /// Ends the readings: the list is gone, or its context.
    func end() {
        // What both keep ends without the lock.
        let (whenEnded, reader) = state.withLock { state in (state.whenEnded.take(), state.reader.take()) }
        whenEnded?()
        withExtendedLifetime(reader) {}
    }

    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Whether no reading is to come.
    var isSettled: Bool { state.withLock { !$0.isQueued || $0.isEnded } }

    private func enqueue(on queue: DispatchQueue, after pauseEnd: UInt64 = 0) {
        guard pauseEnd > DispatchTime.now().uptimeNanoseconds + Self.shortestPause else { return enqueueNow(on: queue) }
        queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: pauseEnd)) { self.enqueueNow(on: queue) }
    }

    private func enqueueNow(on queue: DispatchQueue) {
        guard let changeQueue else { return queue.async { self.run() } }
        changeQueue.async { queue.async { self.run() } }
    }

    private func run() {
        let read = state.withLock { $0.isDue ? $0.reader?.read : nil }
        let begin = DispatchTime.now().uptimeNanoseconds
        read?()
        let end = DispatchTime.now().uptimeNanoseconds
        let next: (queue: DispatchQueue, pauseEnd: UInt64)? = state.withLock { state in
            if read != nil { state.pauseEnd = end + min(end - begin, Self.longestPause) }
            state.isQueued = state.isDue && !state.isEnded
            guard state.isQueued, let reader = state.reader else { return nil }
            return (reader.queue, state.pauseEnd)
        }
        if let next { enqueue(on: next.queue, after: next.pauseEnd) }
    }
}
