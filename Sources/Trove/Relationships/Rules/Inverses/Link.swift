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
