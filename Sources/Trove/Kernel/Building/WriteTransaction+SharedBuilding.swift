/// The entries of indexes that are built, made by several threads and written by the one that has the transaction.
extension WriteTransaction {
    /// Makes the entries of the next records on several threads; nil when that cannot be done, or something goes wrong: nothing is noted then.
    ///
    /// The keys are read before, without their records, to tell where each thread begins and ends.
    ///
    /// - Returns: how many records there were, and the last one's key when there may be more.
    func noteShared(
        _ maintainers: [any IndexMaintainer], of model: ModelBinding, in keyspace: Keyspace, after start: [UInt8]?, upTo limit: Int, memory: Int
    ) throws -> (count: Int, last: [UInt8]?)? {
        let size = core.scanThreads.pace.withLock { $0.alone }
        let writers = maintainers.compactMap { $0 as? OrderedIndexWriter }
        guard core.scanThreads.limit > 1, core.capabilities.sharesSnapshots, !core.capabilities.isRemote, limit >= 2 * size,
            writers.count == maintainers.count, writers.allSatisfy(\.takesBatches)
        else { return nil }
        let (ranges, count, isEnd) = try stretches(of: size, in: keyspace, after: start, upTo: limit)
        guard ranges.count > 1 else { return nil }
        let bindings = writers.map(\.binding)
        let reading: PieceReading<(batches: [EntryBatch], count: Int)> = { transaction, _ in
            let reader = try transaction.reader
            let model = OpenModel(model)
            let keyspace = try reader.keyspace(named: model.binding.schema.name)
            return { piece in
                let batches = bindings.map(EntryBatch.init)
                var count = 0
                try piece.forEachRange { range, pace in
                    guard let keyspace else { return }
                    try reader.scan(range, in: keyspace) { key, record in
                        guard try pace.step(at: key) == .next else { return .stop }
                        count += 1
                        try transaction.withRecordView(record, key: key, model) { view in
                            for batch in batches { try batch.add(view) }
                        }
                        return .next
                    }
                }
                return (batches, count)
            }
        }
        let parts = try readShared(ranges, ReadWatch(heedsCancellation: false), reading)
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

    /// Ranges of so many records each that follow each other, how many records they have, and whether there are no others. Each ends behind a key.
    private func stretches(of size: Int, in keyspace: Keyspace, after start: [UInt8]?, upTo limit: Int) throws -> (ranges: [KeyRange], count: Int, isEnd: Bool) {
        var ranges: [KeyRange] = []
        var lower = start.map { $0 + [0] } ?? []
        var count = 0
        try reader.scanKeys(KeyRange(from: lower), in: keyspace, order: .ascending, expecting: limit) { key in
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
