/// One part of an ``Index``: a property, its direction and how its text compares.
public struct IndexKey<Object>: Sendable {
    enum Source: Sendable {
        case property(PartialKeyPath<Object> & Sendable)
        case path(FieldPath)
        case derived(String)
    }

    let source: Source
    let direction: SortDirection
    let ignoringCase: Bool

    init(source: Source, direction: SortDirection = .ascending, ignoringCase: Bool = false) {
        self.source = source
        self.direction = direction
        self.ignoringCase = ignoringCase
    }

    /// A property, the least value first.
    public static func ascending(_ property: PartialKeyPath<Object> & Sendable, ignoringCase: Bool = false) -> IndexKey {
        IndexKey(source: .property(property), ignoringCase: ignoringCase)
    }

    /// A property, the greatest value first.
    public static func descending(_ property: PartialKeyPath<Object> & Sendable, ignoringCase: Bool = false) -> IndexKey {
        IndexKey(source: .property(property), direction: .descending, ignoringCase: ignoringCase)
    }

    /// A property of text, ignoring case.
    public static func ignoringCase(_ property: PartialKeyPath<Object> & Sendable) -> IndexKey {
        IndexKey(source: .property(property), ignoringCase: true)
    }

    /// The value at a path, such as `"address.city"` or `"labels.genre"`.
    public static func path(_ path: String, _ direction: SortDirection = .ascending, ignoringCase: Bool = false) -> IndexKey {
        IndexKey(source: .path(FieldPath(path)), direction: direction, ignoringCase: ignoringCase)
    }
}

/// An aggregate that an ``Index`` keeps up to date for each combination of its parts' values; the catalogue stores it as ``IndexSchema/Aggregate``.
public enum _IndexedAggregate<Object>: Sendable {
    /// The number of objects.
    case count
    /// The exact sum of an integer or decimal property.
    case sum(PartialKeyPath<Object> & Sendable)
}

/// Whether a sort begins with the least or the greatest value.
public enum SortDirection: String, Sendable, Hashable {
    case ascending, descending
}
