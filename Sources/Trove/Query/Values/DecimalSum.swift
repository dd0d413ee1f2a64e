import Foundation

/// A sum of decimals that is exact, so that it does not depend on the order they are added in: only at the end a `Decimal` has to hold it.
///
/// Decimals with the same power of ten are added as integers. Amounts of money have two or three such powers.
struct DecimalSum {
    /// The sums of the mantissas, by their powers of ten.
    private var mantissas: [(exponent: Int8, sum: IntegerSum)] = []
    private var isNaN = false

    mutating func add(_ decimal: PackedDecimal) {
        if decimal.kind == 2 {
            isNaN = true
            return
        }
        let place = place(of: decimal.exponent)
        if decimal.kind == 1 { mantissas[place].sum.subtract(decimal.mantissa) } else { mantissas[place].sum.add(decimal.mantissa) }
    }

    mutating func add(_ other: DecimalSum) {
        for (exponent, sum) in other.mantissas { mantissas[place(of: exponent)].sum.add(sum) }
        isNaN = isNaN || other.isNaN
    }

    private mutating func place(of exponent: Int8) -> Int {
        if let place = mantissas.firstIndex(where: { $0.exponent == exponent }) { return place }
        mantissas.append((exponent, IntegerSum()))
        return mantissas.count - 1
    }

    /// The sum of the decimals and some integers; NaN when one of the decimals is; nil when no `Decimal` is it.
    func total(with integers: IntegerSum = IntegerSum()) -> Decimal? { isNaN ? .nan : digits(with: integers).decimal }

    /// The `Double` nearest to the sum of the decimals and some integers, divided by a number of values.
    func average(of count: Int, with integers: IntegerSum) -> Double { isNaN ? .nan : digits(with: integers).divided(by: count) }

    private func digits(with integers: IntegerSum) -> DecimalDigits {
        let terms = mantissas + [(0, integers)]
        let (least, greatest) = terms.reduce(into: (0, 0)) { range, term in range = (min(range.0, Int(term.exponent)), max(range.1, Int(term.exponent))) }
        // A sum of 192 bits has 58 digits.
        var columns = [Int](repeating: 0, count: greatest - least + 60)
        for (exponent, sum) in terms { sum.add(to: &columns, from: Int(exponent) - least) }
        return DecimalDigits(columns: columns, exponent: least)
    }
}

extension DecimalSum: Equatable {
    /// Sums are equal when they come to the same number, whatever was added.
    static func == (left: DecimalSum, right: DecimalSum) -> Bool {
        if left.isNaN != right.isNaN { return false }
        if left.mantissas.isEmpty && right.mantissas.isEmpty { return true }
        return left.digits(with: IntegerSum()).order(to: right.digits(with: IntegerSum())) == .same
    }
}

extension DecimalDigits {
    /// The sum of columns of digits, the least first, whose first one is that of 10 to the `exponent`.
    ///
    /// - Parameter columns: each has any number; the last one has room for what is carried.
    fileprivate init(columns: [Int], exponent: Int) {
        let (digits, carried) = Self.carrying(columns)
        if carried < 0 {
            self.init(isNegative: true, digits: Self.carrying(columns.map { -$0 }).digits.reversed(), exponent: exponent)
        } else {
            self.init(isNegative: false, digits: digits.reversed(), exponent: exponent)
        }
    }

    /// Makes each column a digit; below 0 is carried of a sum that is negative.
    private static func carrying(_ columns: [Int]) -> (digits: [UInt8], carried: Int) {
        var carried = 0
        let digits = columns.map { column in
            let sum = column + carried
            carried = sum >= 0 ? sum / 10 : (sum - 9) / 10
            return UInt8(sum - carried * 10)
        }
        return (digits, carried)
    }

    /// The number as a `Decimal`; nil when none is it.
    fileprivate var decimal: Decimal? {
        // A power above the greatest is kept in zeros of the mantissa.
        let exponent = digits.isEmpty ? 0 : min(power - digits.count, Int(Int8.max))
        var mantissa: UInt128 = 0
        for place in 0..<(power - exponent) {
            let (shifted, isTooLarge) = mantissa.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = shifted.addingReportingOverflow(UInt128(place < digits.count ? digits[place] : 0))
            guard !isTooLarge, !overflows else { return nil }
            mantissa = sum
        }
        return Decimal(isNegative: isNegative, exponent: exponent, mantissa: mantissa)
    }

    /// The `Double` nearest to the number divided by a number of values.
    fileprivate func divided(by count: Int) -> Double {
        if let quotient = quotientOfDoubles(count) { return quotient }
        // What lies in the middle of two doubles has at most 767 digits, so that with more of them, and one that tells whether there is a
        // rest, the text is on the right side of it.
        var quotient: [UInt8] = []
        var rest: UInt64 = 0
        var place = 0
        while place < digits.count || rest > 0 && quotient.count < 800 {
            // As many values as could overflow this fit no memory.
            rest = rest * 10 + UInt64(place < digits.count ? digits[place] : 0)
            let (digit, remainder) = rest.quotientAndRemainder(dividingBy: UInt64(count))
            if digit > 0 || !quotient.isEmpty { quotient.append(UInt8(digit) + 48) }
            rest = remainder
            place += 1
        }
        quotient.append(rest > 0 ? 49 : 48)
        let magnitude = Double("\(String(decoding: quotient, as: UTF8.self))e\(power - place - 1)") ?? .nan
        return isNegative ? -magnitude : magnitude
    }

    /// The quotient where it is one of integers that doubles hold, as it is of most prices: then one division rounds it once.
    private func quotientOfDoubles(_ count: Int) -> Double? {
        let decimals = max(0, digits.count - power)
        guard max(power, 0) + decimals <= 15 else { return nil }
        let numerator = (0..<(power + decimals)).reduce(UInt64(0)) { $0 * 10 + UInt64($1 < digits.count ? digits[$1] : 0) }
        let (denominator, overflows) = (0..<decimals).reduce(UInt64(1)) { power, _ in power * 10 }.multipliedReportingOverflow(by: UInt64(count))
        guard !overflows, denominator <= 1 << 53 else { return nil }
        return (isNegative ? -1 : 1) * (Double(numerator) / Double(denominator))
    }
}
