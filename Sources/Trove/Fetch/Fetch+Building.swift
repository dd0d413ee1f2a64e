import Foundation

// This overload of `where` is the first, because the compiler says what is wrong in a closure only when it comes to this one first.
extension Fetch {
    /// The objects whose properties pass a condition.
    ///
    /// ```swift
    /// let songs = try store.fetch(Song.self)
    ///     .where { $0.artist == "Bill Evans" && ($0.year < 1965 || $0.rating > 4) }
    ///     .all()
    /// ```
    ///
    /// What ``Field`` can be asked is in its documentation; a property of type `Bool` is a condition itself: `fetch.where { $0.isLive }`. Conditions of several
    /// calls must all be true. A mistake that the compiler cannot find, such as a computed property, is thrown when the fetch runs.
    public func `where`(_ condition: (Fields<Object>) -> some ConditionConvertible) -> Fetch {
        let result = condition(Fields()).condition
        return changing { $0.narrow(by: try result.filter()) }
    }
}

extension Fetch {
    /// The objects in the order of a property, after the sort criteria so far.
    ///
    /// Ascending, nil comes first and NaN last. Objects with equal values come ascending by id. The key path may lead into nested values, as
    /// `\.address?.city`, and of live objects to a property of another object, as `\.album?.title`.
    ///
    /// - Parameters:
    ///   - ignoringCase: whether text sorts by its full Unicode case folding instead of its UTF-8 bytes.
    public func sorted(
        by property: PartialKeyPath<Object>, _ direction: SortDirection = .ascending, ignoringCase: Bool = false
    ) -> Fetch {
        sorted(by: property, direction, ignoring: TextFolding(ignoringCase: ignoringCase))
    }

    /// The objects in the order of a property's texts without their case, accents or both, after the sort criteria so far.
    ///
    /// ```swift
    /// let places = try store.fetch(Place.self).sorted(by: \.name, ignoring: [.case, .diacritics]).all()
    /// ```
    ///
    /// Texts that differ only in what is ignored are equal, and come ascending by id. It is no alphabet of a language: ö sorts as o.
    public func sorted(by property: PartialKeyPath<Object>, _ direction: SortDirection = .ascending, ignoring: TextFolding) -> Fetch {
        changing { $0.sort.append(SortKey(try Object.path(property), direction, ignoring: ignoring)) }
    }

    /// The objects in the order of a value that a closure names as conditions do, after the sort criteria so far.
    ///
    /// ```swift
    /// let songs = try store.fetch(Song.self).sorted { $0.album.artist.name }.sorted(by: { $0.album.year }, .descending).all()
    /// ```
    ///
    /// It may be a value of another object. Where there is nothing at the end of the path, since a reference is nil or its object is not stored, the value
    /// is nil; but `album.id` is the id in the reference, for which nothing is read. What references lead to is read in batches, each object once, as long
    /// as what was read of its model takes up to 16 MiB; the objects are sorted in memory. A mistake in the path is thrown when the fetch runs:
    /// ``TroveError/unknownPath(model:path:reason:)``; ``TroveError/incomparable(model:path:reason:)`` for values without an order.
    ///
    /// - Parameters:
    ///   - ignoringCase: whether text sorts by its full Unicode case folding instead of its UTF-8 bytes.
    /// - Complexity: O(*n* log *n*) for *n* objects that pass the conditions, and a look-up of each object that they refer to.
    @_disfavoredOverload
    public func sorted<Value>(
        by field: (Fields<Object>) -> Field<Value>, _ direction: SortDirection = .ascending, ignoringCase: Bool = false
    ) -> Fetch {
        sorted(by: field, direction, ignoring: TextFolding(ignoringCase: ignoringCase))
    }

    /// The objects in the order of texts that a closure names, without their case, accents or both: `.sorted(by: { $0.album.title }, ignoring: .diacritics)`.
    @_disfavoredOverload
    public func sorted<Value>(by field: (Fields<Object>) -> Field<Value>, _ direction: SortDirection = .ascending, ignoring: TextFolding) -> Fetch {
        let path = field(Fields()).result
        return changing { $0.sort.append(SortKey(try path.get(), direction, ignoring: ignoring)) }
    }

    @available(
        *, unavailable,
        message: "a store sorts by properties: sorted(by: \\.year), sorted(by: \\.year, .descending); to sort objects in memory, sort what all() gives")
    public func sorted(_ areInIncreasingOrder: (Object, Object) throws -> Bool) rethrows -> Fetch { self }

    /// The objects in the order of several criteria, the first one first, after the sort criteria so far.
    public func sorted(using keys: [SortKey]) -> Fetch {
        changing { $0.sort += keys }
    }

    /// At most `count` objects, counted after the sort; `count` is at least 0. It replaces the limit there was.
    public func limit(_ count: Int) -> Fetch {
        changing { $0.limit = count }
    }

    /// The objects after the first `count` in the sorted order; `count` is at least 0. It replaces the offset there was.
    ///
    /// The objects passed over are found all the same; for pages of a long list see ``page(_:after:)``.
    public func offset(_ count: Int) -> Fetch {
        changing { $0.offset = count }
    }

