extension Fetch {
    /// The objects that pass a filter too.
    ///
    /// ```swift
    /// fetch.where(.comparison(.path("year"), .greater, .value(.int(1990))))
    /// ```
    public func `where`(_ filter: Filter) -> Fetch {
        changing { $0.filter = $0.filter == .constant(true) ? filter : $0.filter && filter }
    }

    /// The objects in the order of a property; after the criteria there are already.
    ///
    /// Ascending, nil comes first and NaN last. Objects with equal values come ascending by id.
    ///
    /// - Parameters:
    ///   - ignoringCase: whether text sorts by its full Unicode case folding instead of its UTF-8 bytes.
    public func sorted(
        by property: PartialKeyPath<Object>, _ direction: SortDirection = .ascending, ignoringCase: Bool = false
    ) -> Fetch {
        changing { $0.sort.append(SortKey(try Object.path(property), direction, ignoringCase: ignoringCase)) }
    }

    /// The objects in the order of several criteria, the first one first; after those there are already.
    public func sorted(by keys: [SortKey]) -> Fetch {
        changing { $0.sort += keys }
    }

    /// At most `count` objects, counted after the sort; at least 0. It replaces the limit there was.
    public func limit(_ count: Int) -> Fetch {
        changing { $0.limit = count }
    }

    /// The objects without the first `count` of the sorted ones; at least 0. It replaces the offset there was.
    ///
    /// The objects passed over are found all the same; for pages of a long list see ``page(_:after:)-swift.method``.
    public func offset(_ count: Int) -> Fetch {
        changing { $0.offset = count }
    }

    /// The objects behind the place of a token, in the order of the query; all when it is nil.
    ///
    /// Running the query throws ``TroveError/invalidToken(reason:)`` when the token is damaged or of a query with another model, filter or sort.
    public func after(_ token: ContinuationToken?) -> Fetch {
        var fetch = self
        fetch.draft.start = token
        return fetch
    }

    /// This fetch with a changed query; what `change` throws is thrown when the fetch runs.
    func changing(_ change: (inout Query) throws -> Void) -> Fetch {
        var fetch = self
        fetch.draft.change(change)
        return fetch
    }
}
