extension ReadTransaction {
    /// What a thread does with its pieces of a scan, in a transaction of its own.
    typealias PieceReading<Part> = @Sendable (ReadTransaction, ReadWatch) throws -> (ScanPiece) throws -> Part

    /// Reads ranges of a keyspace on several threads and returns what was made of the pieces, in the order of their keys, and by how many threads; nil when
    /// that cannot be done, or something went wrong on another thread: what it was is found out by reading the ranges on one.
    ///
    /// The first records are read on this thread alone, and all of them when there are no more.
    ///
    /// - Parameters:
    ///   - ranges: ascending, none in the other.
    ///   - reading: called on each thread with its transaction; it returns what makes a part of a piece there. In whatever way the ranges are
    ///     cut into pieces, the parts have to come to the same.
    /// - Throws: what reading the first records throws, and those after them where there was no other thread; what the engine throws on this thread, since its
    ///   transaction is lost then; `CancellationError`; ``TroveError/deadlineExceeded(query:deadline:)``.
    func readShared<Part>(
        _ ranges: [KeyRange], in keyspace: Keyspace, _ watch: ReadWatch, _ reading: @escaping PieceReading<Part>
    ) throws -> (parts: [Part], threads: Int)? {
        let threads = core.scanThreads
        guard threads.limit > 1, core.capabilities.sharesSnapshots, !core.capabilities.isRemote, !(self is WriteTransaction) else { return nil }
        let pace = threads.pace.withLock { $0 }
        do {
            let read = try reading(self, watch)
            let first = ScanPiece(ranges, watch, nil, after: pace.alone, giving: nil)
            let part = try read(first)
            if first.ranges.isEmpty { return ([part], 1) }
            guard let rest = try shared(bounded(Array(first.ranges), in: keyspace), watch, betweenGifts: pace.betweenGifts, read, reading) else { return nil }
            return ([part] + rest.parts, rest.threads)
        } catch is UnsharedScan {
            return nil
        }
    }

    /// Reads ranges on several threads, each range as a whole, from the beginning and in a write transaction too, where it has changed nothing yet; returns
    /// what was made of each, nil when that cannot be done.
    func readShared<Part>(_ ranges: [KeyRange], _ watch: ReadWatch, _ reading: @escaping PieceReading<Part>) throws -> [Part]? {
        do {
            return try shared(ranges, watch, betweenGifts: .max, reading(self, watch), reading)?.parts
        } catch let error where !(error is StorageError) {
            // One thread knows what to do about a record that cannot be read.
            return nil
        }
    }

    private func shared<Part>(
        _ ranges: [KeyRange], _ watch: ReadWatch, betweenGifts: Int, _ read: (ScanPiece) throws -> Part,
        _ reading: @escaping PieceReading<Part>
    ) throws -> (parts: [Part], threads: Int)? {
        let team = ScanTeam<Part>(ranges, betweenGifts: betweenGifts)
        let threads = core.scanThreads
        let count = threads.take()
        defer { threads.give(count) }
        var failure: (any Error)?
        try reader.withConcurrentReaders(upTo: count) { readers in
            let transactions = readers.map { ReadTransaction(core, $0) }
            defer {
                team.end()
                for transaction in transactions { transaction.finish() }
            }
            for transaction in transactions {
                let helper = Helper(transaction: transaction)
                threads.start {
                    let watch = watch.halting(at: team.halt)
                    team.help(watch) { try reading(helper.transaction, watch) }
                }
            }
            do {
                try team.work(watch.halting(at: team.halt), read)
            } catch {
                // That of the watch comes from here when the thread was waiting.
                team.stop(because: error)
                // Alone it read as one thread reads. An engine that has failed fails again, and does not say why any more.
                if readers.isEmpty || error is StorageError { failure = error }
            }
        }
        try watch.look()
        if let failure { throw failure }
        return team.result
    }

    /// The ranges with an end of their own, so that a middle can be told.
    private func bounded(_ ranges: [KeyRange], in keyspace: Keyspace) throws -> [KeyRange] {
        guard let last = ranges.last, last.upper == nil else { return ranges }
        var end: [UInt8]?
        try reader.scanKeys(last, in: keyspace, order: .descending, expecting: 1) { key in
            end = [UInt8](copying: key) + [0]
            return .stop
        }
        return ranges.dropLast() + [KeyRange(from: last.lower, upTo: end)]
    }
}

/// A transaction that is handed to another thread.
///
/// Unchecked: it is made by one thread and used by one other, until the team has ended.
private struct Helper: @unchecked Sendable {
    let transaction: ReadTransaction
}

/// A scan met what only one thread can read, as the order of long ids.
struct UnsharedScan: Error {}
