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

/// The values that stand for a criteria text's parameters.
struct CriteriaArguments {
    private let positional: [Any?]
    private let named: [String: Any?]
    private var used = 0
    private var usedNames: Set<String> = []

    init(positional: [Any?] = [], named: [String: Any?] = [:]) {
        self.positional = positional
        self.named = named
    }

    enum Outcome {
        case value(StoredValue)
        /// What would have had to be given.
        case missing(expected: String)
    }

    /// The value for the next `?`.
    mutating func next() -> Outcome {
        guard used < positional.count else {
            return .missing(expected: "an argument for each ?; \(positional.count) \(positional.count == 1 ? "was" : "were") given")
        }
        used += 1
        return Self.converted(positional[used - 1])
    }

    /// The value for `:name`.
    mutating func value(named name: String) -> Outcome {
        guard let value = named[name] else {
            let names = named.keys.sorted().map { ":" + $0 }.joined(separator: ", ")
            return .missing(expected: "a parameter with an argument; \(names.isEmpty ? "no named ones were given" : "given were \(names)")")
        }
        usedNames.insert(name)
        return Self.converted(value)
    }

    /// What to write so that no argument is left; nil when none is.
    var surplus: String? {
        if used < positional.count { return "a ? for each of the \(positional.count) arguments; there are \(used)" }
        return named.keys.filter { !usedNames.contains($0) }.min().map { "a parameter :\($0), for which an argument was given" }
    }

    private static func converted(_ value: Any?) -> Outcome {
        do throws(TroveError) {
            return .value(try StoredValue(comparing: value as Any))
        } catch {
            if case .invalidQuery(let reason) = error { return .missing(expected: "another argument: \(reason)") }
            return .missing(expected: "another argument: \(error)")
        }
    }
}
