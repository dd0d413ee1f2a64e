extension Filter {
    /// The filter in the form the planner reads, true for exactly the same objects: `and` and `or` flat and without constants, `not` as far
    /// inside as two-valued logic lets it go, a path on the left of a comparison with a value, comparisons with nil as ``isNil(_:)``.
    ///
    /// `not (a < 5)` stays as it is: nil and NaN are neither below 5 nor at or above it.
    var normalized: Filter {
        switch self {
        case .constant, .matches, .isWithin, .isMultiple, .isNil, .text, .fullText, .isUnreferenced, .hasDanglingReferences: self
        case .comparison(.value(let value), let comparison, .path(let path), let ignoringCase):
            Self.comparison(.path(path), comparison.mirrored, .value(value), ignoringCase: ignoringCase).normalized
        case .comparison(.path(let path), .equal, .value(.null), _): .isNil(path)
        case .comparison(.path(let path), .notEqual, .value(.null), _): .not(.isNil(path))
        case .comparison(_, let comparison, .value(.null), _) where !comparison.isEquality: .constant(false)
        case .comparison: self
        case .membership(_, let values, _) where values.isEmpty: .constant(false)
        case .membership(let operand, let values, let ignoringCase) where values.count == 1:
            Self.comparison(operand, .equal, .value(values[0]), ignoringCase: ignoringCase).normalized
        case .membership: self
        case .quantified(let quantifier, let path, let part, let inner):
            Self.normalized(quantifier, path, part, inner.value.normalized)
        case .and(let filters): Self.conjunction(of: filters.array)
        case .or(let filters): Self.disjunction(of: filters.array)
        case .not(let inner): inner.value.negated
        }
    }

    /// The normal form of the filter's opposite.
    private var negated: Filter {
        switch self {
        case .constant(let value): .constant(!value)
        case .comparison(let left, .equal, let right, let ignoringCase):
            Self.comparison(left, .notEqual, right, ignoringCase: ignoringCase).normalized
        case .comparison(let left, .notEqual, let right, let ignoringCase):
            Self.comparison(left, .equal, right, ignoringCase: ignoringCase).normalized
        case .membership(_, let values, _) where values.count < 2: normalized.negated
        case .comparison, .membership, .text, .matches, .fullText, .isWithin, .isMultiple, .isNil, .isUnreferenced, .hasDanglingReferences:
            switch normalized {
            case .constant(let value): .constant(!value)
            case let normal: .not(normal)
            }
        case .quantified(.any, let path, let part, let inner): Self.quantified(.none, path, part, inner.value).normalized
        case .quantified(.none, let path, let part, let inner): Self.quantified(.any, path, part, inner.value).normalized
        case .quantified(.all, let path, let part, let inner): Self.quantified(.any, path, part, .not(inner.value)).normalized
        case .and(let filters): Self.disjunction(of: filters.array.map { .not($0) })
        case .or(let filters): Self.conjunction(of: filters.array.map { .not($0) })
        case .not(let inner): inner.value.normalized
        }
    }

    /// A quantifier over a condition that is the same for every member; `any` of something true still asks for a member.
    private static func normalized(_ quantifier: Quantifier, _ path: FieldPath, _ part: CollectionPart, _ inner: Filter) -> Filter {
        switch (quantifier, inner) {
        case (.any, .constant(false)): .constant(false)
        case (.all, .constant(true)), (.none, .constant(false)): .constant(true)
        default: .quantified(quantifier, path, part, inner)
        }
    }

    private static func conjunction(of filters: [Filter]) -> Filter {
        var parts = JoinedConditions(areAlternatives: false)
        for filter in filters {
            switch filter.normalized {
            case .constant(true): continue
            case .constant(false): return .constant(false)
            case .and(let inner): inner.forEach { parts.append($0) }
            case let part: parts.append(part)
            }
        }
        let all = parts.all
        return switch all.count {
        case 0: .constant(true)
        case 1: all[0]
        default: .and(all)
        }
    }

    private static func disjunction(of filters: [Filter]) -> Filter {
        var parts = JoinedConditions(areAlternatives: true)
        for filter in filters {
            switch filter.normalized {
            case .constant(false): continue
            case .constant(true): return .constant(true)
            case .or(let inner): inner.forEach { parts.append($0) }
            case let part: parts.append(part)
            }
        }
        let all = parts.all
        return switch all.count {
        case 0: .constant(false)
        case 1: all[0]
        default: .or(all)
        }
    }

    /// The conditions of which all have to hold.
    var conjuncts: [Filter] {
        switch self {
        case .and(let filters): filters.array
        case .constant(true): []
        default: [self]
        }
    }
}
