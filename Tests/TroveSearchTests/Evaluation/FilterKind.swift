@testable import Trove

/// The cases of ``Filter``, without what they have: the compiler asks for a new one in ``init(_:)``, and what is generated at random is asked for all of them.
enum FilterKind: CaseIterable {
    case constant, comparison, membership, text, matches, fullText, isWithin, isMultiple, isNil, quantified, isUnreferenced, hasDanglingReferences, and, or, not

    init(_ filter: Filter) {
        switch filter {
        case .constant: self = .constant
        case .comparison: self = .comparison
        case .membership: self = .membership
        case .text: self = .text
        case .matches: self = .matches
        case .fullText: self = .fullText
        case .isWithin: self = .isWithin
        case .isMultiple: self = .isMultiple
        case .isNil: self = .isNil
        case .quantified: self = .quantified
        case .isUnreferenced: self = .isUnreferenced
        case .hasDanglingReferences: self = .hasDanglingReferences
        case .and: self = .and
        case .or: self = .or
        case .not: self = .not
        }
    }

    /// The cases that a filter and the filters in it are.
    static func all(in filter: Filter) -> Set<FilterKind> {
        var kinds: Set = [FilterKind(filter)]
        switch filter {
        case .and(let filters), .or(let filters): for inner in filters { kinds.formUnion(all(in: inner)) }
        case .not(let inner), .quantified(_, _, _, let inner): kinds.formUnion(all(in: inner.value))
        default: break
        }
        return kinds
    }
}
