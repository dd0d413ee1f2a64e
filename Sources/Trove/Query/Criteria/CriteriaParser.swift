/// Reads criteria text by recursive descent; the grammar is in the documentation of searching.
///
/// What an argument's value is never changes how the text is read.
struct CriteriaParser {
    /// How deep parentheses, `not`s and lists may nest; each level takes space on the stack.
    static let maxDepth = 100

    /// Words that are no names unless they are quoted or follow a dot.
    static let reserved: Set<String> = [
        "and", "or", "not", "is", "in", "between", "begins", "ends", "contains", "matches", "like", "any", "all", "none", "true", "false", "nil", "null",
        "order", "limit", "offset", "ignoring",
    ]

    /// What a path begins at.
    enum Root {
        case object
        /// The member that a quantifier looks at.
        case element
    }

    private let text: String
    private let tokens: [CriteriaToken]
    private var index = 0
    private var depth = 0
    var arguments: CriteriaArguments
    var root = Root.object

    init(_ text: String, _ arguments: CriteriaArguments) {
        self.text = text
        self.arguments = arguments
        var lexer = CriteriaLexer(text)
        tokens = lexer.tokens()
    }

    // MARK: - Tokens

    var token: CriteriaToken { tokens[index] }

    func ahead(_ count: Int = 1) -> CriteriaToken { tokens[min(index + count, tokens.count - 1)] }

    /// The end is never passed.
    mutating func advance() {
        if index < tokens.count - 1 { index += 1 }
    }

    mutating func take(word: String) -> Bool {
        guard token.isWord(word) else { return false }
        advance()
        return true
    }

    mutating func take(symbol: String) -> Bool {
        guard token.isSymbol(symbol) else { return false }
        advance()
        return true
    }

    mutating func require(word: String) throws(TroveError) {
        guard take(word: word) else { throw error("'\(word)'") }
    }

    mutating func require(symbol: String) throws(TroveError) {
        guard take(symbol: symbol) else { throw error("'\(symbol)'") }
    }

    /// Runs `body` one level deeper.
    mutating func nested<Result>(_ body: (inout CriteriaParser) throws(TroveError) -> Result) throws(TroveError) -> Result {
        guard depth < Self.maxDepth else { throw error("at most \(Self.maxDepth) levels of parentheses, lists and 'not'") }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    /// The error that something else was expected at the present token, or at another; what is wrong with the token itself goes first.
    func error(_ expected: String, at other: CriteriaToken? = nil) -> TroveError {
        let place = other ?? token
        var expected = expected
        if case .invalid(let better) = place.kind { expected = better }
        // Scalars before the place, counted in the characters that a person sees.
        let before = CriteriaLexer.string(text.unicodeScalars.prefix(place.position))
        return .invalidCriteria(text: text, position: before.count, expected: expected)
    }

    // MARK: - The whole

    /// Reads a condition and nothing else.
    mutating func wholeFilter() throws(TroveError) -> Filter {
        try refuseStatement()
        let filter = try beginsClause ? Filter.constant(true) : condition()
        try finish("'and', 'or' or the end")
        return filter
    }

    /// Reads a condition, a sort, a limit and an offset, each of which may be missing.
    mutating func wholeQuery(of model: String) throws(TroveError) -> Query {
        try refuseStatement()
        var query = Query(model)
        if !beginsClause { query.filter = try condition() }
        var rest = ["'and'", "'or'", "'order by'", "'limit'", "'offset'"]
        if take(word: "order") {
            try require(word: "by")
            query.sort = try sort()
            rest = ["','", "'limit'", "'offset'"]
        }
        var clauses: Set = ["limit", "offset"]
        while let clause = clauses.first(where: { token.isWord($0) }) {
            advance()
            clauses.remove(clause)
            let number = try count()
            if clause == "limit" { query.limit = number } else { query.offset = number }
            rest = clauses.map { "'\($0)'" }
        }
        try finish((rest + ["the end"]).formattedAsChoice)
        return query
    }

    /// Whether there is no condition before the clauses.
    private var beginsClause: Bool {
        token.kind == .end || token.isWord("limit") || token.isWord("offset") || (token.isWord("order") && ahead().isWord("by"))
    }

    /// Throws where the text begins as one of SQL, whose condition stands behind words that are none here.
    private func refuseStatement() throws(TroveError) {
        guard case .word(let word) = token.kind, ["select", "from", "where"].contains(word.lowercased()), !beginsTest(ahead()), !continuesPath(ahead())
        else { return }
        throw error("the condition alone, without '\(word)', as in: year > 1990 order by title")
    }

    private func finish(_ expected: String) throws(TroveError) {
        guard token.kind == .end else { throw error(expected) }
        if let surplus = arguments.surplus { throw error(surplus) }
    }

    private mutating func sort() throws(TroveError) -> [SortKey] {
        var keys: [SortKey] = []
        repeat {
            let path = try measuredPath(expected: "a field to sort by")
            var ignoring = try takeIgnoring()
            var direction = SortDirection.ascending
            if take(word: "desc") || take(word: "descending") {
                direction = .descending
            } else if take(word: "asc") || take(word: "ascending") {
                direction = .ascending
            }
            if ignoring.isEmpty { ignoring = try takeIgnoring() }
            keys.append(SortKey(path, direction, ignoring: ignoring))
        } while take(symbol: ",")
        return keys
    }

    /// A number of objects.
    private mutating func count() throws(TroveError) -> Int {
        let place = token
        if token.isSymbol("?") || token.isSymbol(":") {
            guard case .int(let number) = try parameter(), let count = Int(exactly: number), count >= 0 else {
                throw error("an argument that is a whole number, 0 or more", at: place)
            }
            return count
        }
        guard case .number(let digits) = token.kind, let count = Int(digits) else { throw error("a whole number, 0 or more") }
        advance()
        return count
    }

    /// `ignoring case`, `ignoring accents` or `ignoring case and accents`, if it stands here.
    mutating func takeIgnoring() throws(TroveError) -> TextFolding {
        guard take(word: "ignoring") else { return [] }
        guard let first = folding(of: token) else { throw error("'case' or 'accents'") }
        advance()
        // Behind the 'and' another condition may begin, on a field of such a name.
        guard token.isWord("and"), let second = folding(of: ahead()), second != first, !continuesPath(ahead(2)), !beginsTest(ahead(2)) else { return first }
        advance()
        advance()
        return [first, second]
    }

    private func folding(of token: CriteriaToken) -> TextFolding? {
        if token.isWord("case") { return .case }
        return token.isWord("accents") || token.isWord("diacritics") ? .diacritics : nil
    }

    private func continuesPath(_ token: CriteriaToken) -> Bool { token.isSymbol(".") || token.isSymbol("[") }
}
