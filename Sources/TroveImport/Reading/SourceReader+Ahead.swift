import Foundation
import Synchronization
import Trove

extension SourceReader {
    /// As ``forEach(_:)``, with the source read on a thread of its own, some rows ahead of `body`: reading takes less time than
    /// storing, and is done in that of storing.
    ///
    /// `body` is called on the caller's thread. When it throws, the reading has ended before its error is thrown here; a reader that
    /// parses a file as a whole ends after that.
    func forEachAhead(_ body: (SourceEvent) throws -> Void) throws {
        let queue = EventQueue(self)
        let thread = Thread { queue.readAll() }
        thread.name = "trove.import.reader"
        // Values in values are read recursively, and other threads than a program's first have half a megabyte on some systems.
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
    /// Why the reading ends early.
    private struct Stopped: Error {}

    /// A batch ends with so many events, or bytes.
    private static let mostEvents = 256
    private static let mostBytes = 1 << 20
    /// How many batches may wait: enough that neither thread waits for the other often.
    private static let mostWaiting = 8

    /// Nil when the reading has ended.
    private var reader: (any SourceReader)?
    private let lock = NSCondition()
    private var waiting: [[SourceEvent]] = []
    private let isStopped = Atomic(false)
    /// How the reading ended; nil before.
    private var end: Result<Void, any Error>?

    init(_ reader: any SourceReader) { self.reader = reader }

    /// Reads the source to its end, or until it is stopped.
    func readAll() {
        var (batch, size): ([SourceEvent], Int) = ([], 0)
        let end = Result {
            do {
                try reader?.forEach { event in
                    if isStopped.load(ordering: .relaxed) { throw Stopped() }
                    let measured = event.measured
                    batch.append(measured.event)
                    size += measured.size
                    guard batch.count == Self.mostEvents || size > Self.mostBytes else { return }
                    try add(&batch)
                    size = 0
                }
            } catch {
                // What was read before it comes first, as without the thread.
                try add(&batch)
                throw error
            }
            try add(&batch)
        }
        lock.withLock {
            // The caller's thread is to be the last that has the reader: it may close files.
            reader = nil
            self.end = end
            lock.broadcast()
        }
    }

    private func add(_ batch: inout [SourceEvent]) throws {
        if batch.isEmpty { return }
        try lock.withLock {
            while waiting.count >= Self.mostWaiting, !isStopped.load(ordering: .relaxed) { lock.wait() }
            if isStopped.load(ordering: .relaxed) { throw Stopped() }
            waiting.append(batch)
            lock.broadcast()
        }
        batch = []
        batch.reserveCapacity(Self.mostEvents)
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
        isStopped.store(true, ordering: .relaxed)
        lock.withLock {
            waiting = []
            lock.broadcast()
            while end == nil { lock.wait() }
        }
    }
}

extension SourceEvent {
    /// The event with the size of its row or bag, and that.
    fileprivate var measured: (event: SourceEvent, size: Int) {
        switch self {
        case .row(var row):
            row.size =
                switch row.content {
                case .values(let fields): fields.reduce(row.id.size) { $0 + $1.value.size }
                case .attributes(let attributes): attributes.reduce(row.id.size) { $0 + $1.key.utf8.count + $1.value.size }
                }
            return (.row(row), row.size)
        case .bag(var bag):
            bag.size = bag.members.reduce(bag.id.size) { $0 + $1.size }
            return (.bag(bag), bag.size)
        case .fault, .loss: return (self, 0)
        }
    }
}

extension SourceValue {
    fileprivate var size: Int {
        switch self {
        case .plain(let value): value.size
        case .reference(let reference): reference.size
        case .references(let references): references.reduce(0) { $0 + $1.size }
        case .named(let references): references.reduce(0) { $0 + $1.key.utf8.count + $1.value.size }
        case .list(let values): values.reduce(0) { $0 + $1.size }
        case .members(let values): values.reduce(0) { $0 + $1.key.utf8.count + $1.value.size }
        }
    }
}

extension SourceReference {
    fileprivate var size: Int {
        let content =
            switch key {
            case .int: 0
            case .text(let text): text.utf8.count
            case .values(let values): values.reduce(0) { $0 + $1.size }
            }
        return MemoryLayout<SourceReference>.size + content
    }
}

extension StoredValue {
    fileprivate var size: Int {
        let content =
            switch self {
            case .string(let text): text.utf8.count
            case .data(let data): data.count
            case .array(let values): values.reduce(0) { $0 + $1.size }
            case .object(let fields): fields.reduce(0) { $0 + $1.key.utf8.count + $1.value.size }
            default: 0
            }
        return MemoryLayout<StoredValue>.size + content
    }
}
