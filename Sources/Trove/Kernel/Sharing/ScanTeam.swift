import Dispatch
import Foundation
import Synchronization

/// What the threads have in common that read one scan: the pieces that wait for a thread, and what was made of those that are done.
///
/// A thread that has nothing to do says so, and another one gives it half of what it has left. Where the borders are does not matter then:
/// keys that stand close together are divided again and again.
///
/// Unchecked: all that changes is changed with the lock.
final class ScanTeam<Part>: @unchecked Sendable {
    /// How long a thread waits until it looks whether the read should go on.
    private static var patience: TimeInterval { 0.002 }

    private let lock = NSCondition()
    private var waiting: [KeyRange]
    /// What was made of each piece, with the piece's first key.
    private var parts: [(start: [UInt8], part: Part)] = []
    /// How many threads read a piece.
    private var busy = 0
    /// How many threads help now.
    private var helpers = 0
    /// How many threads have come to read, that of the caller among them.
    private var threads = 1
    private var hasEnded = false
    private var failure: (any Error)?
    private let hunger = ScanHunger()
    /// Raised when something went wrong, so that the others need not go on.
    let halt = Interruption()
    private let recordsBetweenGifts: Int

    init(_ ranges: [KeyRange], betweenGifts records: Int) {
        waiting = ranges.reversed()
        recordsBetweenGifts = records
    }

    /// What was made of the pieces, in the order of their keys, and by how many threads; nil when something went wrong. For a team that has ended.
    var result: (parts: [Part], threads: Int)? {
        lock.withLock {
            guard failure == nil else { return nil }
            return (parts.sorted { $0.start.lexicographicallyPrecedes($1.start) }.map(\.part), threads)
        }
    }

    /// Reads pieces until none is left.
    ///
    /// - Throws: what `read` and the watch throw.
    func work(_ watch: ReadWatch, _ read: (ScanPiece) throws -> Part) throws {
        while let range = try next(watch) {
            do {
                let piece = ScanPiece([range], watch, hunger, after: recordsBetweenGifts) { self.add($0) }
                let part = try read(piece)
                lock.withLock { finish((range.lower, part)) }
            } catch {
                lock.withLock { fail(error) }
                throw error
            }
        }
    }

    /// As above on a thread that helps, unless the scan is over already.
    func help(_ watch: ReadWatch, _ read: () throws -> (ScanPiece) throws -> Part) {
        let isWanted = lock.withLock {
            if hasEnded || halt.isRaised { return false }
            helpers += 1
            threads += 1
            return true
        }
        guard isWanted else { return }
        do {
            try work(watch, read())
        } catch {
            lock.withLock { if failure == nil { fail(error, isReading: false) } }
        }
        lock.withLock {
            helpers -= 1
            lock.broadcast()
        }
    }

    /// Sends all helpers away and waits until they are gone.
    func end() {
        lock.withLock {
            hasEnded = true
            while helpers > 0 { lock.wait() }
        }
    }

    /// Ends the work of all.
    func stop(because error: any Error) { lock.withLock { fail(error, isReading: false) } }

    private func add(_ range: KeyRange) {
        lock.withLock {
            waiting.append(range)
            lock.signal()
        }
    }

    /// The next piece; nil when all are done. Waits while others may still give some away.
    private func next(_ watch: ReadWatch) throws -> KeyRange? {
        lock.lock()
        defer { lock.unlock() }
        while !halt.isRaised {
            if let range = waiting.popLast() {
                busy += 1
                return range
            }
            if busy == 0 { return nil }
            hunger.add(1)
            _ = lock.wait(until: Date(timeIntervalSinceNow: Self.patience))
            hunger.add(-1)
            try watch.look()
        }
        return nil
    }

    private func finish(_ part: (start: [UInt8], part: Part)) {
        parts.append(part)
        busy -= 1
        if busy == 0 { lock.broadcast() }
    }

    private func fail(_ error: any Error, isReading: Bool = true) {
        if isReading { busy -= 1 }
        if failure == nil { failure = error }
        halt.raise()
        lock.broadcast()
    }
}

/// The threads that scans of a store may use, beside those that ask for them.
final class ScanThreads: Sendable {
    /// When a scan asks for help, and how much of it a thread reads before it gives some of the rest away.
    struct Pace: Sendable {
        /// Records that one thread reads alone: with fewer, help comes too late.
        var alone = 4_096
        /// Records that a thread reads between two gifts.
        var betweenGifts = 1_024
        /// The most memory that the entries of one batch take when an index is built, in bytes.
        var batchMemory = 64 << 20
    }

    /// How many threads may work on a scan, that of the caller among them.
    let limit: Int
    /// Others than the default in tests, whose stores are small.
    let pace = Mutex(Pace())
    private let helping = Atomic(0)

    /// - Parameter limit: nil for as many as the machine has cores; below 1 is 1, and no more than four for each core.
    init(limit: Int?) {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        self.limit = max(1, min(limit ?? cores, 4 * cores))
    }

    /// Takes threads to help with a scan, at most `limit - 1` for all scans together: the callers' own threads keep the cores busy then.
    /// As many as it returns have to be given back.
    func take() -> Int {
        var count = helping.load(ordering: .relaxed)
        while count < limit - 1 {
            let (isTaken, found) = helping.compareExchange(expected: count, desired: limit - 1, ordering: .relaxed)
            if isTaken { return limit - 1 - count }
            count = found
        }
        return 0
    }

    func give(_ count: Int) { helping.subtract(count, ordering: .relaxed) }

    /// Runs a job on a thread of its own: on Linux concurrent queues share the threads of Swift's tasks, which may all be waiting for this scan.
    func start(_ job: @escaping @Sendable () -> Void) { DispatchQueue(label: "trove.scan").async(execute: job) }
}
