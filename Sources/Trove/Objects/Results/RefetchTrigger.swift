import Dispatch
import Synchronization

/// Lets a live list be read again when something has changed that it shows: once for all that changes before the reading begins, and one after the other.
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
        /// Is called at the end; nil behind it.
        var whenEnded: (@Sendable () -> Void)?
        var isEnded: Bool { whenEnded == nil }
    }

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
        let queue: DispatchQueue? = state.withLock { state in
            if state.isEnded { return nil }
            state.isDue = true
            guard !state.isQueued, let reader = state.reader else { return nil }
            state.isQueued = true
            return reader.queue
        }
        if let queue { enqueue(on: queue) }
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

    private func enqueue(on queue: DispatchQueue) {
        guard let changeQueue else { return queue.async { self.run() } }
        changeQueue.async { queue.async { self.run() } }
    }

    private func run() {
        let read = state.withLock { $0.isDue ? $0.reader?.read : nil }
        read?()
        let next: DispatchQueue? = state.withLock { state in
            state.isQueued = state.isDue && !state.isEnded
            return state.isQueued ? state.reader?.queue : nil
        }
        if let next { enqueue(on: next) }
    }
}
