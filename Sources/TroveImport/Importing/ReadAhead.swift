import Foundation
import Synchronization

/// Reads a source on a thread of its own, some rows ahead of the one who takes them, so that reading and storing go on at once.
///
/// The reader is used by that thread alone until ``forEach(_:)`` returns, which waits for its end.
final class ReadAhead: @unchecked Sendable {
    // `reader` belongs to the thread that reads; everything else is guarded by `condition`.
    private let reader: any SourceReader
    private let condition = NSCondition()
    private var batches: [[SourceEvent]] = []
    private var end: Result<Void, any Error>?
    private var isUnwanted = false

    /// Few enough that rows with large data do not fill the memory, and so many that the threads seldom wait for each other.
    private static let batchSize = 64
    private static let maxWaiting = 4
    private static let stackSize = 8 << 20

    private struct Unwanted: Error {}

    init(_ reader: any SourceReader) { self.reader = reader }

    /// Calls `body` with everything there is, in the order of the source, on the calling thread.
    ///
    /// - Throws: what `body` throws, after which nothing more is read; what the reader throws, after what it has read before.
    func forEach(_ body: (SourceEvent) throws -> Void) throws {
        let thread = Thread { self.read() }
        thread.stackSize = Self.stackSize
        thread.start()
        defer { waitForEnd() }
        while let batch = try next() {
            for event in batch { try body(event) }
        }
    }

    // MARK: The one who takes

    private func next() throws -> [SourceEvent]? {
        condition.lock()
        defer { condition.unlock() }
        while batches.isEmpty, end == nil { condition.wait() }
        if batches.isEmpty {
            try end?.get()
            return nil
        }
        condition.broadcast()
        return batches.removeFirst()
    }

    private func waitForEnd() {
        condition.lock()
        isUnwanted = true
        condition.broadcast()
        while end == nil { condition.wait() }
        condition.unlock()
    }

    // MARK: The thread that reads

    private func read() {
        let outcome = Result {
            var batch: [SourceEvent] = []
            try reader.forEach { event in
                batch.append(event)
                if batch.count == Self.batchSize {
                    try hand(over: batch)
                    batch = []
                    batch.reserveCapacity(Self.batchSize)
                }
            }
            if !batch.isEmpty { try hand(over: batch) }
        }
        condition.lock()
        end = outcome
        condition.broadcast()
        condition.unlock()
    }

    private func hand(over batch: [SourceEvent]) throws {
        condition.lock()
        defer { condition.unlock() }
        while batches.count >= Self.maxWaiting, !isUnwanted { condition.wait() }
        if isUnwanted { throw Unwanted() }
        batches.append(batch)
        condition.broadcast()
    }
}
