/// The words to search for in texts.
///
/// ```swift
/// let query: FullTextQuery = .all([.phrase("autumn leaves"), .prefix("bill"), .not(.word("live"))])
/// let same = try FullTextQuery("\"autumn leaves\" bill* NOT live")
/// ```
///
/// The words of a query are analysed like those of the texts: case never matters, marks and endings as the index's options say. A
/// `word` of which analysis makes several, such as `"well-known"`, is a phrase of them; one of which it makes none, such as
/// `"&"`, is left out of the query, and a query of nothing else finds nothing.
public enum FullTextQuery: Sendable, Hashable {
    /// Texts with this word.
    case word(String)
    /// Texts with a word that begins with this text. Where the index stems, the stems are what begins like this.
    case prefix(String)
    /// Texts with these words one after the other.
    case phrase(String)
    /// Texts that match all of these.
    case all(Branches<FullTextQuery>)
    /// Texts that match one of these.
    case any(Branches<FullTextQuery>)
    /// Objects that do not match this.
    case not(Branch<FullTextQuery>)
    /// What the query finds in the field with this name alone.
    indirect case field(String, Branch<FullTextQuery>)
}

extension FullTextQuery {
    /// Texts that match all of these.
    public static func all(_ parts: [FullTextQuery]) -> FullTextQuery { .all(Branches(parts, free)) }

    /// Texts that match one of these.
    public static func any(_ parts: [FullTextQuery]) -> FullTextQuery { .any(Branches(parts, free)) }

    /// Objects that do not match this.
    public static func not(_ part: FullTextQuery) -> FullTextQuery { .not(Branch(part, free)) }

    /// The same query, restricted to the field with this name.
    public static func field(_ name: String, _ part: FullTextQuery) -> FullTextQuery { .field(name, Branch(part, free)) }

    private static let free: BranchNode<FullTextQuery>.Free = { ended in
        ended.freeTrees { query in
            let node: BranchNode<FullTextQuery>
            switch query {
            case .word, .prefix, .phrase: return nil
            case .all(let parts), .any(let parts): node = parts.node
            case .not(let part), .field(_, let part): node = part.node
            }
            query = .word("")
            return node
        }
    }
}

/// Equality by what a query says: words and names by their UTF-8 bytes, whatever the depth.
extension FullTextQuery {
    public static func == (left: FullTextQuery, right: FullTextQuery) -> Bool {
        // Without one call inside the other: a query that a program made may nest deeper than the stack reaches.
        var waiting = [(left, right)]
        while let pair = waiting.popLast() {
            switch pair {
            case (.word(let left), .word(let right)), (.prefix(let left), .prefix(let right)), (.phrase(let left), .phrase(let right)):
                guard left.hasBytes(of: right) else { return false }
            case (.all(let left), .all(let right)), (.any(let left), .any(let right)):
                guard left.count == right.count else { return false }
                if left.node !== right.node { waiting.append(contentsOf: zip(left.array, right.array)) }
            case (.not(let left), .not(let right)):
                if left.node !== right.node { waiting.append((left.value, right.value)) }
            case (.field(let name, let left), .field(let other, let right)):
                guard name.hasBytes(of: other) else { return false }
                if left.node !== right.node { waiting.append((left.value, right.value)) }
            default:
                return false
            }
        }
        return true
    }

    public func hash(into hasher: inout Hasher) { hash(into: &hasher, depth: 0) }

    /// How deep queries are looked into for their hash; what lies deeper tells them apart only when they are compared.
    private static let maxHashedDepth = 8

    private func hash(into hasher: inout Hasher, depth: Int) {
        switch self {
        case .word(let word): word.hashBytes(into: &hasher)
        case .prefix(let word): (word + "*").hashBytes(into: &hasher)
        case .phrase(let words): ("\"" + words).hashBytes(into: &hasher)
        case .all(let parts), .any(let parts):
            hasher.combine(parts.count)
            guard depth < Self.maxHashedDepth else { return }
            for part in parts { part.hash(into: &hasher, depth: depth + 1) }
        case .not(let part), .field(_, let part):
            hasher.combine(1)
            guard depth < Self.maxHashedDepth else { return }
            part.value.hash(into: &hasher, depth: depth + 1)
        }
    }
}

extension FullTextQuery {
    /// How deep parentheses, fields and negations may be nested: what a text may have, a query made in code may.
    static let maxDepth = 100

    /// Whether the query, which stands at a depth, has no part deeper than ``maxDepth``.
    ///
    /// As in a text, what is joined by AND needs no parentheses in what is joined by OR, so that it is no deeper.
    func isWithinMaxDepth(at depth: Int = 0) -> Bool {
        guard depth <= Self.maxDepth else { return false }
        switch self {
        case .word, .prefix, .phrase: return true
        case .not(let part), .field(_, let part): return part.value.isWithinMaxDepth(at: depth + (part.value.isJoined ? 2 : 1))
        case .all(let parts): return parts.allSatisfy { $0.isWithinMaxDepth(at: depth + ($0.isJoined ? 1 : 0)) }
        case .any(let parts): return parts.allSatisfy { $0.isWithinMaxDepth(at: depth + ($0.isAny ? 1 : 0)) }
        }
    }

