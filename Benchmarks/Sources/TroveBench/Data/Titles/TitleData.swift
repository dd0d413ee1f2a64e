import Foundation
import Trove

/// The titles that every contestant stores: numbered from 0, each made from its number and that of all.
struct TitleData: Sendable {
    /// A frequent word.
    struct FrequentWord: Sendable {
        let rank: Int
        var word: String { vocabulary.words[rank] }
    }

    /// Words that 727 titles have; none is in the vocabulary, because they end with a consonant.
    static let rareWords = [
        "zeppelin", "labyrinth", "quicksilver", "kingfisher", "bagpipes", "bandoneon", "trombonist", "harpsichord", "glockenspiel",
        "dulcimer",
    ]
    /// Pairs of words that are each in one of about twenty to a hundred titles.
    static let pairs: [(FrequentWord, FrequentWord)] = (5..<25).map { rank in
        (FrequentWord(rank: rank), FrequentWord(rank: rank * 7 % 20 + 5 == rank ? rank + 1 : rank * 7 % 20 + 5))
    }
    private static let vocabulary = Vocabulary(size: 50_000)

    let count: Int
    /// The number of titles that have each of the rare words.
    let hits: Int

    init(count: Int) {
        self.count = count
        hits = max(1, min(727, count / 100))
    }

    func id(_ number: Int) -> ObjectID { SongData.id(number) }
    func seconds(_ number: Int) -> Int { 60 + Int(SongData.mixed(number) >> 20) % 600 }

    func title(_ number: Int) -> String {
        let ranks = ranks(number)
        var title = Self.vocabulary.capitalized[ranks[0]]
        for rank in ranks.dropFirst() {
            title += " "
            title += Self.vocabulary.words[rank]
        }
        if let rare = rareWord(number) {
            title += " "
            title += Self.rareWords[rare]
        }
        return title
    }

    /// The words of a title by their ranks: three to eight, the one at rank r about 1/r as frequent as the first, as Zipf found.
    private func ranks(_ number: Int) -> [Int] {
        var random = SplitMix64(seed: UInt64(number) &+ 0x7000_0000)
        let size = Double(Self.vocabulary.words.count)
        return (0..<3 + Int(random.next() >> 32) % 6).map { _ in
            min(Int(exp(Double.random(in: 0..<1, using: &random) * log(size + 1))) - 1, Int(size) - 1)
        }
    }

    /// The place of the title's rare word, if it has one: the titles that do are spread over all.
    private func rareWord(_ number: Int) -> Int? {
        // A prime above all counts, so that every title has a slot of its own.
        let slot = (number * 2_654_435_761 + 77_777) % count
        return slot < hits * Self.rareWords.count ? slot / hits : nil
    }
}

extension TitleData {
    /// What the titles with rare words add up to.
    func tallyOfRareWords() -> Tally {
        var tally = Tally()
        for number in 0..<count where rareWord(number) != nil { tally.add(title: title(number), seconds: seconds(number)) }
        return tally
    }

    /// For each pair of words the number of titles with both.
    func titlesOfPairs() -> [Int] {
        var counts = [Int](repeating: 0, count: Self.pairs.count)
        for number in 0..<count {
            let ranks = ranks(number).filter { $0 < 64 }
            guard ranks.count > 1 else { continue }
            for (place, pair) in Self.pairs.enumerated() where ranks.contains(pair.0.rank) && ranks.contains(pair.1.rank) {
                counts[place] += 1
            }
        }
        return counts
    }
}
