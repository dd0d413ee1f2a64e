/// Reads regular expressions in the syntax that `docs/search.md` lists.
struct RegexParser {
    /// What `(?ims)` switches.
    struct Options {
        var ignoresCase: Bool
        /// Whether `^` and `$` match at each line.
        var hasLines = false
        /// Whether `.` matches newlines too.
        var dotMatchesNewlines = false
    }

    /// How deep groups and classes may nest: a bound on the stack that an expression can take.
    private static let maxDepth = 200
    /// The greatest bound of a quantifier.
    private static let maxCount = 1_000

    let text: [Unicode.Scalar]
    var position = 0
    var options: Options
    private var depth = 0

    init(_ pattern: String, ignoringCase: Bool) {
        text = Array(pattern.unicodeScalars)
        options = Options(ignoresCase: ignoringCase)
    }

    mutating func whole() throws -> RegexSyntax {
        let syntax = try choice()
        guard position == text.count else { throw RegexMistake(reason: "a ')' too much; write \\) for the character") }
        return syntax
    }

    var current: Unicode.Scalar? { position < text.count ? text[position] : nil }

    mutating func take(_ string: String) -> Bool {
        guard position <= text.count, text[position...].starts(with: string.unicodeScalars) else { return false }
        position += string.unicodeScalars.count
        return true
    }

