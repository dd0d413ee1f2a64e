extension ExactNumber {
    /// Whether the number is whole and a multiple of `factor`, which is at most 2 to the 127th; of 0 only 0 is one.
    func isMultiple(of factor: UInt128) -> Bool {
        switch self {
        case .int(let value): UInt128(value.magnitude).isMultiple(of: factor)
        case .uint(let value): UInt128(value).isMultiple(of: factor)
        case .double(let value): Self.isMultiple(value, factor)
        case .decimal(let value): Self.isMultiple(value, factor)
        }
    }

    private static func isMultiple(_ value: Double, _ factor: UInt128) -> Bool {
        guard value.isFinite, value == value.rounded() else { return false }
        if value.magnitude < 0x1p127 { return UInt128(value.magnitude).isMultiple(of: factor) }
        if factor == 0 { return false }
        // A mantissa times a power of two.
        var rest = UInt128(value.significandBitPattern | 1 << 52) % factor
        for _ in 0..<value.exponent - 52 { rest = sum(rest, rest, factor) }
        return rest == 0
    }

    private static func isMultiple(_ value: PackedDecimal, _ factor: UInt128) -> Bool {
        if value.kind == 2 { return false }
        if value.mantissa == 0 { return true }
        if factor == 0 { return false }
        var mantissa = value.mantissa
        for _ in 0..<max(0, -Int(value.exponent)) {
            let (quotient, digit) = mantissa.quotientAndRemainder(dividingBy: 10)
            guard digit == 0 else { return false }
            mantissa = quotient
        }
        var rest = mantissa % factor
        for _ in 0..<max(0, Int(value.exponent)) {
            let double = sum(rest, rest, factor)
            let fivefold = sum(sum(double, double, factor), rest, factor)
            rest = sum(fivefold, fivefold, factor)
        }
        return rest == 0
    }

    /// The rest of a sum; both are below the factor, so nothing overflows.
    private static func sum(_ left: UInt128, _ right: UInt128, _ factor: UInt128) -> UInt128 { (left + right) % factor }
}
