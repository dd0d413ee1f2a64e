extension WriterGate {
    /// The outcome of waiting for a store without transactions.
    public enum AloneEntry: Sendable, Hashable {
        /// The calling thread has the store alone and must call ``WriterGate/leaveAlone(with:)``.
        case entered
        /// The calling thread is inside a write; it would wait for itself.
        case insideWrite
        /// The calling thread is inside a read; it would wait for itself.
        case insideRead
        /// Another writer, or those before it, took longer than there was time.
        case writersTookTooLong
        /// Reads took longer than there was time.
        case readersTookTooLong
    }

    /// Waits until no transaction runs, and keeps new ones out: enters this gate and has `readers` alone. It tries at least once, however late it is.
    ///
    /// A read that runs may want to write, and would wait for this thread while this thread waits for it. So the wait for readers is cut into turns,
    /// each twice as long as the one before, with a chance for writers between them.
    public func enterAlone(with readers: SharedExclusiveGate, until deadline: Deadline) -> AloneEntry {
        var turn = Duration.milliseconds(10)
        while true {
            switch enter(timeout: deadline.remaining) {
            case .entered: break
            case .alreadyInside: return .insideWrite
            case .timedOut: return .writersTookTooLong
            }
            switch readers.enterExclusive(timeout: min(turn, deadline.remaining)) {
            case .entered: return .entered
            case .alreadyInside:
                leave()
                return .insideRead
            case .timedOut:
                leave()
                if deadline.hasPassed { return .readersTookTooLong }
                turn *= 2
            }
        }
    }

    /// Lets transactions run again.
    public func leaveAlone(with readers: SharedExclusiveGate) {
        readers.leaveExclusive()
        leave()
    }
}
