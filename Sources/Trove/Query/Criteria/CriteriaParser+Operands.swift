extension CriteriaParser {
    /// A path, a value or a parameter.
    mutating func operand() throws(TroveError) -> Operand {
        if let value = try value() { return .value(value) }
        if token.isSymbol("?") || token.isSymbol(":") { return .value(try parameter()) }
        return .path(try measuredPath(expected: "a field, a value or a parameter"))
    }

    /// A path, or an aggregate of the members at one, as `count(tags)`.
    mutating func measuredPath(expected: String) throws(TroveError) -> FieldPath {
        guard case .word(let name) = token.kind, ahead().isSymbol("("), let aggregate = MemberAggregate(called: name) else {
            return try path(expected: expected)
        }
        advance()
        advance()
        let members =
            aggregate == .count
            ? "the field of a collection, whose elements are counted" : "the field of a collection, or a path through one, as in \(name)(songs.duration)"
        let path = try path(expected: members)
        try require(symbol: ")")
        return path.aggregated(aggregate)
    }

    mutating func parameter() throws(TroveError) -> StoredValue {
        let place = token
        let outcome: CriteriaArguments.Outcome
        if take(symbol: "?") {
            outcome = arguments.next()
        } else {
            try require(symbol: ":")
            guard case .word(let name) = token.kind else { throw error("the parameter's name after ':'") }
            advance()
            outcome = arguments.value(named: name)
        }
        switch outcome {
        case .value(let value): return value
        case .missing(let expected): throw error(expected, at: place)
        }
    }

    /// Names and positions, `lines[0]` or `lines.0`, with dots between them; the first as ``CriteriaParser/Root`` says.
    mutating func path(expected: String) throws(TroveError) -> FieldPath {
        var names: [String] = []
        let first = token
        switch token.kind {
        case .quotedName(let name) where !name.isEmpty || root == .element: names.append(name)
        case .word(let word) where !Self.reserved.contains(word.lowercased()): names.append(word)
        case .word(let word): throw error("\(expected); a field of this name is written \"\(word)\"")
        default: throw error(expected)
        }
        advance()
        while token.isSymbol(".") || token.isSymbol("[") {
            if take(symbol: "[") {
                names.append(try elementPosition(in: names))
                continue
            }
            advance()
            switch token.kind {
            case .quotedName(let name), .word(let name): names.append(name)
            default: throw error("a name after the dot, in double quotes when it has other characters than letters and digits")
            }
            advance()
        }
        guard root == .element else { return FieldPath(field: names[0], names: Array(names.dropFirst())) }
        // Names, exactly as written: a member may have an Element.
        if first.kind == .word("element") { return FieldPath(field: "", names: Array(names.dropFirst())) }
        if first.kind == .word("object"), names.count > 1 { return FieldPath(field: names[1], names: Array(names.dropFirst(2))) }
        return FieldPath(field: "", names: names)
    }

    /// The position of an element, up to its closing bracket.
    ///
    /// - Parameter names: those that lead to the list.
    private mutating func elementPosition(in names: [String]) throws(TroveError) -> String {
        guard case .number(let digits) = token.kind, digits.allSatisfy({ ("0"..."9").contains($0) }) else {
            let list = names.joined(separator: ".")
            throw error("the position of an element, as in \(list)[0]; a condition on any element is written any \(list) = …")
        }
        advance()
        try require(symbol: "]")
        // A name with zeros before its digits is no position.
        let number = digits.drop { $0 == "0" }
        return number.isEmpty ? "0" : String(number)
    }

    /// A value that is written out; nil when none begins here.
    mutating func value() throws(TroveError) -> StoredValue? {
        switch token.kind {
        case .string(let text):
            advance()
            return .string(text)
        case .number, .symbol("-"):
            return try number()
        case .symbol("["):
            if ["c", "d", "cd"].contains(where: { ahead().isWord($0) }), ahead(2).isSymbol("]") {
                throw error("a value; what a text ignores stands behind it, as in contains 'x' ignoring case and accents")
            }
            advance()
            return .array(try nested { parser throws(TroveError) in try parser.list(until: "]") })
        case .symbol("{"):
            return try object()
        case .word(let word):
            switch word.lowercased() {
            case "true", "false":
                advance()
                return .bool(word.lowercased() == "true")
            case "nil", "null":
                advance()
                return .null
            case "dictionary" where ahead().isSymbol("{"):
                advance()
                return try dictionary()
            case let type where ahead().beginsTypedValue && !Self.reserved.contains(type):
                return try typedValue(type)
            default: return nil
            }
        default: return nil
        }
    }

    /// Values with commas between them, up to a closing symbol.
    mutating func list(until end: String) throws(TroveError) -> [StoredValue] {
        var values: [StoredValue] = []
        if take(symbol: end) { return values }
        repeat { values.append(try constant()) } while take(symbol: ",")
        guard take(symbol: end) else { throw error("',' or '\(end)'") }
        return values
    }

    private mutating func constant() throws(TroveError) -> StoredValue {
        if token.isSymbol("?") || token.isSymbol(":") { return try parameter() }
        guard let value = try value() else { throw error("a value or a parameter") }
        return value
    }

    private mutating func object() throws(TroveError) -> StoredValue {
        var values: [String: StoredValue] = [:]
        try pairs { key, value, place, parser throws(TroveError) in
            guard case .string(let name) = key else { throw parser.error("a key in single quotes", at: place) }
            values[name] = value
        }
        return .object(values)
    }

    private mutating func dictionary() throws(TroveError) -> StoredValue {
        var values: [StoredValue: StoredValue] = [:]
        try pairs { key, value, _, _ throws(TroveError) in values[key] = value }
        return .dictionary(values)
    }

    /// `{key: value, …}`
    private mutating func pairs(
        _ body: (StoredValue, StoredValue, CriteriaToken, CriteriaParser) throws(TroveError) -> Void
    ) throws(TroveError) {
        try require(symbol: "{")
        if take(symbol: "}") { return }
        repeat {
            let place = token
            let (key, value) = try nested { parser throws(TroveError) in
                let key = try parser.constant()
                try parser.require(symbol: ":")
                return (key, try parser.constant())
            }
            try body(key, value, place, self)
        } while take(symbol: ",")
        guard take(symbol: "}") else { throw error("',' or '}'") }
    }
}