    /// The objects after the place of a token, in the query's order; all objects when the token is nil.
    ///
    /// Running the query throws ``TroveError/invalidToken(reason:)`` when the token is damaged or of a query with another model, filter or sort.
    public func after(_ token: ContinuationToken?) -> Fetch {
        var fetch = self
        fetch.draft.start = token
        return fetch
    }

    /// The same query with a time limit, counted from the start of its run.
    ///
    /// ```swift
    /// let songs = try store.fetch(Song.self).where { $0.title.matches(pattern) }.deadline(.seconds(2)).all()
    /// ```
    ///
    /// Running it throws ``TroveError/deadlineExceeded(query:deadline:)`` soon after that time. Each page, and each batch of a stream, has the whole of it.
    /// What an asynchronous read waits for a thread is not counted.
    public func deadline(_ duration: Duration) -> Fetch {
        var fetch = self
        fetch.draft.deadline = duration
        return fetch
    }

    /// This fetch with a changed query; what `change` throws is thrown when the fetch runs.
    func changing(_ change: (inout Query) throws -> Void) -> Fetch {
        var fetch = self
        fetch.draft.change(change)
        return fetch
    }
}

extension Query {
    /// Keeps of the objects those that pass `filter` too.
    mutating func narrow(by filter: Filter) {
        self.filter = self.filter == .constant(true) ? filter : self.filter && filter
    }

    /// Adds the condition and the sort of another query, and takes its limit and offset over where it has them.
    mutating func narrow(by other: Query) {
        narrow(by: other.filter)
        sort += other.sort
        limit = other.limit ?? limit
        offset = other.offset == 0 ? offset : other.offset
    }
}

extension Fetch {
    /// The objects that match criteria text, with its sort and limit.
    ///
    /// ```swift
    /// let songs = try store.fetch(Song.self)
    ///     .matching("artist = ? and year between 1950 and 1960 order by year desc, title limit 10", "Bill Evans")
    ///     .all()
    /// ```
    ///
    /// Each `?` stands for the next argument: a value as a property has it, or nil, or, after `in`, an array. An argument is never read as text of the
    /// criteria. A condition is added to those there are, a sort comes after them, and a limit or an offset above 0 replaces the one there was.
    ///
    /// Text that is not well formed makes the fetch throw ``TroveError/invalidCriteria(text:position:expected:)`` when it runs.
    public func matching(_ criteria: String, _ arguments: Any?...) -> Fetch {
        matching(criteria, arguments: arguments)
    }

    /// The objects that match criteria text, in which each `?` stands for the next of a list of arguments.
    public func matching(_ criteria: String, arguments: [Any?]) -> Fetch {
        matching(criteria, CriteriaArguments(positional: arguments))
    }

    /// The objects that match criteria text, in which `:name` stands for an argument.
    ///
    /// ```swift
    /// store.fetch(Song.self).matching("artist = :name or composer = :name", with: ["name": "Bill Evans"])
    /// ```
    public func matching(_ criteria: String, with arguments: [String: Any?]) -> Fetch {
        matching(criteria, CriteriaArguments(named: arguments))
    }

    func matching(_ criteria: String, _ arguments: CriteriaArguments) -> Fetch {
        changing { try $0.narrow(by: Query($0.model, criteria: criteria, arguments)) }
    }
}

extension ObjectSource {
    /// The objects that match criteria text; see ``Fetch/matching(_:_:)``.
    ///
    /// ```swift
    /// let songs = try store.fetch(Song.self, "year > ? order by year limit 10", 1990).all()
    /// ```
    public func fetch<Object: Model>(_ type: Object.Type, _ criteria: String, _ arguments: Any?...) -> Fetch<Object, Self> {
        fetch(type).matching(criteria, CriteriaArguments(positional: arguments))
    }

    /// The objects that match criteria text, in which `:name` stands for an argument.
    public func fetch<Object: Model>(_ type: Object.Type, _ criteria: String, with arguments: [String: Any?]) -> Fetch<Object, Self> {
        fetch(type).matching(criteria, CriteriaArguments(named: arguments))
    }
}

extension Fetch {
    /// The objects that match a predicate.
    ///
    /// ```swift
    /// let songs = try store.fetch(Song.self)
    ///     .where(#Predicate { $0.artist == "Bill Evans" && ($0.rating ?? 0) > 4 })
    ///     .all()
    /// ```
    ///
    /// The predicate is translated, see ``Filter/init(_:)``, and planned like any other condition. One that cannot be translated makes the fetch throw
    /// ``TroveError/unsupportedPredicate(expression:reason:)`` when it runs.
    public func `where`(_ predicate: Predicate<Object>) -> Fetch {
        changing { $0.narrow(by: try Filter(predicate)) }
    }

    /// The objects that also pass a filter.
    ///
    /// ```swift
    /// fetch.where(.comparison(.path("year"), .greater, .value(.int(1990))))
    /// ```
    public func `where`(_ filter: Filter) -> Fetch {
        changing { $0.narrow(by: filter) }
    }
}
