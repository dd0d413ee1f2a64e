/// That two records point at each other through a relationship and its inverse.
struct Link: Hashable {
    /// The lower of the numbers of the two relationships.
    let relationship: Int
    /// The record that has this relationship.
    let left: RecordNumber
    /// The record that has its inverse.
    let right: RecordNumber

    /// The link by which a record's relationship points at a target.
    init(_ relationship: Int, inverse: Int, from source: RecordNumber, to target: RecordNumber) {
        let isLeft: Bool
        if relationship == inverse {
            // A relationship that is its own inverse has no sides, so the records' order tells them.
            isLeft = (source.model, source.key) <= (target.model, target.key)
        } else {
            isLeft = relationship < inverse
        }
        self.relationship = min(relationship, inverse)
        (left, right) = isLeft ? (source, target) : (target, source)
    }
}

/// What saves did to a link.
struct LinkState {
    /// What one of its records did.
    struct Side {
        private var first: Bool?
        private var last = false
        /// Whether the record has the reference without having been saved with it just now.
        var hasReference = false

        mutating func note(adds: Bool) {
            if first == nil { first = adds }
            last = adds
        }

        /// Whether the record has the reference now and had it not before.
        var isAdded: Bool { first == true && last }
        /// Whether the record had the reference before and has it no longer.
        var isRemoved: Bool { first == false && !last }
    }

    var left = Side()
    var right = Side()
    /// When it was changed last, in the order of the changes; 0 when nothing is known.
    var time = 0

    var isAdded: Bool { left.isAdded || right.isAdded || left.hasReference || right.hasReference }
    var isRemoved: Bool { left.isRemoved || right.isRemoved }
}

/// That a save lets a record's relationship, which has an inverse, point at a target, or no longer.
struct LinkChange {
    let relationship: Int
    let source: RecordNumber
    let target: RecordNumber
    let adds: Bool
}

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

/// A reference that cannot be nil, and stayed where its target's inverse does not have the source any more.
struct OnesidedReference {
    let relationship: Int
    let source: RecordNumber
    let target: RecordNumber
}

/// That a reference is to be put into, or taken out of, a relationship of a stored record.
struct ReferenceEdit {
    let relationship: Int
    let record: RecordNumber
    let target: RecordNumber
    let inserts: Bool
}
