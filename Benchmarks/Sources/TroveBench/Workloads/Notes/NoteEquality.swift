/// Reading the documents without a type that have a value at a path.
struct NoteEquality: NoteWorkload {
    let name = "note-equality"
    let title = "Equality, 100 documents"
    let explanation = """
        The hundred documents of an author, which stands inside another value, are read whole and their numbers added up; 200 authors drawn at random, a transaction \
        each. The C program reads the number in front of each archive, and decodes nothing.
        """
    let unit = ResultUnit.time
    let preparation = ["note-insert-1000"]

    private func data(_ scale: Scale) -> NoteData { NoteData(count: scale.count) }

    func scale(_ asked: Scale) -> Scale? {
        // As many as the preparation stores.
        Scale(count: min(asked.count, family.countLimit))
    }

    func operations(_ scale: Scale) -> Int { data(scale).randomAuthors(seed: 0).count }

    func expected(_ scale: Scale, seed: Int) -> Tally? { data(scale).tally(of: data(scale).randomAuthors(seed: seed)) }

    func run(on store: any NoteStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        _ = try store.documents(by: data(scale).randomAuthors(seed: scale.warmUpSeed(seed)))()
        return try gauge.measure(store.documents(by: data(scale).randomAuthors(seed: seed)))
    }
}
