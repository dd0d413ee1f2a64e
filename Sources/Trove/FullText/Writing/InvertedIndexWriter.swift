/// Keeps an inverted index in step with the documents that one write transaction changes.
///
/// It gathers changes and merges them into the index when it is flushed: term by term in the order of their bytes, so that each
/// block is written once and new terms are appended. Queries see what was flushed. It belongs to one write transaction; a body
/// that runs again makes a new one.
final class InvertedIndexWriter {
    private let index: InvertedIndex
    private var buffer: ChangeBuffer

    init(_ index: InvertedIndex) {
        self.index = index
        buffer = ChangeBuffer(index)
    }

    /// Notes that the document with this record key had the texts `old` and has the texts `new`, one a field; nil stands for a document
    /// that was not there, or is not there any more.
    ///
    /// - Throws: ``TroveError/corruptIndex(model:index:reason:)`` when the change does not go with an earlier one.
    func replace(_ key: RawSpan, old: [String?]?, new: [String?]?) throws {
        try key.withUnsafeBytes { try buffer.replace($0.assumingMemoryBound(to: UInt8.self), old: old, new: new) }
    }

    /// About how many bytes the changes take.
    var memorySize: Int { buffer.memorySize }

    /// Forgets the changes since the last flush, as when a savepoint is undone.
    func discard() { buffer.removeAll() }

    /// Tells the engine which keys ``flush(into:)`` will ask for: of the last block of each term, which most changes need alone, of the
    /// documents and of the totals.
    func announce(to writer: any StorageWriter) throws {
        if buffer.isEmpty { return }
        var key = PostingKey()
        let tails = buffer.terms.sortedNumbers().map { term in
            key.setTail(of: buffer.terms[term])
            return key.bytes
        }
        try writer.prefetch(tails, in: writer.createKeyspace(named: index.postingsName))
        try writer.prefetch([IndexTotals.key], in: writer.createKeyspace(named: index.documentsName))
        let documents = buffer.keys.sortedNumbers().map { [UInt8](buffer.keys[$0]) }
        try writer.prefetch(documents, in: writer.createKeyspace(named: index.keysName))
    }

    /// Merges the changes into the index.
    ///
    /// - Throws: ``TroveError/corruptIndex(model:index:reason:)`` when the index is damaged, lacks a document that changed or holds one that
    ///   is new; then the transaction can only roll back.
    func flush(into writer: any StorageWriter) throws {
        if buffer.isEmpty { return }
        let postings = try writer.createKeyspace(named: index.postingsName)
        let documents = try writer.createKeyspace(named: index.documentsName)
        let keys = try writer.createKeyspace(named: index.keysName)
        var totals = try IndexTotals.load(index, writer, documents)
        let isNew = totals.nextNumber == 0
        let update = DocumentUpdate(index: index, writer: writer, documents: documents, keys: keys)
        let numbers = try update.apply(buffer, &totals)
        try mergeTerms(numbers, into: TermMerger(index, writer, postings, isNew: isNew))
        totals.documentCount += buffer.documentGrowth
        totals.wordCount += buffer.wordGrowth
        guard totals.documentCount >= 0, totals.wordCount >= 0 else {
            throw index.corrupt("it held fewer documents or words than were removed; rebuild the index")
        }
        try totals.save(index, writer, documents)
        buffer.removeAll()
    }

    // MARK: Terms

    /// Merges the entries, `numbers` telling the number of each document of the buffer.
    private func mergeTerms(_ numbers: [UInt64], into merger: consuming TermMerger) throws {
        let changes = buffer.changes.map { numbers[Int($0)] }
        let (sorted, starts) = entriesByTerm()
        defer { sorted.deallocate() }
        var termChanges = TermChanges()
        for term in buffer.terms.sortedNumbers() where starts[term] < starts[term + 1] {
            var entries = UnsafeMutableBufferPointer(rebasing: sorted[starts[term]..<starts[term + 1]])
            changes.withUnsafeBufferPointer { changes in
                Self.orderByDocument(&entries, changes)
                termChanges.take(entries, numbers: changes, once: !index.keepsCounts)
            }
            if termChanges.count > 0 { try merger.merge(termChanges, of: buffer.terms[term]) }
        }
    }

    /// The entries term by term, each term's in the order in which they came, and where each term's begin.
    private func entriesByTerm() -> (UnsafeMutableBufferPointer<TermChanges.Entry>, [Int]) {
        var starts = [Int](repeating: 0, count: buffer.terms.count + 1)
        let sorted = UnsafeMutableBufferPointer<TermChanges.Entry>.allocate(capacity: buffer.entries.count)
        buffer.entries.withUnsafeBufferPointer { entries in
            for entry in entries { starts[Int(entry.term) + 1] += 1 }
            for term in 0..<buffer.terms.count { starts[term + 1] += starts[term] }
            var next = starts
            for entry in entries {
                sorted.initializeElement(at: next[Int(entry.term)], to: entry)
                next[Int(entry.term)] += 1
            }
        }
        return (sorted, starts)
    }

    /// New documents come in the order of their numbers; changed ones may not.
    private static func orderByDocument(
        _ entries: inout UnsafeMutableBufferPointer<TermChanges.Entry>, _ changes: UnsafeBufferPointer<UInt64>
    ) {
        for index in entries.indices.dropFirst()
        where changes[Int(entries[index - 1].change)] > changes[Int(entries[index].change)] {
            entries.sort {
                let (left, right) = (changes[Int($0.change)], changes[Int($1.change)])
                if left != right { return left < right }
                return $0.change == $1.change ? $0.occurrence < $1.occurrence : $0.change < $1.change
            }
            return
        }
    }
}
