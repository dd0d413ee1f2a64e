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

/// The documents that at least one of several parts finds.
final class DisjunctionIterator: DocumentIterator {
    private let parts: [DocumentIterator]

    init(_ parts: [DocumentIterator]) {
        self.parts = parts
        super.init()
        settle()
    }

    override var estimate: Int { parts.reduce(0) { $0 + $1.estimate } }

    override func next() throws {
        let current = document
        if current == Self.end { return }
        for part in parts where part.document == current { try part.next() }
        settle()
    }

    override func advance(to target: UInt64) throws {
        for part in parts where part.document < target { try part.advance(to: target) }
        settle()
    }

    override func score(_ length: LengthNorm) throws -> Double {
        var score = 0.0
        for part in parts where part.document == document { score += try part.score(length) }
        return score
    }

    private func settle() {
        var least = Self.end
        for part in parts where part.document < least { least = part.document }
        document = least
    }
}
