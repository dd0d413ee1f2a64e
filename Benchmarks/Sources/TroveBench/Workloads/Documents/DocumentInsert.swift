/// Storing documents with every attribute indexed, so many at a time.
struct DocumentInsert: Workload {
    static let batches = [1, 10, 100, 1_000, 10_000]

    static let variants: [any Workload] = batches.map(DocumentInsert.init)

    let batch: Int

    var name: String { "document-insert-\(batch)" }
    var title: String { "\(Figures.count(Double(batch))) a transaction" }
    var explanation: String {
        """
        Documents of six attributes, three texts and three numbers, each with an index of its own, are stored in a new store, \(batch) in each \
        transaction: NanoStore's benchmark. 20,000 documents, fewer with small batches or when so asked; the rate is that of documents. Afterwards, outside of \
        the time, some are looked for by each of the six indexes.
        """
    }
    let unit = ResultUnit.rate
    let family = StoreFamily.documents
    let preparation: [String] = []
    // A load in small transactions is no bulk load: each has to be durable.
    var isBulkLoad: Bool { false }

    func operations(_ scale: Scale) -> Int { min(scale.count, max(1_000, batch * 200)) }

    /// Some that all others are held against by each attribute in the end.
    private func samples(_ scale: Scale) -> [Int] { [0, operations(scale) / 2, operations(scale) - 1] }

    func expected(_ scale: Scale, seed: Int) -> Tally? { DocumentData.tally(like: samples(scale), count: operations(scale)) }

    func measure(_ contestant: any Contestant, in place: StorePlace, _ scale: Scale, seed: Int, _ gauge: inout Gauge) async throws -> Tally {
        let store = try contestant.openDocuments(place)
        let insert = try store.insertion(count: operations(scale), batch: batch)
        try gauge.measure(insert)
        let count = try store.count()
        guard count == operations(scale) else { throw BenchmarkError("the store has \(count) documents instead of \(operations(scale))") }
        var tally = Tally()
        for sample in samples(scale) { tally.add(try store.documents(like: sample)) }
        try store.close()
        return tally
    }
}
