extension RegexParser {
    /// What a backslash, which has been read, begins outside of a class.
    mutating func escape() throws -> RegexSyntax {
        guard let scalar = current else { throw RegexMistake(reason: "a \\ at its end; write \\\\ for the character") }
        switch scalar {
        case "b": return assertion(.wordBoundary)
        case "B": return assertion(.noWordBoundary)
        case "A": return assertion(.textStart)
        case "Z": return assertion(.lastLineEnd)
        case "z": return assertion(.textEnd)
        case "R":
            position += 1
            return .choice([.sequence([.scalar(.one("\r")), .scalar(.one("\n"))]), .scalar(.newline)])
        case "1"..."9", "k", "g":
            throw RegexMistake(reason: "it refers back to a group, which cannot be decided in one pass; write the text again, or \\x31 for the character 1")
        default:
            let set = try escapedSet()
            // A category says what case is meant.
            if case .ranges = set { return .scalar(inCase(set)) }
            return .scalar(set)
        }
    }

    private mutating func assertion(_ assertion: RegexAssertion) -> RegexSyntax {
        position += 1
        return .assertion(assertion)
    }

    /// What stands between `\Q`, which has been read, and `\E`.
    mutating func quotation() -> [Unicode.Scalar] {
        var scalars: [Unicode.Scalar] = []
        while let scalar = current, !take("\\E") {
            scalars.append(scalar)
            position += 1
        }
        return scalars
    }

    /// The scalars that a backslash and what follows it stand for, in a class or outside of one.
    mutating func escapedSet() throws -> ScalarSet {
        guard let scalar = current else { throw RegexMistake(reason: "a \\ at its end; write \\\\ for the character") }
        let set: ScalarSet? =
            switch scalar {
            case "d": .digit
            case "D": .inverted(.digit)
            case "w": .word
            case "W": .inverted(.word)
            case "s": .whitespace
            case "S": .inverted(.whitespace)
            case "h": .horizontalSpace
            case "H": .inverted(.horizontalSpace)
            case "v": .newline
            case "V", "N": .inverted(.newline)
            default: nil
            }
        if let set {
            position += 1
            return set
        }
        if take("p") { return try property() }
        if take("P") { return .inverted(try property()) }
        return .one(try escapedScalar())
    }

    /// The one scalar that a backslash, which has been read, and what follows it stand for.
    private mutating func escapedScalar() throws -> Unicode.Scalar {
        guard let scalar = current else { throw RegexMistake(reason: "a \\ at its end; write \\\\ for the character") }
        position += 1
        switch scalar {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "f": return "\u{C}"
        case "a": return "\u{7}"
        case "e": return "\u{1B}"
        case "0": return try hexadecimal(0)
        case "x": return take("{") ? try braced() : try hexadecimal(2)
        case "u": return take("{") ? try braced() : try hexadecimal(4)
        case "U": return try hexadecimal(8)
        default:
            if scalar.isWordScalar, scalar != "_" {
                throw RegexMistake(reason: "there is no \\\(scalar); docs/search.md lists what a backslash may stand before")
            }
            return scalar
        }
    }

    private mutating func braced() throws -> Unicode.Scalar {
        let start = position
        while let scalar = current, scalar != "}" { position += scalar.isASCII ? 1 : 100 }
        guard position < text.count, position - start < 9 else { throw RegexMistake(reason: "an escape without its '}'") }
        // Without digits it would be U+0000.
        let digits = max(1, position - start)
        position = start
        let scalar = try hexadecimal(digits)
        position += 1
        return scalar
    }