    /// How many words and phrases it has; one for what is nested too deep to be searched for.
    func partCount(at depth: Int = 0) -> Int {
        guard depth <= 2 * Self.maxDepth else { return 1 }
        return switch self {
        case .word, .prefix, .phrase: 1
        case .not(let part), .field(_, let part): part.value.partCount(at: depth + 1)
        case .all(let parts), .any(let parts): parts.reduce(1) { $0 + $1.partCount(at: depth + 1) }
        }
    }

    private var isAny: Bool {
        if case .any = self { true } else { false }
    }

    private var isJoined: Bool {
        switch self {
        case .all, .any: true
        case .word, .prefix, .phrase, .not, .field: false
        }
    }
}

extension FullTextQuery: CustomStringConvertible {
    /// The query as text with the same meaning: a word that would not be read as one is written as a phrase of it.
    ///
    /// One that nests deeper than queries may has `…` there. No text means what an empty `all` does: as an empty `any`, it is a phrase without words.
    public var description: String { description(at: 0) }

    private func description(at depth: Int) -> String {
        guard depth < 4 * Self.maxDepth else { return "…" }
        return switch self {
        case .word(let word): Self.isPlain(word) ? word : Self.quoted(word)
        case .prefix(let word): (Self.isPlain(word) ? word : Self.quoted(word)) + "*"
        case .phrase(let words): Self.quoted(words)
        case .all(let parts): Self.joined(parts, " AND ", depth)
        case .any(let parts): Self.joined(parts, " OR ", depth)
        case .not(let part): "NOT " + part.value.inParentheses(depth + 1)
        case .field(let name, let part): Self.shown(name) + ":" + part.value.inParentheses(depth + 1)
        }
    }

    private static func joined(_ parts: Branches<FullTextQuery>, _ name: String, _ depth: Int) -> String {
        parts.isEmpty ? quoted("") : parts.map { $0.inParentheses(depth + 1) }.joined(separator: name)
    }

    private func inParentheses(_ depth: Int) -> String {
        switch self {
        case .word, .prefix, .phrase, .field: description(at: depth)
        case .all, .any, .not: "(" + description(at: depth) + ")"
        }
    }

    /// Whether a word needs no quotation marks to be read as itself.
    private static func isPlain(_ word: String) -> Bool {
        !word.isEmpty && !["AND", "OR", "NOT"].contains(word) && word.unicodeScalars.first != "-"
            && !word.unicodeScalars.contains(where: FullTextQueryParser.delimits)
    }

    /// A field's name as it is read.
    private static func shown(_ name: String) -> String {
        FullTextQueryParser.isPlainName(name) ? name : "\"" + name.parts(separatedBy: "\"").joined(separator: "\"\"") + "\""
    }

    /// Quotation marks separate words, so one inside may as well be a space.
    private static func quoted(_ words: String) -> String {
        "\"" + words.parts(separatedBy: "\"").joined(separator: " ") + "\""
    }
}

extension FullTextQuery {
    /// Reads a query from text.
    ///
    /// ```swift
    /// try FullTextQuery("\"autumn leaves\" AND bill* NOT live title:blue")
    /// ```
    ///
    /// | text | finds |
    /// |---|---|
    /// | `blue train` or `blue AND train` | both words |
    /// | `blue OR green` | one of them; binds less than AND |
    /// | `NOT live` or `-live` | what the rest does not find |
    /// | `"autumn leaves"` | the words one after the other |
    /// | `bill*`, `"bill ev"*` | a word that begins so; a phrase whose last word does |
    /// | `title:blue`, `title:(blue train)` | in that field |
    /// | `title:-live` | what does not have it in that field |
    /// | `"first name":ada` | in a field whose name is no word; `""` is a quotation mark of the name |
    /// | `( … )` | a part of its own |
    ///
    /// Operators are written in capitals. Every other character means itself, or separates words.
    ///
    /// - Throws: ``TroveError/invalidFullTextQuery(text:position:reason:)`` with the place and what was expected there.
    public init(_ text: String) throws {
        var parser = FullTextQueryParser(text)
        self = try parser.parse()
    }

    /// Whether there is a word to look for.
    var hasWord: Bool {
        switch self {
        case .word(let text), .prefix(let text), .phrase(let text): WordAnalyzer.findsWord(in: text)
        case .all(let parts), .any(let parts): parts.contains(where: \.hasWord)
        case .not(let part), .field(_, let part): part.value.hasWord
        }
    }

    /// The query, or what is wrong with the text.
    static func reading(_ text: String) -> Result<FullTextQuery, TroveError> {
        do {
            return .success(try FullTextQuery(text))
        } catch let error as TroveError {
            return .failure(error)
        } catch {
            return .failure(.invalidQuery(reason: "\(error)"))
        }
    }
}
