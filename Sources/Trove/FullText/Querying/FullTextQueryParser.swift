/// Reads the text of a full-text query by recursive descent.
struct FullTextQueryParser {
    /// Scalars: a mark that combines with a quotation mark or parenthesis before it does not hide it.
    private let text: [Unicode.Scalar]
    private var position = 0
    /// Up to where quotation marks are known to enclose phrases, and not a field's name.
    private var phrasesEnd = 0

    init(_ text: String) { self.text = Array(text.unicodeScalars) }

    mutating func parse() throws -> FullTextQuery {
        let query = try alternatives(0)
        if position < text.count { throw error("an unexpected ')'; remove it, or open it before") }
        return query
    }

    // MARK: Grammar

    private mutating func alternatives(_ depth: Int) throws -> FullTextQuery {
        var parts = [try conjunction(depth)]
        while takeOperator("OR") { parts.append(try conjunction(depth)) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func conjunction(_ depth: Int) throws -> FullTextQuery {
        var parts = [try negation(depth)]
        while true {
            if takeOperator("AND") {
                parts.append(try negation(depth))
            } else if isAtPart {
                parts.append(try negation(depth))
            } else {
                return parts.count == 1 ? parts[0] : .all(parts)
            }
        }
    }

    private mutating func negation(_ depth: Int) throws -> FullTextQuery {
        if depth > FullTextQuery.maxDepth { throw error("it is nested deeper than \(FullTextQuery.maxDepth) levels; use fewer levels") }
        if takeOperator("NOT") { return .not(try negation(depth + 1)) }
        return try takeMinus() ? .not(part(depth + 1)) : part(depth)
    }

    /// Takes the sign before what is not wanted.
    private mutating func takeMinus() -> Bool {
        guard position + 1 < text.count, text[position] == "-", !text[position + 1].properties.isWhitespace else { return false }
        position += 1
        return true
    }

    private mutating func part(_ depth: Int) throws -> FullTextQuery {
        skipSpaces()
        guard position < text.count else { throw error("a word, a phrase in quotes or '(' is expected") }
        switch text[position] {
        case "(": return try group(depth)
        case "\"": return try takeQuotedName().map { try field($0, depth) } ?? phrase()
        case ")": throw error("a word, a phrase in quotes or '(' is expected before ')'")
        case ":": throw error("a field's name is expected before ':'; put text with a colon in quotes")
        case "*": throw error("'*' stands at the end of a word; put a word before it")
        default: return try word(depth)
        }
    }

    private mutating func group(_ depth: Int) throws -> FullTextQuery {
        let start = position
        position += 1
        if depth > FullTextQuery.maxDepth { throw error("it is nested deeper than \(FullTextQuery.maxDepth) levels; use fewer levels") }
        let query = try alternatives(depth + 1)
        skipSpaces()
        guard position < text.count, text[position] == ")" else { throw error("')' is expected; '(' at \(start + 1) is open") }
        position += 1
        return query
    }

    private mutating func phrase() throws -> FullTextQuery {
        let start = position
        position += 1
        guard let end = text[position...].firstIndex(of: "\"") else { throw error("'\"' is expected; the one at \(start + 1) is open", at: text.count) }
        let words = string(position..<end)
        position = end + 1
        return takeStar() ? .prefix(words) : .phrase(words)
    }

    /// Takes a name in quotation marks, two of which are one of the name, before a colon; nil when there is none.
    private mutating func takeQuotedName() -> String? {
        guard position >= phrasesEnd else { return nil }
        var name: [Unicode.Scalar] = []
        var end = position + 1
        while end < text.count {
            if text[end] == "\"" {
                guard end + 1 < text.count, text[end + 1] == "\"" else { break }
                end += 1
            }
            name.append(text[end])
            end += 1
        }
        guard end + 1 < text.count, text[end + 1] == ":" else {
            phrasesEnd = end
            return nil
        }
        position = end + 1
        return String(String.UnicodeScalarView(name))
    }

    /// What is sought in the field whose name stands before the colon.
    private mutating func field(_ name: String, _ depth: Int) throws -> FullTextQuery {
        position += 1
        if position >= text.count || text[position].properties.isWhitespace { throw error("a word is expected after ':' in '\(name)'") }
        if depth > FullTextQuery.maxDepth { throw error("it is nested deeper than \(FullTextQuery.maxDepth) levels; use fewer levels") }
        return .field(name, try takeMinus() ? .not(part(depth + 2)) : part(depth + 1))
    }

    private mutating func word(_ depth: Int) throws -> FullTextQuery {
        let start = position
        if takeReserved() { throw error("a word is expected before \(string(start..<position)); write it in quotes to search for it", at: start) }
        while position < text.count, !isDelimiter(text[position]) { position += 1 }
        let word = string(start..<position)
        if position < text.count, text[position] == ":" {
            guard Self.isPlainName(word) else {
                throw error("'\(word)' is not the name of a field; put text with a colon, or such a name, in quotes", at: start)
            }
            return try field(word, depth)
        }
        if takeStar() {
            if position < text.count, !text[position].properties.isWhitespace, text[position] != ")" {
                throw error("a space is expected after '*', which stands at the end of a word")
            }
            return .prefix(word)
        }
        return .word(word)
    }

    // MARK: Characters

    private func isDelimiter(_ scalar: Unicode.Scalar) -> Bool { Self.delimits(scalar) }

    /// Whether a scalar ends a word.
    static func delimits(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar == "(" || scalar == ")" || scalar == "\"" || scalar == ":" || scalar == "*"
    }

    /// Whether a field's name needs no quotation marks.
    static func isPlainName(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first.properties.isAlphabetic || first == "_" else { return false }
        return !name.unicodeScalars.contains(where: delimits)
    }

    private func string(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(text[range])) }

    private mutating func skipSpaces() {
        while position < text.count, text[position].properties.isWhitespace { position += 1 }
    }

    /// Whether something to look for comes next, rather than an end or OR.
    private var isAtPart: Bool {
        mutating get {
            skipSpaces()
            guard position < text.count, text[position] != ")" else { return false }
            let start = position
            let isAlternative = takeOperator("OR")
            position = start
            return !isAlternative
        }
    }

    private mutating func takeStar() -> Bool {
        guard position < text.count, text[position] == "*" else { return false }
        position += 1
        return true
    }

    /// Takes an operator, which is a whole word.
    private mutating func takeOperator(_ name: String) -> Bool {
        skipSpaces()
        let end = position + name.unicodeScalars.count
        guard end <= text.count, text[position..<end].elementsEqual(name.unicodeScalars), end == text.count || isDelimiter(text[end]),
            end == text.count || (text[end] != ":" && text[end] != "*")
        else { return false }
        position = end
        return true
    }

    private mutating func takeReserved() -> Bool { takeOperator("OR") || takeOperator("AND") || takeOperator("NOT") }

    private func error(_ reason: String, at place: Int? = nil) -> TroveError {
        .invalidFullTextQuery(text: string(0..<text.count), position: place ?? position, reason: reason)
    }
}
