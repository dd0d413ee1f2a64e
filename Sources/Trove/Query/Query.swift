/// A query for objects of one model, as a value: which objects, in which order, and how many of them.
///
/// The objects that pass the filter are sorted, ties by id ascending; then `offset` of them are passed over and at most `limit` given.
/// Which indexes there are changes how fast the answer comes, never the answer.
public struct Query: Sendable, Hashable {
    /// The stored name of the model.
    public internal(set) var model: String
    /// The filter; `.constant(true)` for all objects.
    public var filter: Filter
    /// The sort criteria, the first one first; equal objects are ordered by id.
    public var sort: [SortKey]
    /// The number of sorted objects to skip; at least 0.
    public var offset: Int
    /// The largest number of objects to return; nil for all. At least 0.
    public var limit: Int?

    /// A query for objects of a model.
    ///
    /// ```swift
    /// Query("Song", where: .comparison(.path("year"), .greater, .value(.int(1990))), sort: [SortKey(FieldPath("year"))], limit: 10)
    /// ```
    ///
    /// What is wrong with it, such as a negative limit, is thrown when it runs.
    public init(
        _ model: String, where filter: Filter = .constant(true), sort: [SortKey] = [], offset: Int = 0, limit: Int? = nil
    ) {
        self.model = model
        self.filter = filter
        self.sort = sort
        self.offset = offset
        self.limit = limit
    }

    /// Whether some of the objects that pass the filter may be left out.
    var hasWindow: Bool { limit != nil || offset != 0 }
}

/// One criterion of a sort.
///
/// Ascending, nil comes first, then values, numbers before NaN; text goes by its UTF-8 bytes or those of its ``TextFolding``.
public struct SortKey: Sendable, Hashable {
    /// The path of the value that objects are sorted by.
    public let path: FieldPath
    /// Whether the least or the greatest value comes first.
    public let direction: SortDirection
    /// What text is sorted without: its case, its accents.
    public let ignoring: TextFolding

    /// Whether the case of text is ignored.
    public var ignoringCase: Bool { ignoring.contains(.case) }

    /// Sorts by the value at a path.
    ///
    /// ```swift
    /// store.fetch(Song.self).sorted(using: [SortKey(FieldPath("year"), .descending), SortKey(FieldPath("title"), ignoring: [.case, .diacritics])])
    /// ```
    public init(_ path: FieldPath, _ direction: SortDirection = .ascending, ignoring: TextFolding = []) {
        self.path = path
        self.direction = direction
        self.ignoring = ignoring
    }

    /// Sorts by the value at a path, texts whatever their case.
    public init(_ path: FieldPath, _ direction: SortDirection = .ascending, ignoringCase: Bool) {
        self.init(path, direction, ignoring: TextFolding(ignoringCase: ignoringCase))
    }
}

extension Query {
    public static func == (left: Query, right: Query) -> Bool {
        left.model.hasBytes(of: right.model) && left.offset == right.offset && left.limit == right.limit && left.sort == right.sort
            && left.filter == right.filter
    }

    public func hash(into hasher: inout Hasher) {
        model.hashBytes(into: &hasher)
        hasher.combine(filter)
        hasher.combine(sort)
        hasher.combine(offset)
        hasher.combine(limit)
    }
}

extension Query {
    /// What is asked for, in messages: the model, and the conditions where there are any.
    var shownInErrors: String { filter == .constant(true) ? model : "\(model) \(filter.explained)" }
}

extension Filter {
    /// The filter as criteria text, with long values and lists cut.
    var explained: String { CriteriaWriter(abbreviates: true).text(self) }
}
