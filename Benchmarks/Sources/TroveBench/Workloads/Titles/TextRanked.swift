/// Finding the best texts for a search.
struct TextRanked: TitleWorkload {
    private static let limit = 20

    let name = "text-ranked"
    let title = "Two words, first 20 by rank"
    let explanation = """
        Titles with two frequent words, a thousand of a million or more, are ranked by BM25 and the first 20 are read, as objects; twenty \
        pairs of words, in one snapshot. The time is that of one pair, measured after one round that is not. Which twenty come first \
        is up to each contestant's weights; it is checked that they have both words.
        """
    let unit = ResultUnit.time
    let order = 20

    func operations(_ scale: Scale) -> Int { TitleData.pairs.count }

    func expected(_ scale: Scale, seed: Int) -> Tally? {
        Tally(count: scale.titles.titlesOfPairs().reduce(0) { $0 + min(Self.limit, $1) })
    }

    func run(on store: any TitleStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        let pairs = TitleData.pairs.map { ($0.0.word, $0.1.word) }
        let rank = try store.ranking(pairs: pairs, limit: Self.limit)
        _ = try rank()
        let found = try gauge.measure(rank)
        var tally = Tally()
        for (pair, titles) in zip(pairs, found) {
            tally.count += titles.count { title in
                let words = Set(title.lowercased().split(separator: " ").map(String.init))
                return words.contains(pair.0) && words.contains(pair.1)
            }
        }
        return tally
    }
}
