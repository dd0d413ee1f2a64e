extension Filter {
    /// The paths that begin where the filter does: not those of a quantifier's condition.
    var ownPaths: [FieldPath] {
        switch self {
        case .constant, .isUnreferenced, .hasDanglingReferences: []
        case .comparison(let left, _, let right, _), .text(let left, _, let right, _): [left.path, right.path].compactMap(\.self)
        case .membership(let operand, _, _), .matches(let operand, _, _): [operand.path].compactMap(\.self)
        case .fullText(_, let path): [path].compactMap(\.self)
        case .isNil(let path), .isWithin(let path, _), .isMultiple(let path, _), .quantified(_, let path, _, _): [path]
        case .and(let filters), .or(let filters): filters.flatMap(\.ownPaths)
        case .not(let inner): inner.value.ownPaths
        }
    }

    /// Whether the filter asks for words, at any depth.
    var hasFullText: Bool {
        switch self {
        case .fullText: true
        case .quantified(_, _, _, let inner), .not(let inner): inner.value.hasFullText
        case .and(let filters), .or(let filters): filters.contains(where: \.hasFullText)
        case .constant, .comparison, .membership, .text, .matches, .isWithin, .isMultiple, .isNil, .isUnreferenced, .hasDanglingReferences: false
        }
    }

    /// Whether the filter asks for references to what is not stored. It is about the objects themselves, and not about members.
    var asksForDanglingReferences: Bool {
        switch self {
        case .hasDanglingReferences: true
        case .not(let inner): inner.value.asksForDanglingReferences
        case .and(let filters), .or(let filters): filters.contains(where: \.asksForDanglingReferences)
        default: false
        }
    }

    /// The filter with its paths exchanged; not those of a quantifier's condition.
    func mapOwnPaths(_ change: (FieldPath) throws -> FieldPath) rethrows -> Filter {
        switch self {
        case .constant, .isUnreferenced, .hasDanglingReferences, .fullText(_, nil): self
        case .comparison(let left, let comparison, let right, let ignoring):
            .comparison(try left.mapPath(change), comparison, try right.mapPath(change), ignoring: ignoring)
        case .membership(let operand, let values, let ignoring): .membership(try operand.mapPath(change), values, ignoring: ignoring)
        case .text(let left, let test, let right, let ignoring):
            .text(try left.mapPath(change), test, try right.mapPath(change), ignoring: ignoring)
        case .matches(let operand, let pattern, let ignoringCase):
            .matches(try operand.mapPath(change), pattern: pattern, ignoringCase: ignoringCase)
        case .fullText(let query, let path?): .fullText(query, try change(path))
        case .isNil(let path): .isNil(try change(path))
        case .isWithin(let path, let region): .isWithin(try change(path), region)
        case .isMultiple(let path, let factor): .isMultiple(try change(path), of: factor)
        case .quantified(let quantifier, let path, let part, let inner): .quantified(quantifier, try change(path), part, inner.value)
        case .and(let filters): .and(try filters.map { try $0.mapOwnPaths(change) })
        case .or(let filters): .or(try filters.map { try $0.mapOwnPaths(change) })
        case .not(let inner): .not(try inner.value.mapOwnPaths(change))
        }
    }

    /// The filter with its paths exchanged, also those of quantifiers' conditions.
    package func mapPaths(_ change: (FieldPath) throws -> FieldPath) rethrows -> Filter {
        switch self {
        case .quantified(let quantifier, let path, let part, let inner): .quantified(quantifier, try change(path), part, try inner.value.mapPaths(change))
        case .and(let filters): .and(try filters.map { try $0.mapPaths(change) })
        case .or(let filters): .or(try filters.map { try $0.mapPaths(change) })
        case .not(let inner): .not(try inner.value.mapPaths(change))
        default: try mapOwnPaths(change)
        }
    }

    /// Whether a path in the filter, at any depth, passes a test. It makes nothing, so that queries may ask it before they are planned.
    func hasPath(where passes: (FieldPath) -> Bool) -> Bool {
        func isOne(_ operand: Operand) -> Bool { if case .path(let path) = operand { passes(path) } else { false } }
        return switch self {
        case .constant, .isUnreferenced, .hasDanglingReferences, .fullText(_, nil): false
        case .comparison(let left, _, let right, _), .text(let left, _, let right, _): isOne(left) || isOne(right)
        case .membership(let operand, _, _), .matches(let operand, _, _): isOne(operand)
        case .fullText(_, let path?), .isNil(let path), .isWithin(let path, _), .isMultiple(let path, _): passes(path)
        case .quantified(_, let path, _, let inner): passes(path) || inner.value.hasPath(where: passes)
        case .and(let filters), .or(let filters): filters.contains { $0.hasPath(where: passes) }
        case .not(let inner): inner.value.hasPath(where: passes)
        }
    }

    /// A path in the filter, at any depth, that begins at the object and not at a quantifier's element; nil when there is none.
    var objectPath: FieldPath? {
        for path in ownPaths where !path.field.isEmpty { return path }
        switch self {
        case .quantified(_, _, _, let inner): return inner.value.objectPath
        case .and(let filters), .or(let filters): return filters.lazy.compactMap(\.objectPath).first
        case .not(let inner): return inner.value.objectPath
        default: return nil
        }
    }

    /// Whether the filter is true when all its paths lead to nil.
    var isTrueOfNil: Bool {
        switch self {
        case .constant(let value): value
        case .comparison(let left, let comparison, let right, _):
            comparison == .equal && left.isNilOrPath && right.isNilOrPath
                || comparison == .notEqual && !(left.isNilOrPath && right.isNilOrPath)
        case .membership(let operand, let values, _): operand.isNilOrPath && values.contains(.null)
        case .text, .matches, .fullText, .isWithin, .isMultiple, .isUnreferenced, .hasDanglingReferences: false
        case .isNil: true
        case .quantified(let quantifier, _, _, _): quantifier != .any
        case .and(let filters): filters.allSatisfy(\.isTrueOfNil)
        case .or(let filters): filters.contains(where: \.isTrueOfNil)
        case .not(let inner): !inner.value.isTrueOfNil
        }
    }
}

extension Operand {
    fileprivate var path: FieldPath? {
        if case .path(let path) = self { path } else { nil }
    }

    fileprivate var isNilOrPath: Bool { path != nil || self == .value(.null) }

    fileprivate func mapPath(_ change: (FieldPath) throws -> FieldPath) rethrows -> Operand {
        switch self {
        case .path(let path): .path(try change(path))
        case .value: self
        }
    }
}
