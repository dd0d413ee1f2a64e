/// The links that a batch of saves changed, and which of them there are to be in the end.
///
/// A link that either side added is to be, one that was there before only if neither side removed it. Where a relationship to one object would have
/// to point at several, the link that was added last is to be.
struct LinkTable {
    private let rules: RelationshipRules
    private var links: [Link: LinkState] = [:]
    private var storedCount = 0

    /// The links that are to be, the last first.
    private(set) var kept: [(link: Link, state: LinkState)] = []
    /// The links that are not to be.
    private(set) var dropped: [(link: Link, state: LinkState)] = []
    /// By the end of a link whose relationship is to one object: what it points at in the end.
    private var ends: [LinkEnd: RecordNumber] = [:]

    init(_ rules: RelationshipRules, _ changes: [LinkChange]) {
        self.rules = rules
        links.reserveCapacity(changes.count)
        for (time, change) in changes.enumerated() {
            note(change.relationship, change.source, change.target) { side, state in
                state[keyPath: side].note(adds: change.adds)
                state.time = time + 1
            }
        }
    }

    /// Takes note of a reference that was there already, at a record that is new. It is older than all changes.
    mutating func noteStored(_ relationship: Int, _ source: RecordNumber, _ target: RecordNumber) {
        storedCount += 1
        let time = storedCount - Int.max
        note(relationship, source, target) { side, state in
            state[keyPath: side].hasReference = true
            if state.time == 0 { state.time = time }
        }
    }

    private mutating func note(
        _ relationship: Int, _ source: RecordNumber, _ target: RecordNumber, _ body: (WritableKeyPath<LinkState, LinkState.Side>, inout LinkState) -> Void
    ) {
        guard let inverse = rules.inverses[relationship] else { return }
        let link = Link(relationship, inverse: inverse, from: source, to: target)
        let isLeft = relationship == inverse ? link.left == source : relationship < inverse
        body(isLeft ? \.left : \.right, &links[link, default: LinkState()])
    }

    /// Decides which links are to be.
    mutating func resolve() {
        var added: [(link: Link, state: LinkState)] = []
        for (link, state) in links {
            if state.isAdded { added.append((link, state)) } else if state.isRemoved { dropped.append((link, state)) }
        }
        added.sort { $0.state.time > $1.state.time }
        for entry in added {
            let ends = toOneEnds(of: entry.link)
            if ends.contains(where: { self.ends[$0.end].map { [other = $0.other] in $0 != other } ?? false }) {
                dropped.append(entry)
            } else {
                for (end, other) in ends { self.ends[end] = other }
                kept.append(entry)
            }
        }
    }

    /// The ends of a link whose relationships are to one object, and what they point at by it.
    func toOneEnds(of link: Link) -> [(end: LinkEnd, other: RecordNumber)] {
        guard let inverse = rules.inverses[link.relationship] else { return [] }
        var ends: [(end: LinkEnd, other: RecordNumber)] = []
        if rules.relationships[link.relationship].schema.shape.isToOne {
            ends.append((LinkEnd(relationship: link.relationship, record: link.left), link.right))
        }
        if rules.relationships[inverse].schema.shape.isToOne {
            ends.append((LinkEnd(relationship: inverse, record: link.right), link.left))
        }
        return ends
    }
}

/// A record and one of its relationships.
struct LinkEnd: Hashable {
    let relationship: Int
    let record: RecordNumber
}
