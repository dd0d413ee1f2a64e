// What a query is asked for under the names that collections have: the compiler says what it is called here.
extension Fetch {
    @available(
        *, unavailable, message: "name the condition with 'where { … }', which the store can answer by an index, or filter the array that 'all()' returns")
    public func filter(_ isIncluded: (Object) throws -> Bool) rethrows -> Fetch { self }

    @available(*, unavailable, message: "use 'where { … }.first()', which the store can answer by an index")
    public func first(where condition: (Object) throws -> Bool) rethrows -> Object? { nil }

    @available(*, unavailable, message: "use 'where { … }.count()', or 'exists()', which the store can answer by an index")
    public func contains(where condition: (Object) throws -> Bool) rethrows -> Bool { false }

    @available(*, unavailable, message: "end the query with 'all()', or go through its objects with 'forEach'")
    public func map<Result>(_ transform: (Object) throws -> Result) rethrows -> [Result] { [] }

    @available(*, unavailable, message: "a property of type 'Bool?' is true, false or nil: write '$0.isLive == true'")
    public func `where`(_ condition: (Fields<Object>) -> Field<Bool?>) -> Fetch { self }

    @available(*, unavailable, renamed: "matching(_:_:)", message: "a condition as text is 'matching(\"year > ?\", 1990)'")
    public func `where`(_ criteria: String, _ arguments: Any?...) -> Fetch { self }
}

extension MixedFetch {
    @available(*, unavailable, renamed: "matching(_:_:)", message: "a condition as text is 'matching(\"year > ?\", 1990)'")
    public func `where`(_ criteria: String, _ arguments: Any?...) -> MixedFetch { self }
}
