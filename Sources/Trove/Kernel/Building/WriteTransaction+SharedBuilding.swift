import Synchronization

/// The entries of indexes that are built, made by several threads and written by the one that has the transaction.
extension WriteTransaction {
    /// Makes the entries of the next records on several threads; nil when that cannot be done, or something goes wrong: nothing is noted then.
    ///
    /// The keys are read before, without their records, to tell where each thread begins and ends.
    ///
    /// - Returns: how many records there were, and the last one's key when there may be more.
    /// - Throws: `CancellationError` in a task that is cancelled, as on one thread.
    func noteShared(
        _ maintainers: [any IndexMaintainer], of model: ModelBinding, in keyspace: Keyspace, after start: [UInt8]?, upTo limit: Int
    ) throws -> (count: Int, last: [UInt8]?)? {
        let (size, memory) = core.scanThreads.pace.withLock { ($0.alone, $0.batchMemory) }
        let writers = maintainers.compactMap { $0 as? OrderedIndexWriter }
        guard core.scanThreads.limit > 1, core.capabilities.sharesSnapshots, !core.capabilities.isRemote, limit >= 2 * size,
            writers.count == maintainers.count, writers.allSatisfy(\.takesBatches)
        else { return nil }
        let watch = ReadWatch()
        try watch.look()
        let bindings = writers.map(\.binding)
        let fitting = memory / max(1, try entrySize(bindings, of: model, in: keyspace, after: start))
        let (ranges, count, isEnd) = try stretches(of: size, in: keyspace, after: start, upTo: min(limit, max(fitting, 2 * size)), watch)
        guard ranges.count > 1 else { return nil }
        // Of later records that have many more entries than the first ones one thread makes no more than there is memory for.
        let budget = EntryBudget(2 * memory)
        let reading: PieceReading<(batches: [EntryBatch], count: Int)> = { transaction, _ in
            let reader = try transaction.reader
            let model = OpenModel(model)
            let keyspace = try reader.keyspace(named: model.binding.schema.name)
            return { piece in
                let batches = bindings.map(EntryBatch.init)
                var (count, size) = (0, 0)
                try piece.forEachRange { range, pace in
                    guard let keyspace else { return }
                    try reader.scan(range, in: keyspace) { key, record in
                        guard try pace.step(at: key) == .next else { return .stop }
                        count += 1
                        try transaction.withRecordView(record, key: key, model) { view in
                            for batch in batches { try batch.add(view) }
                        }
                        let before = size
                        size = batches.reduce(0) { $0 + $1.size }
                        try budget.take(size - before)
                        return .next
                    }
                }
                return (batches, count)
            }
        }
        let parts = try readShared(ranges, watch, reading)
        // That they were cancelled is nothing that one thread does better.
        if parts == nil { try watch.look() }
        guard let parts, parts.count == ranges.count, parts.reduce(0, { $0 + $1.count }) == count else { return nil }
        var (taken, bytes) = (0, 0)
        for (place, part) in parts.enumerated() {
            for (writer, batch) in zip(writers, part.batches) { writer.take(batch) }
            taken += part.count
            bytes += part.batches.reduce(0) { $0 + $1.size }
            // What is left is for the next batch.
            if bytes > memory, place < parts.count - 1, let end = ranges[place].upper { return (taken, Array(end.dropLast())) }
        }
        return (taken, isEnd ? nil : ranges.last?.upper.map { Array($0.dropLast()) })
    }

    /// About how many bytes the entries of a record take, by the next records.
    private func entrySize(_ bindings: [IndexBinding], of model: ModelBinding, in keyspace: Keyspace, after start: [UInt8]?) throws -> Int {
        let batches = bindings.map(EntryBatch.init)
        let model = OpenModel(model)
        var count = 0
        do {
            try reader.scan(start.map { .after($0) } ?? .all, in: keyspace) { key, record in
                try withRecordView(record, key: key, model) { view in
                    for batch in batches { try batch.add(view) }
                }
                count += 1
                return count == Self.sampleSize ? .stop : .next
            }
        } catch is TroveError {
            // One thread knows what to do about a record that cannot be read.
        }
        return batches.reduce(0) { $0 + $1.size } / max(1, count)
    }

    /// How many records tell how many entries others have.
    private static let sampleSize = 256

    /// Ranges of so many records each that follow each other, how many records they have, and whether there are no others. Each ends behind a key.
    private func stretches(
        of size: Int, in keyspace: Keyspace, after start: [UInt8]?, upTo limit: Int, _ watch: ReadWatch
    ) throws -> (ranges: [KeyRange], count: Int, isEnd: Bool) {
        var watch = watch
        var ranges: [KeyRange] = []
        var lower = start.map { $0 + [0] } ?? []
        var count = 0
        try reader.scanKeys(KeyRange(from: lower), in: keyspace, order: .ascending, expecting: limit) { key in
            try watch.step()
            count += 1
            if count.isMultiple(of: size) || count == limit {
                let upper = [UInt8](copying: key) + [0]
                ranges.append(KeyRange(from: lower, upTo: upper))
                lower = upper
            }
            return count == limit ? .stop : .next
        }
        if count < limit, !count.isMultiple(of: size) { ranges.append(KeyRange(from: lower)) }
        return (ranges, count, count < limit)
    }
}

/// The memory that the entries of several threads may take together.
private final class EntryBudget: Sendable {
    struct Exceeded: Error {}

    private let left: Atomic<Int>

    init(_ size: Int) { left = Atomic(size) }

    /// - Throws: ``Exceeded``, which ends the work of all threads.
    func take(_ size: Int) throws {
        if left.subtract(size, ordering: .relaxed).newValue < 0 { throw Exceeded() }
    }
}
