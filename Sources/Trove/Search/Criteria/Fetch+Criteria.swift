extension Fetch {
    /// The objects that criteria text asks for, in its order and number.
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

    /// The objects that criteria text asks for, in which each `?` stands for the next of a list of arguments.
    public func matching(_ criteria: String, arguments: [Any?]) -> Fetch {
        matching(criteria, CriteriaArguments(positional: arguments))
    }

    /// The objects that criteria text asks for, in which `:name` stands for an argument.
    ///
    /// ```swift
    /// store.fetch(Song.self).matching("artist = :name or composer = :name", with: ["name": "Bill Evans"])
    /// ```
    public func matching(_ criteria: String, with arguments: [String: Any?]) -> Fetch {
        matching(criteria, CriteriaArguments(named: arguments))
    }

    func matching(_ criteria: String, _ arguments: CriteriaArguments) -> Fetch {
        changing { query in
            let other = try Query(query.model, criteria: criteria, arguments)
            query.narrow(by: other.filter)
            query.sort += other.sort
            query.limit = other.limit ?? query.limit
            query.offset = other.offset == 0 ? query.offset : other.offset
        }
    }
}

extension ObjectSource {
    /// The objects that criteria text asks for; see ``Fetch/matching(_:_:)``.
    ///
    /// ```swift
    /// let songs = try store.fetch(Song.self, "year > ? order by year limit 10", 1990).all()
    /// ```
    public func fetch<Object: Model>(_ type: Object.Type, _ criteria: String, _ arguments: Any?...) -> Fetch<Object, Self> {
        fetch(type).matching(criteria, CriteriaArguments(positional: arguments))
    }

    /// The objects that criteria text asks for, in which `:name` stands for an argument.
    public func fetch<Object: Model>(_ type: Object.Type, _ criteria: String, with arguments: [String: Any?]) -> Fetch<Object, Self> {
        fetch(type).matching(criteria, CriteriaArguments(named: arguments))
    }
}
