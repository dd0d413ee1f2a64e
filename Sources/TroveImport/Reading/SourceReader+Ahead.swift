import Foundation

extension SourceReader {
    /// As ``forEach(_:)``, with the source read on a thread of its own, some batches ahead of `body`: reading a row takes about as long as comparing it later, and storing it several times that.
    ///
    /// `body` is called on the thread of the caller. When it throws, the other thread has ended before its error is thrown here.
    func forEachAhead(_ body: (SourceEvent) throws -> Void) throws {
        let queue = EventQueue(self)
        let thread = Thread { queue.readAll() }
        thread.name = "trove.import.reader"
        // That of a first thread: formats with values in values are read recursively, as deep as their readers allow.
        thread.stackSize = 8 << 20
        thread.start()
        defer { queue.stop() }
        while let events = try queue.next() {
            for event in events { try body(event) }
        }
    }
}

/// What one thread has read of a source and another one has not taken yet.
///
/// Unchecked: the reader belongs to the thread that reads until it has ended, which the other one waits for; everything else is changed with the lock.
private final class EventQueue: @unchecked Sendable {
    /// Why the thread that reads ends early.
    private struct Stopped: Error {}

    private static let batchSize = 256
    /// How many batches may wait: enough that neither thread waits for a lock often, and few beside what a transaction keeps.
    private static let mostWaiting = 8

    private let reader: any SourceReader
    private let lock = NSCondition()
    private var waiting: [[SourceEvent]] = []
    private var isStopped = false
    /// How reading ended; nil before.
    private var end: Result<Void, any Error>?

    init(_ reader: any SourceReader) { self.reader = reader }

    /// Reads the source to its end, or until it is stopped.
    func readAll() {
        var batch: [SourceEvent] = []
        let end = Result {
            do {
                try reader.forEach { event in
                    batch.append(event)
                    if batch.count == Self.batchSize { try add(&batch) }
                }
            } catch {
                // What was read before it comes first, as without the thread.
                try add(&batch)
                throw error
            }
            try add(&batch)
        }
        lock.withLock {
            self.end = end
            lock.broadcast()
        }
    }

    private func add(_ batch: inout [SourceEvent]) throws {
        if batch.isEmpty { return }
        try lock.withLock {
            while waiting.count >= Self.mostWaiting, !isStopped { lock.wait() }
            if isStopped { throw Stopped() }
            waiting.append(batch)
            lock.broadcast()
        }
        batch = []
        batch.reserveCapacity(Self.batchSize)
    }

    /// The next events; nil when there are none.
    ///
    /// - Throws: what ended the reading, after the events before it.
    func next() throws -> [SourceEvent]? {
        try lock.withLock {
            while waiting.isEmpty {
                if let end {
                    try end.get()
                    return nil
                }
                lock.wait()
            }
            defer { lock.broadcast() }
            return waiting.removeFirst()
        }
    }

    /// Ends the reading, and waits until it has ended.
    func stop() {
        lock.withLock {
            isStopped = true
            waiting = []
            lock.broadcast()
            while end == nil { lock.wait() }
        }
    }
}
