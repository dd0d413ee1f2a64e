/// Finding texts by a word.
struct TextWord: TitleWorkload {
    let name = "text-word"
    let title = "Titles with a rare word"
    let explanation = """
        A word that 727 titles have is looked up and all of them are read, as objects; ten such words, one after the other, in \
        one snapshot. The time is that of one word, measured after one round that is not.
        """
    let unit = ResultUnit.time
    let order = 10

    func operations(_ scale: Scale) -> Int { TitleData.rareWords.count }

    func expected(_ scale: Scale, seed: Int) -> Tally? { scale.titles.tallyOfRareWords() }

    func run(on store: any TitleStore, _ scale: Scale, seed: Int, _ gauge: inout Gauge) throws -> Tally {
        let find = try store.finding(words: TitleData.rareWords)
        _ = try find()
        return try gauge.measure(find)
    }
}
