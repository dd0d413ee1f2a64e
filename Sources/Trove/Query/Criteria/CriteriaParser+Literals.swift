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
