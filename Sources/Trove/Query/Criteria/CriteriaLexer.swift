/// The smallest part of criteria text that means something.
struct CriteriaToken {
    enum Kind: Equatable {
        /// A keyword, or a name as it is.
        case word(String)
        /// A name in double quotes.
        case quotedName(String)
        /// A text in single quotes.
        case string(String)
        /// A number without its sign, and without underscores.
        case number(String)
        case symbol(String)
        case end
        /// What no token begins with, and what to write in its place.
        case invalid(expected: String)
    }

    let kind: Kind
    /// Where it begins, in Unicode scalars.
    let position: Int

    /// Whether it is this keyword, in any case.
    func isWord(_ keyword: String) -> Bool {
        if case .word(let word) = kind { word.lowercased() == keyword } else { false }
    }

    func isSymbol(_ symbol: String) -> Bool { kind == .symbol(symbol) }

    /// Whether a value that has its type written before it may begin here: `date '2020-01-31'`, `float -1.5`.
    var beginsTypedValue: Bool {
        switch kind {
        case .string, .number, .symbol("-"): true
        default: false
        }
    }
}

/// Takes criteria text apart into tokens.
struct CriteriaLexer {
    /// Symbols, the longer before those they begin with.
    private static let symbols: [[Unicode.Scalar]] = ["==", "!=", "<>", "<=", ">=", "=", "<", ">", "(", ")", "[", "]", "{", "}", ",", ".", ":", "?", "-"].map {
        Array($0.unicodeScalars)
    }

    private let text: [Unicode.Scalar]
    private var position = 0

    init(_ text: String) {
        self.text = Array(text.unicodeScalars)
    }

    /// All tokens; the last is the end, or the first that is none.
    mutating func tokens() -> [CriteriaToken] {
        var tokens: [CriteriaToken] = []
        while true {
            while let scalar = current, scalar.properties.isWhitespace { position += 1 }
            let start = position
            let kind = beginsStep(tokens) ? .word(take { Self.isWordPart($0) }) : next()
            tokens.append(CriteriaToken(kind: kind, position: start))
            switch kind {
            case .end, .invalid: return tokens
            default: continue
            }
        }
    }

    /// Whether a step of a path begins here that would be a number elsewhere: `lines.0`. Two dots are no step's.
    private func beginsStep(_ tokens: [CriteriaToken]) -> Bool {
        guard let scalar = current, Self.isDigit(scalar), tokens.last?.isSymbol(".") == true else { return false }
        return tokens.dropLast().last?.isSymbol(".") == false
    }

    private var current: Unicode.Scalar? { position < text.count ? text[position] : nil }

    private mutating func next() -> CriteriaToken.Kind {
        guard let scalar = current else { return .end }
        if scalar == "'" { return quoted(scalar).map { .string($0) } ?? .invalid(expected: "a ' that ends the text; inside a text write '' for '") }
        if scalar == "\"" { return quoted(scalar).map { .quotedName($0) } ?? .invalid(expected: "a \" that ends the name; inside a name write \"\" for \"") }
        if Self.isDigit(scalar) { return number() }
        if Self.isWordPart(scalar) { return .word(take { Self.isWordPart($0) }) }
        if let symbol = Self.symbols.first(where: { text[position...].starts(with: $0) }) {
            position += symbol.count
            return .symbol(Self.string(symbol))
        }
        if scalar == "%", position + 1 < text.count, text[position + 1] == "@" { return .invalid(expected: "a ?, which stands for the next argument") }
        return .invalid(expected: Self.advice(scalar))
    }

    /// What stands between quotes, of which two mean one; nil when the last is missing.
    private mutating func quoted(_ quote: Unicode.Scalar) -> String? {
        var content: [Unicode.Scalar] = []
        position += 1
        while let scalar = current {
            position += 1
            guard scalar == quote else {
                content.append(scalar)
                continue
            }
            guard current == quote else { return Self.string(content) }
            content.append(quote)
            position += 1
        }
        return nil
    }

    private mutating func number() -> CriteriaToken.Kind {
        var digits = takeDigits()
        if current == ".", position + 1 < text.count, Self.isDigit(text[position + 1]) {
            position += 1
            digits += "." + takeDigits()
        }
        if current == "e" || current == "E" {
            position += 1
            digits += "e"
            if let sign = current, sign == "+" || sign == "-" {
                position += 1
                digits += Self.string([sign])
            }
            guard let digit = current, Self.isDigit(digit) else { return .invalid(expected: "a number with digits after its 'e'") }
            digits += takeDigits()
        }
        if let scalar = current, Self.isWordPart(scalar) {
            let name = take { Self.isWordPart($0) }
            if name == "m" || name == "km" { return .invalid(expected: "a space between the number and its unit: \(digits) \(name)") }
            return .invalid(expected: "a number; a name that begins with a digit stands in double quotes")
        }
        return .number(digits)
    }

    /// Digits, without the underscores between them.
    private mutating func takeDigits() -> String {
        take { Self.isDigit($0) || $0 == "_" }.filter { $0 != "_" }
    }

    private mutating func take(while condition: (Unicode.Scalar) -> Bool) -> String {
        let start = position
        while let scalar = current, condition(scalar) { position += 1 }
        return Self.string(text[start..<position])
    }

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 48 && scalar.value <= 57 }

    /// Whether a name may have it outside of quotes: letters, marks, digits, the underscore and the dollar sign.
    static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "_" || scalar == "$" || isDigit(scalar) { return true }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark,
            .decimalNumber, .letterNumber:
            true
        default: false
        }
    }

    private static func advice(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "‘", "’", "“", "”", "`": "straight quotes: 'text', or \"name\" for a field"
        case "&": "'and'"
        case "|": "'or'"
        case "!": "'not' or !="
        case "%", "*": "a field, a value or an operator; there are no patterns: use begins with, ends with or contains"
        default: "a field, a value or an operator"
        }
    }

    static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}