extension CriteriaParser {
    /// An integer, or, with a point or exponent, a `Double`.
    mutating func number() throws(TroveError) -> StoredValue {
        let (digits, place) = try signedDigits()
        if digits.contains(where: { $0 == "." || $0 == "e" }) {
            guard let value = Double(digits), value.isFinite else { throw error("a number that a Double can hold", at: place) }
            return .double(value)
        }
        if let value = Int128(digits) { return StoredValue(integer: value) }
        guard let value = UInt128(digits) else {
            throw error("an integer from \(Int128.min) to \(UInt128.max), or a number with a point or as in decimal 1.5", at: place)
        }
        return .uint128(value)
    }

    private mutating func signedDigits() throws(TroveError) -> (digits: String, place: CriteriaToken) {
        let place = token
        let sign = take(symbol: "-") ? "-" : ""
        guard case .number(let digits) = token.kind else { throw error("a number after '-'") }
        advance()
        return (sign + digits, place)
    }

    /// A value with its type before it: `date '2020-01-31'`.
    mutating func typedValue(_ type: String) throws(TroveError) -> StoredValue? {
        let place = ahead()
        guard let scalar = ScalarTypes.all.first(where: { $0.literalWord == type }) else {
            let types = ScalarTypes.all.compactMap { $0.literalWord }.joined(separator: ", ")
            throw error("an operator after '\(type)', or one of the types \(types) before the value", at: place)
        }
        advance()
        let value: StoredValue?
        if case .string(let text) = token.kind {
            advance()
            value = scalar.literalValue(text: text)
        } else {
            value = scalar.literalValue(digits: try signedDigits().digits)
        }
        guard let value else { throw error(scalar.literalForm, at: place) }
        return value
    }
}
