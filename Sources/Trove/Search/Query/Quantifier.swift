/// How many members of a collection have to pass a filter.
public enum Quantifier: String, Sendable, Hashable, CaseIterable {
    case any, all, none
}

/// The members of a collection that a quantifier looks at.
public enum CollectionPart: String, Sendable, Hashable, CaseIterable {
    /// The elements of an array or set.
    case elements
    /// The keys of a dictionary.
    case keys
    /// The values of a dictionary.
    case values
}
