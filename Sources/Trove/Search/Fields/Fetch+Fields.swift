extension Fetch {
    /// The objects of which a condition on their properties is true.
    ///
    /// ```swift
    /// let songs = try store.fetch(Song.self)
    ///     .where { $0.artist == "Bill Evans" && ($0.year < 1965 || $0.rating > 4) }
    ///     .all()
    /// ```
    ///
    /// What ``Field`` can be asked is in its documentation. Conditions of several calls must all be true. A mistake that the compiler cannot find, such as a
    /// computed property, is thrown when the fetch runs.
    public func `where`(_ condition: (Fields<Object>) -> Condition) -> Fetch {
        let result = condition(Fields())
        return changing { $0.narrow(by: try result.filter()) }
    }

    /// The objects of which a property is true: `fetch.where { $0.isLive }`.
    @_disfavoredOverload
    public func `where`(_ property: (Fields<Object>) -> Field<Bool>) -> Fetch {
        `where` { property($0).isTrue }
    }
}

extension Query {
    /// Keeps of the objects those that pass `filter` too.
    mutating func narrow(by filter: Filter) {
        self.filter = self.filter == .constant(true) ? filter : self.filter && filter
    }
}
