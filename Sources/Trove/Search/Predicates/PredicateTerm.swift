/// What an expression of a `#Predicate` stands for, as far as a store can tell.
indirect enum PredicateTerm {
    /// A value that is the same for all objects.
    case constant(Any)
    /// The object itself.
    case object
    /// The element of a quantifier around the one whose condition is being translated.
    case outerElement
    /// What a path leads to.
    case path(FieldPath)
    /// A `Bool` that an object decides.
    case filter(Filter)
    /// One term or another, as the filter decides.
    case choice(Filter, PredicateTerm, PredicateTerm)
    /// The members of a collection of which a filter is true.
    case members(FieldPath, CollectionPart, Filter)
    /// The values between two others.
    case range(PredicateTerm, PredicateTerm, isClosed: Bool)

    /// Whether the term names the element of the quantifier it stands in.
    var namesElement: Bool {
        switch self {
        case .path(let path): path.field.isEmpty
        case .members(let path, _, _): path.field.isEmpty
        case .choice(_, let first, let second), .range(let first, let second, _): first.namesElement || second.namesElement
        case .constant, .object, .outerElement, .filter: false
        }
    }

    /// Whether it is a constant nil.
    var isNil: Bool {
        if case .constant(let value as any AnyOptional) = self { value.anyWrapped == nil } else { false }
    }
}
