/// The documents that hold a term with a prefix, gathered from all such terms before the first is told.
final class PrefixIterator: DocumentIterator {
    private let matches: PrefixMatches
    private var position = 0

    init(_ matches: PrefixMatches) {
        self.matches = matches
        super.init()
        document = matches.documents.first ?? Self.end
    }

    override var estimate: Int { matches.documents.count }

    override func next() throws {
        position += 1
        settle()
    }

    override func advance(to target: UInt64) throws {
        var (low, high) = (position, matches.documents.count)
        while low < high {
            let middle = (low + high) >> 1
            if matches.documents[middle] < target { low = middle + 1 } else { high = middle }
        }
        position = low
        settle()
    }

    override func score(_ length: LengthNorm) throws -> Double { length.score(matches.frequencies[position], rarity: matches.rarity) }

    override var phraseRarity: Double { matches.rarity }

    override func appendOccurrences(to occurrences: inout [UInt64]) throws { occurrences.append(contentsOf: matches.occurrences(at: position)) }

    private func settle() { document = position < matches.documents.count ? matches.documents[position] : Self.end }
}
