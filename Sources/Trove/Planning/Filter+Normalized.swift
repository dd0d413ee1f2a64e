extension Filter {
    /// The filter in the form the planner reads, true for exactly the same objects: `and` and `or` flat and without constants, `not` as far
    /// inside as two-valued logic lets it go, a path on the left of a comparison with a value, comparisons with nil as ``isNil(_:)``.
    ///
    /// `not (a < 5)` stays as it is: nil and NaN are neither below 5 nor at or above it.
    var normalized: Filter {
        switch self {
        case .constant, .matches, .isWithin, .isMultiple, .isNil, .text, .fullText, .isUnreferenced, .hasDanglingReferences: self
        case .comparison(.value(let value), let comparison, .path(let path), let ignoring):
            Self.comparison(.path(path), comparison.mirrored, .value(value), ignoring: ignoring).normalized
        case .comparison(.path(let path), .equal, .value(.null), _): .isNil(path)
        case .comparison(.path(let path), .notEqual, .value(.null), _): .not(.isNil(path))
        case .comparison(_, let comparison, .value(.null), _) where !comparison.isEquality: .constant(false)
        case .comparison: self
        case .membership(_, let values, _) where values.isEmpty: .constant(false)
        case .membership(let operand, let values, let ignoring) where values.count == 1:
            Self.comparison(operand, .equal, .value(values[0]), ignoring: ignoring).normalized
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
        case .comparison(let left, .equal, let right, let ignoring):
            Self.comparison(left, .notEqual, right, ignoring: ignoring).normalized
        case .comparison(let left, .notEqual, let right, let ignoring):
            Self.comparison(left, .equal, right, ignoring: ignoring).normalized
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

/// The conditions of an `and` or `or` in its normal form, each once.
///
/// Those that say which values a path may have, `x = 1 or x in (2, 3)`, become one list, as those that say which it may not have do in an `and`: a list is
/// searched, and looked up in an index, in one go, however many values it has.
struct JoinedConditions {
    /// The values that one path is compared with.
    private struct Subject: Hashable {
        let operand: Operand
        let ignoring: TextFolding
    }

    /// Whether it is an `or`.
    private let areAlternatives: Bool
    private var parts: [Filter] = []
    private var known: Set<Filter> = []
    /// The places of the lists among the parts, and their values.
    private var lists: [Subject: (place: Int, values: [StoredValue])] = [:]

    init(areAlternatives: Bool) {
        self.areAlternatives = areAlternatives
    }

    /// Few are compared with each other, which takes less than their hashes.
    private mutating func isNew(_ condition: Filter) -> Bool {
        if parts.count < 8 { return !parts.contains(condition) }
        if known.isEmpty { known = Set(parts) }
        return known.insert(condition).inserted
    }

    /// Adds a condition in normal form, unless there is the same already.
    mutating func append(_ condition: Filter) {
        guard let (subject, values) = values(of: condition) else {
            if isNew(condition) { parts.append(condition) }
            return
        }
        if lists[subject] == nil {
            lists[subject] = (parts.count, values)
            parts.append(condition)
        } else {
            lists[subject]?.values.append(contentsOf: values)
        }
    }

    /// All conditions, in the order in which they came.
    var all: [Filter] {
        var all = parts
        for (subject, list) in lists {
            var known: Set<StoredValue> = []
            let values = list.values.filter { known.insert($0).inserted }
            let condition: Filter =
                values.count == 1
                ? .comparison(subject.operand, .equal, .value(values[0]), ignoring: subject.ignoring)
                : .membership(subject.operand, values, ignoring: subject.ignoring)
            all[list.place] = areAlternatives ? condition : condition.opposite
        }
        return all
    }

    private func values(of condition: Filter) -> (Subject, [StoredValue])? {
        switch condition {
        case .comparison(.path(let path), areAlternatives ? .equal : .notEqual, .value(let value), let ignoring):
            return (Subject(operand: .path(path), ignoring: ignoring), [value])
        case .membership(let operand, let values, let ignoring) where areAlternatives:
            return (Subject(operand: operand, ignoring: ignoring), values)
        case .not(let inner) where !areAlternatives:
            guard case .membership(let operand, let values, let ignoring) = inner.value else { return nil }
            return (Subject(operand: operand, ignoring: ignoring), values)
        default:
            return nil
        }
    }
}

extension Filter {
    /// The opposite of a comparison or list.
    fileprivate var opposite: Filter {
        if case .comparison(let left, .equal, let right, let ignoring) = self {
            return .comparison(left, .notEqual, right, ignoring: ignoring)
        }
        return .not(self)
    }
}
