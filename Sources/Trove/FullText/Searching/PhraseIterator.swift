/// The documents that hold several words one after the other, in one field.
final class PhraseIterator: DocumentIterator {
    private let parts: [DocumentIterator]
    private let offsets: [UInt64]
    private let conjunction: ConjunctionIterator
    private let context: SearchContext
    private let rarity: Double
    private var occurrences: [[UInt64]]
    /// Where the phrase begins in the document it is at.
    private var matches: [UInt64] = []

    init(_ context: SearchContext, _ elements: [AnalyzedQuery.Element], _ fields: UInt64) throws {
        self.context = context
        parts = try elements.map { try context.documents(of: $0, fields, withOccurrences: true) }
        offsets = elements.map { UInt64($0.offset) }
        rarity = parts.reduce(0) { $0 + $1.phraseRarity }
        occurrences = parts.map { _ in [] }
        conjunction = try ConjunctionIterator(parts)
        super.init()
        try settle()
    }

    override var estimate: Int { conjunction.estimate }

    override func next() throws {
        try conjunction.next()
        try settle()
    }

    override func advance(to target: UInt64) throws {
        try conjunction.advance(to: target)
        try settle()
    }

    override func score(_ length: LengthNorm) throws -> Double {
        length.score(matches.reduce(0) { $0 + context.weights[Int($1 >> 32)] }, rarity: rarity)
    }

    private func settle() throws {
        while conjunction.document != Self.end {
            try findMatches()
            if !matches.isEmpty { break }
            try conjunction.next()
        }
        document = conjunction.document
    }

    /// Keeps those beginnings of the first word at which the others follow in their distances.
    private func findMatches() throws {
        for (place, part) in parts.enumerated() {
            occurrences[place].removeAll(keepingCapacity: true)
            try part.appendOccurrences(to: &occurrences[place])
        }
        matches.removeAll(keepingCapacity: true)
        var next = [Int](repeating: 0, count: parts.count)
        candidates: for start in occurrences[0] {
            for place in 1..<parts.count {
                let wanted = start + offsets[place]
                while next[place] < occurrences[place].count, occurrences[place][next[place]] < wanted { next[place] += 1 }
                guard next[place] < occurrences[place].count else { break candidates }
                if occurrences[place][next[place]] != wanted { continue candidates }
            }
            matches.append(start)
        }
    }
}
