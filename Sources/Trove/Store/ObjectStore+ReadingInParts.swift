import Foundation

extension ObjectStore {
    /// Calls `read` with each part of some work, on as many threads as scans of the store may use, and returns what it made of them.
    ///
    /// Each part reads for itself: what others commit meanwhile may be seen by one and not by another.
    ///
    /// - Parameters:
    ///   - count: how much work there is.
    ///   - size: how much of it is worth a thread of its own.
    /// - Throws: what the first of the failed parts threw, when all have ended; `CancellationError` when the caller's task was cancelled.
    package func inParts<Part: Sendable>(of count: Int, atLeast size: Int, _ read: @escaping @Sendable (Range<Int>) throws -> Part) throws -> [Part] {
        let threads = core.scanThreads
        let most = count / max(1, size)
        let mayShare = most > 1 && core.capabilities.sharesSnapshots && !core.capabilities.isRemote
        let free = mayShare ? threads.take() : 0
        let helpers = max(0, min(free, most - 1))
        threads.give(free - helpers)
        defer { threads.give(helpers) }
        let partCount = helpers + 1
        let results = PartResults<Part>(count: partCount)
        let work: @Sendable (Int) -> Void = { part in
            results.note(part) { try Interruption.$current.withValue(results.halt) { try read(count * part / partCount..<count * (part + 1) / partCount) } }
        }
        for part in 0..<helpers { threads.start { work(part + 1) } }
        work(0)
        return try results.all()
    }
}

/// What threads made of their parts.
///
/// Unchecked: what changes is changed with the lock.
private final class PartResults<Part: Sendable>: @unchecked Sendable {
    /// Raised when one has failed, and with that of whoever asked, so that the others need not go on.
    let halt = Interruption(below: .current)
    private let lock = NSCondition()
    private var results: [Result<Part, any Error>?]

    init(count: Int) { results = Array(repeating: nil, count: count) }

    func note(_ part: Int, _ body: () throws -> Part) {
        let result = Result { try body() }
        if case .failure = result { halt.raise() }
        lock.withLock {
            results[part] = result
            lock.broadcast()
        }
    }

    /// All parts, when all have ended.
    func all() throws -> [Part] {
        let results = lock.withLock {
            while self.results.contains(where: { $0 == nil }) {
                if Task.isCancelled { halt.raise() }
                _ = lock.wait(until: Date(timeIntervalSinceNow: 0.01))
            }
            return self.results.compactMap { $0 }
        }
        // Those that were told to stop say only that.
        for case .failure(let error) in results where !(error is CancellationError) { throw error }
        return try results.map { try $0.get() }
    }
}
