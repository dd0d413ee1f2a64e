/// Looks up the record keys of documents, a batch of blocks at a time.
struct RecordKeyLookup {
    /// How many blocks are asked for in one go.
    private static let batchSize = 256

    let context: SearchContext
    let keyspace: Keyspace

    /// Calls `body` with the record key of each document; `numbers` ascend.
    func forEach(_ numbers: some RandomAccessCollection<UInt64>, _ body: (RawSpan) throws -> ScanStep) throws {
        var start = numbers.startIndex
        while start < numbers.endIndex {
            var keys: [[UInt8]] = []
            var batch: [UInt64] = []
            var end = start
            while end < numbers.endIndex {
                let block = numbers[end] / FullTextFormat.keyBlockSize
                if batch.last != block {
                    if batch.count == Self.batchSize { break }
                    batch.append(block)
                    keys.append(DocumentKey.recordKeys(block: block))
                }
                numbers.formIndex(after: &end)
            }
            if try visit(numbers[start..<end], batch, keys, body) == .stop { return }
            start = end
        }
    }

    private func visit<Numbers: RandomAccessCollection<UInt64>>(
        _ numbers: Numbers, _ batch: [UInt64], _ keys: [[UInt8]], _ body: (RawSpan) throws -> ScanStep
    ) throws -> ScanStep {
        var next = numbers.startIndex
        var step = ScanStep.next
        try context.reader.getMany(keys, in: keyspace) { position, value in
            if step == .stop { return }
            guard let value else { throw missing }
            let base = batch[position] * FullTextFormat.keyBlockSize
            try RecordKeyBlock.forEach(value, key: keys[position], context.index) { slot, recordKey in
                guard step == .next, next < numbers.endIndex, numbers[next] == base + UInt64(slot) else { return }
                numbers.formIndex(after: &next)
                step = try body(recordKey.bytes)
            }
            if step == .next, next < numbers.endIndex, numbers[next] / FullTextFormat.keyBlockSize == batch[position] { throw missing }
        }
        return step
    }

    private var missing: TroveError { context.index.corrupt("it finds a document that is not in it; rebuild the index") }
}
