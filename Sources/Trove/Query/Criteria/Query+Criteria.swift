extension Filter {
    /// Reads a condition in criteria text.
    ///
    /// ```swift
    /// let filter = try Filter(criteria: "artist = ? and year between 1950 and 1960", "Bill Evans")
    /// ```
    ///
    /// Each `?` stands for the next argument: a value as a property has it, or nil, or, after `in`, an array.
    ///
    /// - Throws: ``TroveError/invalidCriteria(text:position:expected:)`` when the text is not well formed, or the arguments are not as many as its parameters.
    public init(criteria text: String, _ arguments: Any?...) throws(TroveError) {
        var parser = CriteriaParser(text, CriteriaArguments(positional: arguments))
        self = try parser.wholeFilter()
    }

    /// Reads a condition in criteria text, in which `:name` stands for an argument.
    ///
    /// - Throws: ``TroveError/invalidCriteria(text:position:expected:)``.
    public init(criteria text: String, with arguments: [String: Any?]) throws(TroveError) {
        var parser = CriteriaParser(text, CriteriaArguments(named: arguments))
        self = try parser.wholeFilter()
    }
}

extension Filter: CustomStringConvertible {
    /// The filter as criteria text that ``init(criteria:_:)`` reads back.
    public var description: String { CriteriaWriter().text(self) }
}

extension Query {
    /// Reads a query in criteria text: a condition, a sort, a limit and an offset, each of which may be missing.
    ///
    /// ```swift
    /// let query = try Query("Song", criteria: "year < ? order by year desc, title limit 10", 1965)
    /// ```
    ///
    /// - Throws: ``TroveError/invalidCriteria(text:position:expected:)`` when the text is not well formed, or the arguments are not as many as its parameters.
    public init(_ model: String, criteria text: String, _ arguments: Any?...) throws(TroveError) {
        try self.init(model, criteria: text, CriteriaArguments(positional: arguments))
    }

    /// Reads a query in criteria text, in which `:name` stands for an argument.
    ///
    /// - Throws: ``TroveError/invalidCriteria(text:position:expected:)``.
    public init(_ model: String, criteria text: String, with arguments: [String: Any?]) throws(TroveError) {
        try self.init(model, criteria: text, CriteriaArguments(named: arguments))
    }

    init(_ model: String, criteria text: String, _ arguments: CriteriaArguments) throws(TroveError) {
        var parser = CriteriaParser(text, arguments)
        self = try parser.wholeQuery(of: model)
    }
}

extension Query: CustomStringConvertible {
    /// The filter, sort, limit and offset as criteria text that ``init(_:criteria:_:)`` reads back; empty for all objects. The model is not in it.
    public var description: String { CriteriaWriter().text(self) }
}
