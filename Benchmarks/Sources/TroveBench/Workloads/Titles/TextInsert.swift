/// Filling a store whose texts are indexed by their words.
struct TextInsert: TitleWorkload {
    let name = "text-insert"
    let title = "Titles indexed by words"
    let explanation = """
        Titles of three to eight words, as frequent as words of a language are, are stored in one transaction in a new store with \
        their words indexed: Trove's full text, SQLite's FTS5 with the texts in a table of their own.
        """
    let unit = ResultUnit.rate
    var preparation: [String] { [] }

    func operations(_ scale: Scale) -> Int { scale.count }

    func expected(_ scale: Scale, seed: Int) -> Tally? { Tally(count: scale.count) }

    func run(on store: any TitleStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        let insert = try store.insertion()
        try gauge.measure(insert)
        return Tally(count: try store.count())
    }
}
