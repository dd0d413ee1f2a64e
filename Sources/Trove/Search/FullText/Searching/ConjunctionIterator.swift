/// The documents that all of several parts find, without those that others find.
final class ConjunctionIterator: DocumentIterator {
    private let parts: [DocumentIterator]
    private let excluded: [DocumentIterator]
    /// The parts, those with the fewest documents first.
    private let ordered: [DocumentIterator]

    init(_ parts: [DocumentIterator], excluding excluded: [DocumentIterator] = []) throws {
        self.parts = parts
        self.excluded = excluded
        ordered = parts.sorted { $0.estimate < $1.estimate }
        super.init()
        try settle()
    }

    override var estimate: Int { ordered[0].estimate }

    override func next() throws {
        if document == Self.end { return }
        try ordered[0].next()
        try settle()
    }

    override func advance(to target: UInt64) throws {
        try ordered[0].advance(to: target)
        try settle()
    }

    override func score(_ length: LengthNorm) throws -> Double {
        var score = 0.0
        for part in parts { score += try part.score(length) }
        return score
    }

    private func settle() throws {
        let first = ordered[0]
        search: while first.document != Self.end {
            let candidate = first.document
            for part in ordered.dropFirst() {
                if part.document < candidate { try part.advance(to: candidate) }
                if part.document == Self.end {
                    document = Self.end
                    return
                }
                if part.document > candidate {
                    try first.advance(to: part.document)
                    continue search
                }
            }
            if try !isExcluded(candidate) { break }
            try first.next()
        }
        document = first.document
    }

    private func isExcluded(_ candidate: UInt64) throws -> Bool {
        for part in excluded {
            if part.document < candidate { try part.advance(to: candidate) }
            if part.document == candidate { return true }
        }
        return false
    }
}
