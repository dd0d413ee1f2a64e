extension FullTextQuery {
    /// How deep parentheses, fields and negations may be nested: what a text may have, a query made in code may.
    static let maxDepth = 100

    /// Whether the query, which stands at a depth, has no part deeper than ``maxDepth``.
    ///
    /// As in a text, what is joined by AND needs no parentheses in what is joined by OR, so that it is no deeper.
    func isWithinMaxDepth(at depth: Int = 0) -> Bool {
        guard depth <= Self.maxDepth else { return false }
        switch self {
        case .word, .prefix, .phrase: return true
        case .not(let part), .field(_, let part): return part.isWithinMaxDepth(at: depth + (part.isJoined ? 2 : 1))
        case .all(let parts): return parts.allSatisfy { $0.isWithinMaxDepth(at: depth + ($0.isJoined ? 1 : 0)) }
        case .any(let parts): return parts.allSatisfy { $0.isWithinMaxDepth(at: depth + ($0.isAny ? 1 : 0)) }
        }
    }

    private var isAny: Bool {
        if case .any = self { true } else { false }
    }

    private var isJoined: Bool {
        switch self {
        case .all, .any: true
        case .word, .prefix, .phrase, .not, .field: false
        }
    }
}
