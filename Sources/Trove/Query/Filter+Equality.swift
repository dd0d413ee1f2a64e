/// Equality by what a filter says: texts and names by their UTF-8 bytes, whatever the depth.
extension Filter {
    public static func == (left: Filter, right: Filter) -> Bool {
        if left.isLeaf || right.isLeaf { return left.isEqualLeaf(to: right) }
        // Without one call inside the other: a filter that a program made may nest deeper than the stack reaches.
        var waiting = [(left, right)]
        while let pair = waiting.popLast() {
            switch pair {
            case (.and(let left), .and(let right)), (.or(let left), .or(let right)):
                guard left.count == right.count else { return false }
                if left.node !== right.node { waiting.append(contentsOf: zip(left.array, right.array)) }
            case (.not(let left), .not(let right)):
                if left.node !== right.node { waiting.append((left.value, right.value)) }
            case (.quantified(let quantifier, let path, let part, let left), .quantified(let other, let otherPath, let otherPart, let right)):
                guard quantifier == other, part == otherPart, path == otherPath else { return false }
                if left.node !== right.node { waiting.append((left.value, right.value)) }
            case (let left, let right):
                guard left.isEqualLeaf(to: right) else { return false }
            }
        }
        return true
    }

    private var isLeaf: Bool {
        switch self {
        case .and, .or, .not, .quantified: false
        case .constant, .comparison, .membership, .text, .matches, .fullText, .isWithin, .isMultiple, .isNil, .isUnreferenced, .hasDanglingReferences: true
        }
    }

    /// Whether both are the same condition without conditions in it. By one of them, so that the compiler asks for a new case: with
    /// a `default`, one would not equal itself.
    private func isEqualLeaf(to other: Filter) -> Bool {
        switch self {
        case .constant(let left): if case .constant(let right) = other { left == right } else { false }
        case .comparison(let first, let comparison, let second, let ignores):
            if case .comparison(let left, let other, let right, let otherIgnores) = other {
                comparison == other && ignores == otherIgnores && first == left && second == right
            } else { false }
        case .membership(let operand, let values, let ignores):
            if case .membership(let other, let otherValues, let otherIgnores) = other {
                ignores == otherIgnores && operand == other && values == otherValues
            } else { false }
        case .text(let first, let test, let second, let ignores):
            if case .text(let left, let other, let right, let otherIgnores) = other {
                test == other && ignores == otherIgnores && first == left && second == right
            } else { false }
        case .matches(let operand, let pattern, let ignores):
            if case .matches(let other, let otherPattern, let otherIgnores) = other {
                ignores == otherIgnores && operand == other && pattern.hasBytes(of: otherPattern)
            } else { false }
        case .fullText(let query, let path): if case .fullText(let other, let otherPath) = other { path == otherPath && query == other } else { false }
        case .isWithin(let path, let region): if case .isWithin(let other, let otherRegion) = other { path == other && region == otherRegion } else { false }
        case .isMultiple(let path, let factor):
            if case .isMultiple(let other, let otherFactor) = other { path == other && factor == otherFactor } else { false }
        case .isNil(let path): if case .isNil(let other) = other { path == other } else { false }
        case .isUnreferenced: if case .isUnreferenced = other { true } else { false }
        case .hasDanglingReferences: if case .hasDanglingReferences = other { true } else { false }
        case .and, .or, .not, .quantified: false
        }
    }

    public func hash(into hasher: inout Hasher) { hash(into: &hasher, depth: 0) }

    /// How deep filters are looked into for their hash; what lies deeper tells them apart only when they are compared.
    private static let maxHashedDepth = 8

    private func hash(into hasher: inout Hasher, depth: Int) {
        switch self {
        case .constant(let value): hasher.combine(value)
        case .comparison(let left, let comparison, let right, let ignoring):
            hasher.combine(left)
            hasher.combine(comparison)
            hasher.combine(right)
            hasher.combine(ignoring)
        case .membership(let operand, let values, let ignoring):
            hasher.combine(operand)
            hasher.combine(values)
            hasher.combine(ignoring)
        case .text(let left, let test, let right, let ignoring):
            hasher.combine(left)
            hasher.combine(test)
            hasher.combine(right)
            hasher.combine(ignoring)
        case .matches(let operand, let pattern, let ignoringCase):
            hasher.combine(operand)
            pattern.hashBytes(into: &hasher)
            hasher.combine(ignoringCase)
        case .fullText(let query, let path):
            hasher.combine(query)
            hasher.combine(path)
        case .isWithin(let path, let region):
            hasher.combine(path)
            hasher.combine(region)
        case .isMultiple(let path, let factor):
            hasher.combine(path)
            hasher.combine(factor)
        case .isNil(let path): hasher.combine(path)
        case .isUnreferenced: hasher.combine(1)
        case .hasDanglingReferences: hasher.combine(2)
        case .and(let filters): Self.hash(filters.array, 3, into: &hasher, depth)
        case .or(let filters): Self.hash(filters.array, 4, into: &hasher, depth)
        case .not(let inner): Self.hash([inner.value], 5, into: &hasher, depth)
        case .quantified(let quantifier, let path, let part, let inner):
            hasher.combine(quantifier)
            hasher.combine(path)
            hasher.combine(part)
            Self.hash([inner.value], 6, into: &hasher, depth)
        }
    }

    private static func hash(_ filters: [Filter], _ kind: Int, into hasher: inout Hasher, _ depth: Int) {
        hasher.combine(kind)
        hasher.combine(filters.count)
        guard depth < maxHashedDepth else { return }
        for filter in filters { filter.hash(into: &hasher, depth: depth + 1) }
    }
}
