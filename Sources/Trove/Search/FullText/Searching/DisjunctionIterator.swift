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
