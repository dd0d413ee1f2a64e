extension SearchContext {
    /// Calls `body` with the record key of each document, until it returns ``ScanStep/stop``; returns whether the keys ascend.
    func forEachRecordKey(_ documents: DocumentIterator, _ body: (RawSpan) throws -> ScanStep) throws -> Bool {
        guard let keyspaces else { return true }
        let lookup = RecordKeyLookup(context: self, keyspace: keyspaces.documents)
        var batch: [UInt64] = []
        var step = ScanStep.next
        // Few at first, for those who want only the first ones.
        var size = 64
        while documents.document != DocumentIterator.end, step == .next {
            batch.removeAll(keepingCapacity: true)
            while documents.document != DocumentIterator.end, batch.count < size {
                batch.append(documents.document)
                try documents.next()
            }
            try lookup.forEach(batch) {
                step = try body($0)
                return step
            }
            size = min(size * 4, 4096)
        }
        return totals.isOrderedByKey
    }
}