    private mutating func hexadecimal(_ count: Int) throws -> Unicode.Scalar {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard let digit = current.flatMap({ Character($0).hexDigitValue }), current?.isASCII ?? false else {
                throw RegexMistake(reason: "an escape with too few hexadecimal digits: \\x41, \\u0041 or \\u{41}")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        guard let scalar = Unicode.Scalar(value) else { throw RegexMistake(reason: "an escape of \(String(value, radix: 16)), which is no Unicode scalar") }
        return scalar
    }

    /// `{Lu}`, `{^Lu}` or a letter alone.
    private mutating func property() throws -> ScalarSet {
        guard take("{") else {
            guard let letter = current else { throw RegexMistake(reason: "a \\p without a category: \\p{L}") }
            position += 1
            return try Self.set(named: String(Character(letter)))
        }
        let isInverted = take("^")
        var name = ""
        while let scalar = current, scalar != "}" {
            name.unicodeScalars.append(scalar)
            position += 1
        }
        guard take("}") else { throw RegexMistake(reason: "a \\p{ without its '}'") }
        let set = try Self.set(named: name)
        return isInverted ? .inverted(set) : set
    }

    /// The set of a category or property; case, spaces, `_` and `-` in names do not matter.
    static func set(named name: String) throws -> ScalarSet {
        let plain = String(name.lowercased().filter { $0 != " " && $0 != "_" && $0 != "-" })
        if let categories = categories[plain] { return .category(Set(categories)) }
        if let property = ScalarProperty(rawValue: plain) ?? Self.shortProperties[plain] { return .property(property) }
        throw RegexMistake(reason: "there is no category '\(name)'; there are L, Lu, Ll, Lt, Lm, Lo, M, N, Nd, P, S, Z, C and their parts, Alphabetic, Lowercase, Uppercase, Whitespace and others")
    }

    private static let shortProperties: [String: ScalarProperty] = [
        "alpha": .alphabetic, "lower": .lowercase, "upper": .uppercase, "wspace": .whitespace, "space": .whitespace,
    ]

    private static let categories: [String: [Unicode.GeneralCategory]] = {
        let single: [(String, String, Unicode.GeneralCategory)] = [
            ("lu", "uppercaseletter", .uppercaseLetter), ("ll", "lowercaseletter", .lowercaseLetter), ("lt", "titlecaseletter", .titlecaseLetter),
            ("lm", "modifierletter", .modifierLetter), ("lo", "otherletter", .otherLetter), ("mn", "nonspacingmark", .nonspacingMark),
            ("mc", "spacingmark", .spacingMark), ("me", "enclosingmark", .enclosingMark), ("nd", "decimalnumber", .decimalNumber),
            ("nl", "letternumber", .letterNumber), ("no", "othernumber", .otherNumber), ("pc", "connectorpunctuation", .connectorPunctuation),
            ("pd", "dashpunctuation", .dashPunctuation), ("ps", "openpunctuation", .openPunctuation), ("pe", "closepunctuation", .closePunctuation),
            ("pi", "initialpunctuation", .initialPunctuation), ("pf", "finalpunctuation", .finalPunctuation),
            ("po", "otherpunctuation", .otherPunctuation), ("sm", "mathsymbol", .mathSymbol), ("sc", "currencysymbol", .currencySymbol),
            ("sk", "modifiersymbol", .modifierSymbol), ("so", "othersymbol", .otherSymbol), ("zs", "spaceseparator", .spaceSeparator),
            ("zl", "lineseparator", .lineSeparator), ("zp", "paragraphseparator", .paragraphSeparator), ("cc", "control", .control),
            ("cf", "format", .format), ("cs", "surrogate", .surrogate), ("co", "privateuse", .privateUse), ("cn", "unassigned", .unassigned),
        ]
        let groups = ["l": "letter", "m": "mark", "n": "number", "p": "punctuation", "s": "symbol", "z": "separator", "c": "other"]
        var all: [String: [Unicode.GeneralCategory]] = [:]
        for (short, long, category) in single {
            all[short] = [category]
            all[long] = [category]
            let first = String(short.prefix(1))
            all[first, default: []].append(category)
            all[groups[first] ?? first, default: []].append(category)
        }
        return all
    }()
}