    /// Runs `body` one level deeper.
    mutating func nested<Result>(_ body: (inout RegexParser) throws -> Result) throws -> Result {
        guard depth < Self.maxDepth else { throw RegexMistake(reason: "its groups and classes nest deeper than \(Self.maxDepth) levels; use fewer levels") }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    private mutating func choice() throws -> RegexSyntax {
        // Options that a group switches hold until its end, through the branches that follow.
        let outer = options
        defer { options = outer }
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws -> RegexSyntax {
        var parts: [RegexSyntax] = []
        while let scalar = current, scalar != "|", scalar != ")" {
            if take("\\Q") {
                let scalars = quotation().map { RegexSyntax.scalar(inCase(.one($0))) }
                parts += scalars.dropLast()
                // A quantifier behind it repeats one scalar, as it does without the marks.
                if let last = scalars.last { parts.append(try quantified(last)) }
                continue
            }
            if let part = try atom() { parts.append(try quantified(part)) }
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    /// One thing that can be repeated; nil for what says nothing of the text: a comment, options.
    private mutating func atom() throws -> RegexSyntax? {
        guard let scalar = current else { return nil }
        position += 1
        switch scalar {
        case "(": return try group()
        case "[": return .scalar(try nested { try $0.characterClass() })
        case ".": return .scalar(options.dotMatchesNewlines ? .any : .inverted(.newline))
        case "^": return .assertion(options.hasLines ? .lineStart : .textStart)
        case "$": return .assertion(options.hasLines ? .lineEnd : .lastLineEnd)
        case "\\": return try escape()
        case "*", "+", "?": throw RegexMistake(reason: "a '\(scalar)' with nothing before it to repeat; write \\\(scalar) for the character")
        default: return .scalar(inCase(.one(scalar)))
        }
    }

    /// The scalars that are written out, in any case where that is asked for.
    func inCase(_ set: ScalarSet) -> ScalarSet { options.ignoresCase ? .inAnyCase(set) : set }

    // MARK: Groups

    private mutating func group() throws -> RegexSyntax? {
        guard take("?") else { return try groupBody() }
        if take(":") || take("|") { return try groupBody() }
        if take("#") {
            while let scalar = current, scalar != ")" { position = min(position + (scalar == "\\" ? 2 : 1), text.count) }
            guard take(")") else { throw RegexMistake(reason: "a comment without its ')'") }
            return nil
        }
        if take("=") || take("!") || take("<=") || take("<!") || take("*") {
            throw RegexMistake(reason: "it looks ahead or behind, which cannot be done in one pass; use conditions: a matches '…' and not (a matches '…')")
        }
        if take(">") { throw RegexMistake(reason: "it has an atomic group, which cannot be decided in one pass; write (?:…)") }
        if take("P<") || take("<") || take("'") {
            while let scalar = current, scalar != ">", scalar != "'" {
                guard scalar.isWordScalar else { throw RegexMistake(reason: "a group's name has only letters, digits and _") }
                position += 1
            }
            guard take(">") || take("'") else { throw RegexMistake(reason: "a group's name without its end; write (?<name>…)") }
            return try groupBody()
        }
        return try optionGroup()
    }

    private mutating func groupBody() throws -> RegexSyntax {
        let body = try nested { try $0.choice() }
        guard take(")") else { throw RegexMistake(reason: "a '(' without its ')'; write \\( for the character") }
        return body
    }

    /// `(?i)`, which holds until the end of the group, or `(?i:…)`.
    private mutating func optionGroup() throws -> RegexSyntax? {
        let outer = options
        var isOn = true
        while let scalar = current {
            position += 1
            switch scalar {
            case "i": options.ignoresCase = isOn
            case "m": options.hasLines = isOn
            case "s": options.dotMatchesNewlines = isOn
            case "-": isOn = false
            case ")": return nil
            case ":":
                defer { options = outer }
                return try groupBody()
            default: throw RegexMistake(reason: "an option '\(scalar)'; there are i, m and s: (?i), (?s:…)")
            }
        }
        throw RegexMistake(reason: "a '(' without its ')'; write \\( for the character")
    }

    // MARK: Quantifiers

    private mutating func quantified(_ part: RegexSyntax) throws -> RegexSyntax {
        guard let (least, most) = try quantifier() else { return part }
        if take("+") { throw RegexMistake(reason: "a possessive quantifier ('\(text[position - 2])+') cannot be decided in one pass; remove the +") }
        // An eager and a reluctant quantifier match the same texts.
        _ = take("?")
        let next = current
        if try quantifier() != nil, let next { throw RegexMistake(reason: "a '\(next)' after a quantifier; put the repeated part in parentheses") }
        return .repetition(part, least: least, most: most)
    }

    private mutating func quantifier() throws -> (Int, Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        guard current == "{" else { return nil }
        let start = position
        position += 1
        let least = try number()
        let hasComma = take(",")
        let most = hasComma ? try number() : least
        guard take("}"), least != nil || most != nil else {
            // A brace that begins no quantifier is a character.
            position = start
            return nil
        }
        if let most, most < least ?? 0 { throw RegexMistake(reason: "a quantifier {\(least ?? 0),\(most)} whose second number is smaller") }
        return (least ?? 0, most)
    }

    private mutating func number() throws -> Int? {
        var number: Int?
        while let scalar = current, scalar.value &- 48 < 10 {
            number = (number ?? 0) * 10 + Int(scalar.value - 48)
            guard let found = number, found <= Self.maxCount else { throw RegexMistake(reason: "a quantifier above \(Self.maxCount)") }
            position += 1
        }
        return number
    }
}

/// A regular expression as it was written, in parts.
///
/// Only whether a text has a part that matches is asked, so that groups capture nothing, and how eager a quantifier is makes no difference.
indirect enum RegexSyntax {
    case empty
    case scalar(ScalarSet)
    case assertion(RegexAssertion)
    case sequence([RegexSyntax])
    case choice([RegexSyntax])
    /// `most` is nil where there is no bound.
    case repetition(RegexSyntax, least: Int, most: Int?)
}

/// A condition on a place in a text, which takes no scalar.
enum RegexAssertion: UInt8 {
    case textStart, textEnd
    /// The end, or before a newline that is the last scalar.
    case lastLineEnd
    case lineStart, lineEnd
    case wordBoundary, noWordBoundary
}

/// Why a text is no regular expression of the kind that can be carried out, and what to do about it.
struct RegexMistake: Error {
    let reason: String
}
