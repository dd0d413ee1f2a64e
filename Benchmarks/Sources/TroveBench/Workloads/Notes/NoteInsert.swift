/// Storing documents without a type, so many at a time.
struct NoteInsert: NoteWorkload {
    static let variants: [any Workload] = [1, 10, 100, 1_000, 10_000].map(NoteInsert.init)

    let batch: Int

    var name: String { "note-insert-\(batch)" }
    var title: String { "\(Figures.count(Double(batch))) a transaction" }
    var explanation: String {
        """
        Documents of ten values at different paths, without a type, are stored in a new store with every path indexed, \(batch) in each transaction. Fewer with small \
        batches. Afterwards, outside of the time, those of some authors are looked for.
        """
    }
    let unit = ResultUnit.time
    let preparation: [String] = []
    // A load in small transactions is no bulk load.
    var isBulkLoad: Bool { false }

    private func data(_ scale: Scale) -> NoteData { NoteData(count: operations(scale)) }

    func operations(_ scale: Scale) -> Int { min(scale.count, max(1_000, batch * 200)) }

    func expected(_ scale: Scale, seed: Int) -> Tally? { data(scale).tally(of: data(scale).randomAuthors(seed: seed)) }

    func run(on store: any NoteStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        let insert = try store.insertion(of: data(scale), batch: batch)
        try gauge.measure(insert)
        let count = try store.count()
        guard count == operations(scale) else { throw BenchmarkError("the store has \(count) documents instead of \(operations(scale))") }
        return try store.documents(by: data(scale).randomAuthors(seed: seed))()
    }
}
