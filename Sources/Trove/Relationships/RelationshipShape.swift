/// How many objects a relationship points at, and in what form.
public enum RelationshipShape: Sendable, Hashable {
    /// One or none: `Reference<Album>?`.
    case optionalOne
    /// Always one: `Reference<Album>`.
    case requiredOne
    /// Many in an order, of which some may be there several times: `[Reference<Song>]`.
    case ordered
    /// Many without an order: `Set<Reference<Song>>`.
    case set
    /// Many by name: `[String: Reference<Person>]`.
    case keyed

    /// Whether it points at one object at most.
    var isToOne: Bool { self == .optionalOne || self == .requiredOne }
}
