/// The condition that a query's objects pass: a tree of conditions, the same however it was written.
///
/// It is made from typed fields (`$0.year > 1990 && $0.artist.hasPrefix("Bill")`), from Foundation's `#Predicate`, or from criteria
/// text. Conditions have two values, true and false, as Swift's have:
///
/// | condition | when a side is nil or missing |
/// |---|---|
/// | `=` | true when both are, else false |
/// | `!=` | the opposite of `=` |
/// | `<`, `<=`, `>`, `>=` | false |
/// | `in` | true when nil is in the list |
/// | text tests, `matches`, `has words`, `within`, `is multiple of` | false |
/// | `any` of the members of nil | false; `all` and `none` are true |
///
/// A path may go through references, from object to object: `album.artist.name`. Where a reference is nil, or what it points at is not stored,
/// it leads to nil.
///
/// Numbers compare by their values, whatever their types. NaN is not equal to, below or above anything. Text compares by its UTF-8 bytes, or,
/// ignoring case or accents, by those of its ``TextFolding``.
public enum Filter: Sendable, Hashable {
    /// True or false for every object.
    case constant(Bool)
    /// A comparison of two values of comparable types; `ignoring` is for text.
    indirect case comparison(Operand, Comparison, Operand, ignoring: TextFolding = [])
    /// Whether the value equals one of a list.
    indirect case membership(Operand, [StoredValue], ignoring: TextFolding = [])
    /// Whether a text begins with, ends with or contains another.
    indirect case text(Operand, TextTest, Operand, ignoring: TextFolding = [])
    /// Whether a text has a part that matches a regular expression; `docs/search.md` has the syntax.
    indirect case matches(Operand, pattern: String, ignoringCase: Bool = false)
    /// Whether a full-text query finds the object: in the text at a path, or in all texts of the model's full-text index.
    indirect case fullText(FullTextQuery, FieldPath?)
    /// Whether a path leads to a point in a region.
    indirect case isWithin(FieldPath, GeoRegion)
    /// Whether a path leads to a whole number, of any type, that is a multiple of another; of 0 only 0 is one.
    indirect case isMultiple(FieldPath, of: Int128)
    /// Whether a path leads to nil or nowhere.
    indirect case isNil(FieldPath)
    /// Whether any, all or none of the members of a collection pass a filter, whose ``FieldPath/element`` is the member.
    indirect case quantified(Quantifier, FieldPath, CollectionPart, Branch<Filter>)
    /// Whether no reference points at the object.
    case isUnreferenced
    /// Whether one of the object's references points at an object that is not stored.
    case hasDanglingReferences
    /// All of the filters; true when there are none.
    case and(Branches<Filter>)
    /// One of the filters; false when there are none.
    case or(Branches<Filter>)
    /// The negation of the filter.
    case not(Branch<Filter>)
}

extension Filter {
    /// All of the filters; true when there are none.
    public static func and(_ filters: [Filter]) -> Filter { .and(branches(filters)) }

    /// One of the filters; false when there are none.
    public static func or(_ filters: [Filter]) -> Filter { .or(branches(filters)) }

    /// The negation of a filter.
    public static func not(_ filter: Filter) -> Filter { .not(Branch(filter.nested, free)) }

    /// Whether any, all or none of the members of a collection pass a filter; ``FieldPath/element`` stands for the member.
    public static func quantified(_ quantifier: Quantifier, _ path: FieldPath, _ part: CollectionPart, _ filter: Filter) -> Filter {
        .quantified(quantifier, path, part, Branch(filter.nested, free))
    }

    /// A comparison of two values, of texts whatever their case.
    public static func comparison(_ left: Operand, _ comparison: Comparison, _ right: Operand, ignoringCase: Bool) -> Filter {
        .comparison(left, comparison, right, ignoring: TextFolding(ignoringCase: ignoringCase))
    }

    /// Whether the value equals one of a list, of texts whatever their case.
    public static func membership(_ operand: Operand, _ values: [StoredValue], ignoringCase: Bool) -> Filter {
        .membership(operand, values, ignoring: TextFolding(ignoringCase: ignoringCase))
    }

