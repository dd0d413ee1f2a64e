extension CriteriaParser {
    static let comparisons: [String: Comparison] = [
        "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual,
    ]

    /// The words that what is said of an operand begins with. `like` is none of the operators, and has a message of its own.
    static let testWords: Set<String> = ["is", "not", "in", "between", "begins", "ends", "contains", "matches", "has", "within", "like"]

    /// What an operator may be, for messages.
    static let operators =
        "an operator: =, !=, <, <=, >, >=, in, between, begins with, ends with, contains, matches, has words, within, is nil, is multiple of"

    mutating func condition() throws(TroveError) -> Filter {
        var filters = [try conjunction()]
        while take(word: "or") { filters.append(try conjunction()) }
        return filters.count == 1 ? filters[0] : .or(filters)
    }

    private mutating func conjunction() throws(TroveError) -> Filter {
        var filters = [try negation()]
        while take(word: "and") { filters.append(try negation()) }
        return filters.count == 1 ? filters[0] : .and(filters)
    }

    private mutating func negation() throws(TroveError) -> Filter {
        if take(word: "not") {
            return .not(try nested { parser throws(TroveError) in try parser.negation() })
        }
        if token.isSymbol("(") { return try parenthesized() }
        if beginsDepth { return try nested { parser throws(TroveError) in try parser.quantified(.any) } }
        for quantifier in Quantifier.allCases where take(word: quantifier.rawValue) {
            return try nested { parser throws(TroveError) in try parser.quantified(quantifier) }
        }
        if token.isWord("true") || token.isWord("false") {
            let value = token.isWord("true")
            advance()
            return beginsTest(token) ? try test(of: .value(.bool(value))) : .constant(value)
        }
        if token.isWord("has"), ahead().isWord("words") { return try words(at: nil) }
        if token.isWord("is"), ahead().isWord("unreferenced") {
            advance()
            advance()
            return .isUnreferenced
        }
        if token.isWord("has"), ahead().isWord("dangling") {
            advance()
            advance()
            try require(word: "references")
            return .hasDanglingReferences
        }
        let operand = try operand()
        return try test(of: operand)
    }

    /// `title has words 'autumn leaves'`; without a field, in all texts of the model's full-text index.
    private mutating func words(at path: FieldPath?) throws(TroveError) -> Filter {
        try require(word: "has")
        try require(word: "words")
        let place = token
        guard case .value(.string(let text)) = try operand() else { throw error("the words sought in single quotes, or a parameter", at: place) }
        return .fullText(try FullTextQuery.reading(text).get(), path)
    }

    private mutating func parenthesized() throws(TroveError) -> Filter {
        try require(symbol: "(")
        let filter = try nested { parser throws(TroveError) in try parser.condition() }
        try require(symbol: ")")
        return filter
    }

    /// `any tags = 'x'`, `any lines (price > 5 and quantity > 1)`, `none keys of labels begins with '_'`.
    private mutating func quantified(_ quantifier: Quantifier) throws(TroveError) -> Filter {
        var part = CollectionPart.elements
        for other in CollectionPart.allCases where other != .elements && token.isWord(other.rawValue) && ahead().isWord("of") {
            advance()
            advance()
            part = other
        }
        if beginsDepth {
            advance()
            advance()
            part = .depth
        }
        let path = try path(expected: "the field of a collection, or 'keys of' or 'values of' and that of a dictionary")
        let outer = root
        defer { root = outer }
        if token.isSymbol("(") {
            root = .element
            return .quantified(quantifier, path, part, try parenthesized())
        }
        guard beginsTest(token) else { throw error("a condition in parentheses, or " + Self.operators) }
        return .quantified(quantifier, path, part, try test(of: .path(.element), isShort: true))
    }

    /// Whether a name sought at any depth begins here: `..name`.
    private var beginsDepth: Bool { token.isSymbol(".") && ahead().isSymbol(".") }

    /// Whether what follows an operand says something of it.
    func beginsTest(_ token: CriteriaToken) -> Bool {
        switch token.kind {
        case .symbol(let symbol): Self.comparisons[symbol] != nil
        case .word(let word): Self.testWords.contains(word.lowercased())
        default: false
        }
    }

    /// Reads what is said of `subject`. In the short form of a quantifier, whose subject is the element, other paths begin where the quantifier stands.
    private mutating func test(of subject: Operand, isShort: Bool = false) throws(TroveError) -> Filter {
        if case .symbol(let symbol) = token.kind, let comparison = Self.comparisons[symbol] {
            advance()
            let other = try other(isShort)
            return .comparison(subject, comparison, other, ignoring: try takeIgnoring())
        }
        if token.isWord("is"), ahead().isWord("multiple") || ahead().isWord("not") && ahead(2).isWord("multiple") { return try multiple(subject) }
        if take(word: "is") { return try nilTest(of: subject) }
        if take(word: "not") {
            guard beginsTest(token), !token.isWord("not"), !token.isWord("is"), case .word = token.kind else {
                throw error(["'in'", "'between'", "'begins with'", "'ends with'", "'contains'", "'matches'"].formattedAsChoice)
            }
            return .not(try test(of: subject, isShort: isShort))
        }
        if take(word: "in") { return try membership(of: subject, isShort) }
        if take(word: "between") {
            let lower = try other(isShort)
            try require(word: "and")
            let upper = try other(isShort)
            let ignoring = try takeIgnoring()
            return .and([
                .comparison(subject, .greaterOrEqual, lower, ignoring: ignoring), .comparison(subject, .lessOrEqual, upper, ignoring: ignoring),
            ])
        }
        for (word, textTest) in [("begins", TextTest.hasPrefix), ("ends", .hasSuffix), ("contains", .contains)] where take(word: word) {
            if textTest != .contains { try require(word: "with") }
            let other = try other(isShort)
            return .text(subject, textTest, other, ignoring: try takeIgnoring())
        }
        if take(word: "matches") {
            let place = token
            guard case .value(.string(let pattern)) = try operand() else { throw error("a regular expression in single quotes, or a parameter", at: place) }
            let option = token
            let ignoring = try takeIgnoring()
            guard ignoring.isSubset(of: .case) else {
                throw error("'ignoring case' at most: a regular expression heeds accents", at: option)
            }
            return .matches(subject, pattern: pattern, ignoringCase: ignoring == .case)
        }
        if take(word: "within") {
            guard case .path(let path) = subject else { throw error("a field before 'within'") }
            return .isWithin(path, try region())
        }
        if token.isWord("has") {
            guard case .path(let path) = subject else { throw error("a field before 'has words', or nothing, to search all texts of the object") }
            return try words(at: path)
        }
        if token.isWord("like") { throw error("begins with, ends with or contains; there are no patterns, so 'like' is none of the operators") }
        throw error(Self.operators)
    }

    /// `within 500 m of geopoint '52.5,13.4'`, or `within` and two corners, `geopoint '52.3,13.1' to geopoint '52.7,13.8'`.
    private mutating func region() throws(TroveError) -> GeoRegion {
        let place = token
        switch try operand() {
        case .value(.geoPoint(let southWest)):
            try require(word: "to")
            return .box(southWest: southWest, northEast: try point("the box's northeastern corner"))
        case .value(let value):
            guard let number = Double(lossless: value) else { break }
            let units = ["m": 1.0, "km": 1_000]
            guard case .word(let word) = token.kind, let meters = units[word.lowercased()] else { throw error("'m' or 'km' after the distance") }
            advance()
            try require(word: "of")
            return .circle(center: try point("the circle's center"), meters: number * meters)
        case .path: break
        }
        throw error("a distance and a center, as in 500 m of geopoint '52.5,13.4', or a box's southwestern corner", at: place)
    }

    private mutating func point(_ what: String) throws(TroveError) -> GeoPoint {
        let place = token
        guard case .value(.geoPoint(let point)) = try operand() else { throw error("\(what), as in geopoint '52.5,13.4', or a parameter", at: place) }
        return point
    }

    /// `is multiple of 4`, `is not multiple of ?`.
    private mutating func multiple(_ subject: Operand) throws(TroveError) -> Filter {
        advance()
        let isNegated = take(word: "not")
        advance()
        guard case .path(let path) = subject else { throw error("a field before 'is multiple of'") }
        try require(word: "of")
        let place = token
        guard case .value(let value) = try operand(), let factor = Int128(integer: value) else { throw error("a whole number, or a parameter", at: place) }
        return isNegated ? .not(.isMultiple(path, of: factor)) : .isMultiple(path, of: factor)
    }

    private mutating func nilTest(of subject: Operand) throws(TroveError) -> Filter {
        let isNegated = take(word: "not")
        guard token.isWord("nil") || token.isWord("null") else { throw error(isNegated ? "'nil'" : "'nil' or 'not nil'") }
        guard case .path(let path) = subject else { throw error("a field before 'is nil'") }
        advance()
        return isNegated ? .not(.isNil(path)) : .isNil(path)
    }

    /// `in ('a', 'b')`, `in ?`, or `in tags`, which is `any tags =` the other way round.
    private mutating func membership(of subject: Operand, _ isShort: Bool) throws(TroveError) -> Filter {
        if take(symbol: "(") {
            let values = try nested { parser throws(TroveError) in try parser.list(until: ")") }
            return .membership(subject, values, ignoring: try takeIgnoring())
        }
        let place = token
        switch try other(isShort) {
        case .value(.array(let values)):
            return .membership(subject, values.array, ignoring: try takeIgnoring())
        case .path(let path):
            if case .path(let subject) = subject, subject.field.isEmpty {
                throw error("a list in parentheses or a parameter: a member compares with no other collection's members", at: place)
            }
            return .quantified(.any, path, .elements, .comparison(.path(.element), .equal, subject, ignoring: try takeIgnoring()))
        case .value:
            throw error("a list in parentheses, an array as argument, or the field of a collection", at: place)
        }
    }

    /// The other side of a test.
    private mutating func other(_ isShort: Bool) throws(TroveError) -> Operand {
        let place = token
        let operand = try operand()
        if isShort, case .path(let path) = operand, path.field.isEmpty {
            throw error("a value, a parameter, or a condition in parentheses: a member compares with no other collection's members", at: place)
        }
        return operand
    }
}
