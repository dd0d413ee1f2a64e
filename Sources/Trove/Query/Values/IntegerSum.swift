/// A sum of integers of up to 128 bits: of 192 bits itself, which more of them than memory holds do not fill, so that only the end counts.
struct IntegerSum: Equatable {
    private var high: Int64 = 0
    private var low: UInt128 = 0

    mutating func add(_ value: Int128) {
        let (sum, carries) = low.addingReportingOverflow(UInt128(truncatingIfNeeded: value))
        low = sum
        high &+= (value < 0 ? -1 : 0) + (carries ? 1 : 0)
    }

    mutating func add(_ value: UInt128) {
        let (sum, carries) = low.addingReportingOverflow(value)
        low = sum
        if carries { high &+= 1 }
    }

    mutating func subtract(_ value: UInt128) {
        let (difference, borrows) = low.subtractingReportingOverflow(value)
        low = difference
        if borrows { high &-= 1 }
    }

    mutating func add(_ other: IntegerSum) {
        add(other.low)
        high &+= other.high
    }

    /// The sum; nil when no integer of 128 bits is it.
    var total: StoredValue? {
        switch high {
        case 0: StoredValue(integer: low)
        case -1 where low >> 127 == 1: StoredValue(integer: Int128(truncatingIfNeeded: low))
        default: nil
        }
    }

    /// The sum, when doubles hold all integers of its size; nil of a larger one.
    var double: Double? {
        switch high {
        case 0 where low <= 1 << 53: Double(low)
        case -1 where 0 &- low <= 1 << 53 && low != 0: -Double(0 &- low)
        default: nil
        }
    }

    /// Adds the sum's digits to columns of digits, the least first, from that of its ones on.
    func add(to columns: inout [Int], from ones: Int) {
        for (place, digit) in String(low).utf8.reversed().enumerated() { columns[ones + place] += Int(digit) - 48 }
        if high == 0 { return }
        for (place, digit) in Self.weightOfHigh.enumerated() { columns[ones + place] += digit * Int(high) }
    }

    /// The digits of 2 to the 128th, the least first.
    private static let weightOfHigh = "340282366920938463463374607431768211456".utf8.reversed().map { Int($0) - 48 }
}
