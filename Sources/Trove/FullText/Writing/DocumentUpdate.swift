/// Brings what is kept by document up to date: numbers, record keys and lengths.
struct DocumentUpdate {
    let index: InvertedIndex
    let writer: any StorageWriter
    let documents: Keyspace
    let keys: Keyspace

    /// Applies the changes of `buffer` and returns the number of each of its documents, `UInt64.max` for those that came and went.
    func apply(_ buffer: borrowing ChangeBuffer, _ totals: inout IndexTotals) throws -> [UInt64] {
        var numbers = [UInt64](repeating: .max, count: buffer.documents.count)
        try assignNumbers(buffer, &totals, &numbers)
        try updateKeys(buffer, &numbers)
        try updateBlocks(buffer, numbers)
        return numbers
    }

    private func assignNumbers(_ buffer: borrowing ChangeBuffer, _ totals: inout IndexTotals, _ numbers: inout [UInt64]) throws {
        var last: Int?
        for document in buffer.documents.indices where buffer.documents[document].isPresent && !buffer.documents[document].isStored {
            guard totals.nextNumber < FullTextFormat.numberLimit else {
                throw index.corrupt("all numbers of documents are used up; rebuild the index")
            }
            numbers[document] = totals.nextNumber
            totals.nextNumber += 1
            if totals.isOrderedByKey {
                let previous = last.map { buffer.keys[$0] }
                totals.isOrderedByKey =
                    previous.map { $0.lexicographicallyPrecedes(buffer.keys[document]) }
                    ?? totals.lastKey.lexicographicallyPrecedes(buffer.keys[document])
            }
            last = document
        }
        if let last { totals.lastKey = [UInt8](buffer.keys[last]) }
    }

    /// Stores the numbers of new documents, removes those of removed ones and looks up those of the others, by ascending record key.
    private func updateKeys(_ buffer: borrowing ChangeBuffer, _ numbers: inout [UInt64]) throws {
        var value = ByteWriter(capacity: 32)
        for document in buffer.keys.sortedNumbers() {
            let state = buffer.documents[document]
            let key = buffer.keys[document]
            let span = UnsafeRawBufferPointer(key).bytes
            if state.isStored {
                let found = try writer.get(span, in: keys) {
                    numbers[document] = try DocumentNumber.decode($0, recordKey: UnsafeRawBufferPointer(key), index)
                }
                guard found else { throw index.corrupt("a changed document is not in it; rebuild the index") }
                if !state.isPresent { try writer.remove(span, in: keys) }
            } else if state.isPresent {
                DocumentNumber.encode(numbers[document], recordKey: key, &value)
                guard try value.withBytes({ try writer.insert(span, $0, in: keys) }) else {
                    throw index.corrupt("a new document is in it already; rebuild the index")
                }
            }
        }
    }

    /// Updates record keys and lengths by ascending number, group by group.
    private func updateBlocks(_ buffer: borrowing ChangeBuffer, _ numbers: [UInt64]) throws {
        var order = numbers.indices.filter { numbers[$0] != .max }
        if !zip(order, order.dropFirst()).allSatisfy({ numbers[$0] < numbers[$1] }) { order.sort { numbers[$0] < numbers[$1] } }
        if writer.prefetches { try prefetchBlocks(order, numbers) }
        var start = 0
        while start < order.count {
            let group = numbers[order[start]] / FullTextFormat.groupSize
            var end = start
            while end < order.count, numbers[order[end]] / FullTextFormat.groupSize == group { end += 1 }
            if index.keepsLengths { try updateLengths(group, order[start..<end], buffer, numbers) }
            try updateRecordKeys(order[start..<end], buffer, numbers)
            start = end
        }
    }

    private func prefetchBlocks(_ order: [Int], _ numbers: [UInt64]) throws {
        var blocks: [[UInt8]] = []
        var (group, block): (UInt64?, UInt64?)
        for document in order {
            let number = numbers[document]
            if index.keepsLengths, group != number / FullTextFormat.groupSize {
                group = number / FullTextFormat.groupSize
                blocks.append(DocumentKey.lengths(group: number / FullTextFormat.groupSize))
            }
            if block != number / FullTextFormat.keyBlockSize {
                block = number / FullTextFormat.keyBlockSize
                blocks.append(DocumentKey.recordKeys(block: number / FullTextFormat.keyBlockSize))
            }
        }
        try writer.prefetch(blocks, in: documents)
    }

    private func updateLengths(
        _ group: UInt64, _ changed: ArraySlice<Int>, _ buffer: borrowing ChangeBuffer, _ numbers: [UInt64]
    ) throws {
        let key = DocumentKey.lengths(group: group)
        var block = LengthBlock()
        _ = try writer.get(key.span.bytes, in: documents) { try block.load($0, key: key, index) }
        for document in changed {
            let state = buffer.documents[document]
            block[Int(numbers[document] % FullTextFormat.groupSize)] = state.isPresent ? state.length : 0
        }
        try block.save(key, writer, documents)
    }

    private func updateRecordKeys(_ changed: ArraySlice<Int>, _ buffer: borrowing ChangeBuffer, _ numbers: [UInt64]) throws {
        var start = changed.startIndex
        while start < changed.endIndex {
            let number = numbers[changed[start]] / FullTextFormat.keyBlockSize
            let key = DocumentKey.recordKeys(block: number)
            var block = RecordKeyBlock()
            var (isLoaded, isChanged) = (false, false)
            while start < changed.endIndex, numbers[changed[start]] / FullTextFormat.keyBlockSize == number {
                let document = changed[start]
                let state = buffer.documents[document]
                start += 1
                // The record key of a document that was there and still is has not changed.
                if state.isStored && state.isPresent { continue }
                if !isLoaded {
                    isLoaded = true
                    try writer.withValue(of: key.span.bytes, in: documents) { block = try RecordKeyBlock($0, key: key, index) }
                }
                isChanged = true
                block[Int(numbers[document] % FullTextFormat.keyBlockSize)] = state.isPresent ? [UInt8](buffer.keys[document]) : []
            }
            if isChanged { try block.save(key, writer, documents) }
        }
    }
}
