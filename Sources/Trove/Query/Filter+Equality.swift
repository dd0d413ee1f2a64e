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
        default: true
        }
    }

    private func isEqualLeaf(to other: Filter) -> Bool {
        switch (self, other) {
        case (.constant(let left), .constant(let right)): left == right
        case (.comparison(let first, let comparison, let second, let ignores), .comparison(let left, let other, let right, let otherIgnores)):
            comparison == other && ignores == otherIgnores && first == left && second == right
        case (.membership(let operand, let values, let ignores), .membership(let other, let otherValues, let otherIgnores)):
            ignores == otherIgnores && operand == other && values == otherValues
        case (.text(let first, let test, let second, let ignores), .text(let left, let other, let right, let otherIgnores)):
            test == other && ignores == otherIgnores && first == left && second == right
        case (.matches(let operand, let pattern, let ignores), .matches(let other, let otherPattern, let otherIgnores)):
            ignores == otherIgnores && operand == other && pattern.hasBytes(of: otherPattern)
        case (.fullText(let query, let path), .fullText(let other, let otherPath)): path == otherPath && query == other
        case (.isWithin(let path, let region), .isWithin(let other, let otherRegion)): path == other && region == otherRegion
        case (.isMultiple(let path, let factor), .isMultiple(let other, let otherFactor)): path == other && factor == otherFactor
        case (.isNil(let path), .isNil(let other)): path == other
        case (.isUnreferenced, .isUnreferenced), (.hasDanglingReferences, .hasDanglingReferences): true
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) { hash(into: &hasher, depth: 0) }

    /// How deep filters are looked into for their hash; what lies deeper tells them apart only when they are compared.
    private static let maxHashedDepth = 8

    private func hash(into hasher: inout Hasher, depth: Int) {
        switch self {
        case .constant(let value): hasher.combine(value)
        case .comparison(let left, let comparison, let right, let ignoringCase):
            hasher.combine(left)
            hasher.combine(comparison)
            hasher.combine(right)
            hasher.combine(ignoringCase)
        case .membership(let operand, let values, let ignoringCase):
            hasher.combine(operand)
            hasher.combine(values)
            hasher.combine(ignoringCase)
        case .text(let left, let test, let right, let ignoringCase):
            hasher.combine(left)
            hasher.combine(test)
            hasher.combine(right)
            hasher.combine(ignoringCase)
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
