/// The conditions of an `and` or `or` in its normal form, each once.
///
/// Those that say which values a path may have, `x = 1 or x in (2, 3)`, become one list, as those that say which it may not have do in an `and`: a list is
/// searched, and looked up in an index, in one go, however many values it has.
struct JoinedConditions {
    /// The values that one path is compared with.
    private struct Subject: Hashable {
        let operand: Operand
        let ignoringCase: Bool
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
                ? .comparison(subject.operand, .equal, .value(values[0]), ignoringCase: subject.ignoringCase)
                : .membership(subject.operand, values, ignoringCase: subject.ignoringCase)
            all[list.place] = areAlternatives ? condition : condition.opposite
        }
        return all
    }

    private func values(of condition: Filter) -> (Subject, [StoredValue])? {
        switch condition {
        case .comparison(.path(let path), areAlternatives ? .equal : .notEqual, .value(let value), let ignoringCase):
            return (Subject(operand: .path(path), ignoringCase: ignoringCase), [value])
        case .membership(let operand, let values, let ignoringCase) where areAlternatives:
            return (Subject(operand: operand, ignoringCase: ignoringCase), values)
        case .not(let inner) where !areAlternatives:
            guard case .membership(let operand, let values, let ignoringCase) = inner.value else { return nil }
            return (Subject(operand: operand, ignoringCase: ignoringCase), values)
        default:
            return nil
        }
    }
}

extension Filter {
    /// The opposite of a comparison or list.
    fileprivate var opposite: Filter {
        if case .comparison(let left, .equal, let right, let ignoringCase) = self {
            return .comparison(left, .notEqual, right, ignoringCase: ignoringCase)
        }
        return .not(self)
    }
}