    /// Whether a text begins with, ends with or contains another, whatever their case.
    public static func text(_ text: Operand, _ test: TextTest, _ part: Operand, ignoringCase: Bool) -> Filter {
        .text(text, test, part, ignoring: TextFolding(ignoringCase: ignoringCase))
    }

    private static func branches(_ filters: [Filter]) -> Branches<Filter> {
        for filter in filters { filter.node?.isNested.store(true, ordering: .relaxed) }
        return Branches(filters, free)
    }

    /// The filter, to be a part of another.
    fileprivate var nested: Filter {
        node?.isNested.store(true, ordering: .relaxed)
        return self
    }

    /// What has the conditions that this one is made of; nil when it is made of none.
    private var node: BranchNode<Filter>? {
        switch self {
        case .and(let filters), .or(let filters): filters.node
        case .not(let inner), .quantified(_, _, _, let inner): inner.node
        case .constant, .comparison, .membership, .text, .matches, .fullText, .isWithin, .isMultiple, .isNil, .isUnreferenced, .hasDanglingReferences: nil
        }
    }

    private static let free: BranchNode<Filter>.Free = { ended in
        ended.freeTrees { filter in
            guard let node = filter.node else { return nil }
            filter = .constant(true)
            return node
        }
    }
}

extension Filter {
    /// Both filters.
    public static func && (left: Filter, right: Filter) -> Filter {
        switch (left, right) {
        case (.and(let first), .and(let second)): .and(first.appending(second.array))
        case (.and(let first), _): .and(first.appending(CollectionOfOne(right.nested)))
        case (_, .and(let second)): .and([left] + second.array)
        default: .and([left, right])
        }
    }

    /// One of the filters, or both.
    public static func || (left: Filter, right: Filter) -> Filter {
        switch (left, right) {
        case (.or(let first), .or(let second)): .or(first.appending(second.array))
        case (.or(let first), _): .or(first.appending(CollectionOfOne(right.nested)))
        case (_, .or(let second)): .or([left] + second.array)
        default: .or([left, right])
        }
    }

    /// The negation of a filter.
    public static prefix func ! (filter: Filter) -> Filter {
        if case .not(let inner) = filter { inner.value } else { .not(filter) }
    }
}

/// A comparison of two values.
public enum Comparison: String, Sendable, Hashable, CaseIterable {
    /// `=`, also of two values that are nil.
    case equal = "="
    /// `!=`, also of a value that is nil and one that is not.
    case notEqual = "!="
    /// `<`, of two values that are there.
    case less = "<"
    /// `<=`, of two values that are there.
    case lessOrEqual = "<="
    /// `>`, of two values that are there.
    case greater = ">"
    /// `>=`, of two values that are there.
    case greaterOrEqual = ">="

    /// Whether the comparison is `=` or `!=`, which also compare nil.
    var isEquality: Bool { self == .equal || self == .notEqual }

    /// The same comparison with its sides exchanged.
    var mirrored: Comparison {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}

/// One side of a comparison: what a path leads to, or a value.
public enum Operand: Sendable, Hashable {
    /// What an object has at the path.
    case path(FieldPath)
    /// A value, the same for all objects.
    case value(StoredValue)
}

/// The number of members of a collection that must pass a filter.
public enum Quantifier: String, Sendable, Hashable, CaseIterable {
    /// At least one member.
    case any
    /// Every member; also where there are none.
    case all
    /// No member.
    case none
}

/// The members of a collection that a quantifier covers.
public enum CollectionPart: String, Sendable, Hashable, CaseIterable {
    /// The elements of an array or set.
    case elements
    /// The keys of a dictionary.
    case keys
    /// The values of a dictionary.
    case values
    /// All values inside of objects and arrays, at any depth.
    case descendants
    /// The values with the path's last name, at any depth below the rest of the path, and the elements of those that are arrays.
    case depth
}

/// A test of a text. The text sought has no patterns in it: every character stands for itself.
public enum TextTest: String, Sendable, Hashable, CaseIterable {
    /// The text begins with the one sought.
    case hasPrefix = "begins with"
    /// The text ends with the one sought.
    case hasSuffix = "ends with"
    /// The one sought is somewhere in the text.
    case contains = "contains"
}
