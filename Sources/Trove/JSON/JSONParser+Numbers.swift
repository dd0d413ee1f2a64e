/// A number as JSON has it: an integer when it has neither a point nor an exponent.
enum JSONNumber {
    case integer(isNegative: Bool, magnitude: UInt128)
    case double(Double)

    /// Appends the number in the nested encoding.
    @inline(__always)
    func append(to output: inout ByteWriter) {
        switch self {
        case .double(let value):
            output.append(tag: .double)
            output.append(value.bitPattern.littleEndian)
        case .integer(let isNegative, let magnitude):
            if let small = Int64(exactly: magnitude) { return output.append(nested: isNegative ? -small : small) }
            if isNegative, magnitude == UInt128(Int64.min.magnitude) { return output.append(nested: Int64.min) }
            if !isNegative, let word = UInt64(exactly: magnitude) { return output.append(nested: word) }
            output.append(tag: .largeInteger)
            output.append(isNegative ? 1 : 0 as UInt8)
            output.append(magnitude.littleEndian)
        }
    }

    /// The number as a Double, when nothing is lost by it.
    var exactDouble: Double? {
        switch self {
        case .double(let value): value
        case .integer(let isNegative, let magnitude): Double(exactly: magnitude).map { isNegative ? -$0 : $0 }
        }
    }
}

/// What a number is written as.
struct JSONNumberForm {
    let isNegative: Bool
    /// Whether it has neither a point nor an exponent.
    let isInteger: Bool
    /// All digits as one number; wrong when there are more than 19.
    let mantissa: UInt64
    let digitCount: Int
    /// The power of ten that the mantissa is multiplied by; of a huge one, another huge one.
    let exponent: Int
    /// The digits before the point.
    let digits: Range<Int>
    /// All of it.
    let place: Range<Int>
}

extension JSONParser {
    /// The next number.
    mutating func number() throws(JSONFault) -> JSONNumber {
        let form = try numberForm()
        let (mantissa, exponent) = (form.mantissa, form.exponent)
        if form.isInteger {
            return form.digitCount <= 19 ? .integer(isNegative: form.isNegative, magnitude: UInt128(mantissa)) : try largeInteger(form)
        }
        if form.digitCount <= 19, mantissa <= 1 << 53, exponent >= -22, exponent <= 22 {
            // Both are exact, so the result is rounded once.
            let value = exponent < 0 ? Double(mantissa) / Self.powers[-exponent] : Double(mantissa) * Self.powers[exponent]
            return .double(form.isNegative ? -value : value)
        }
        guard let value = Double(String(decoding: bytes[form.place], as: UTF8.self)), value.isFinite else {
            throw fault("the number is beyond what a Double holds; write it as {\"$decimal\": \"…\"}", at: form.place.lowerBound)
        }
        return .double(value)
    }

    /// Passes the next number.
    mutating func numberForm() throws(JSONFault) -> JSONNumberForm {
        let start = position
        let isNegative = take("-")
        let digitsStart = position
        var mantissa = digits(0)
        let digitsEnd = position
        guard digitsEnd > digitsStart else { throw fault("a digit was expected, not \(found)") }
        if digitsEnd - digitsStart > 1, bytes[digitsStart] == UInt8(ascii: "0") { throw fault("a number has no 0 before its other digits", at: digitsStart) }
        var digitCount = digitsEnd - digitsStart
        var exponent = 0
        var isInteger = true
        if take(".") {
            isInteger = false
            let fractionStart = position
            mantissa = digits(mantissa)
            guard position > fractionStart else { throw fault("a digit was expected after the point, not \(found)") }
            exponent = fractionStart - position
            digitCount += position - fractionStart
        }
        if take("e") || take("E") {
            isInteger = false
            let isBelow = take("-")
            if !isBelow { _ = take("+") }
            let exponentStart = position
            let power = digits(0)
            guard position > exponentStart else { throw fault("a digit was expected in the exponent, not \(found)") }
            let bounded = position - exponentStart > 9 ? 1_000_000_000 : Int(power)
            exponent += isBelow ? -bounded : bounded
        }
        return JSONNumberForm(
            isNegative: isNegative, isInteger: isInteger, mantissa: mantissa, digitCount: digitCount, exponent: exponent, digits: digitsStart..<digitsEnd,
            place: start..<position)
    }

    /// The number that a text is the whole of; nil when it is none.
    static func number(in text: UnsafeRawBufferPointer) -> JSONNumber? {
        var parser = JSONParser(part: text)
        do {
            let number = try parser.number()
            return parser.position == text.count ? number : nil
        } catch {
            return nil
        }
    }

    /// What the number that a text is the whole of is written as; nil when it is none.
    static func numberForm(of text: UnsafeRawBufferPointer) -> JSONNumberForm? {
        var parser = JSONParser(part: text)
        do {
            let form = try parser.numberForm()
            return parser.position == text.count ? form : nil
        } catch {
            return nil
        }
    }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    /// Passes digits and returns the number that they go on with; wrong beyond 19 digits.
    @inline(__always)
    private mutating func digits(_ start: UInt64) -> UInt64 {
        var value = start
        while position < bytes.count {
            let digit = bytes[position] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            value = value &* 10 &+ UInt64(digit)
            position &+= 1
        }
        return value
    }

    private func largeInteger(_ form: JSONNumberForm) throws(JSONFault) -> JSONNumber {
        guard let magnitude = UInt128(String(decoding: bytes[form.digits], as: UTF8.self)), !form.isNegative || magnitude <= Int128.min.magnitude else {
            throw fault(
                "the integer is beyond 128 bits; write it with an exponent to have it read as a Double, or as {\"$decimal\": \"…\"}", at: form.place.lowerBound)
        }
        return .integer(isNegative: form.isNegative, magnitude: magnitude)
    }
}
