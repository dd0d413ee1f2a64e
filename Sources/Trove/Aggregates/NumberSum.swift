import Foundation

/// A sum of floating-point numbers that is rounded once, so that it does not depend on the order they are added in.
///
/// The partial sums do not overlap and add up to the exact sum: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
/// Geometric Predicates", 1997, in the form Python's `math.fsum` has. Infinities and NaN are kept apart.
struct ExactSum {
    /// Non-overlapping, the least magnitude first.
    private var partials: [Double] = []
    /// Partial sums of the numbers that could overflow, scaled down.
    private var hugePartials: [Double] = []
    private var nonFinite = 0.0
    private var hasNonFinite = false

    /// Numbers from here on are scaled by ``scale``, which loses no bit of them.
    private static let hugeLimit = 0x1p960
    private static let scale = 0x1p-200

    mutating func add(_ value: Double) {
        if !value.isFinite {
            nonFinite += value
            hasNonFinite = true
        } else if abs(value) >= Self.hugeLimit {
            Self.add(value * Self.scale, to: &hugePartials)
        } else {
            Self.add(value, to: &partials)
        }
    }

    /// The sum, correctly rounded; infinite when it is beyond the greatest number.
    var value: Double {
        if hasNonFinite { return nonFinite }
        var all = partials
        for partial in hugePartials { Self.add(partial / Self.scale, to: &all) }
        // Nothing below can bring a sum that is out of range back into it: partial sums do not overlap.
        if all.contains(where: { !$0.isFinite }) { return (hugePartials.last ?? 0) < 0 ? -.infinity : .infinity }
        return Self.rounded(all)
    }

    private static func add(_ value: Double, to partials: inout [Double]) {
        var carried = value
        var count = 0
        for index in partials.indices {
            let (large, small) = abs(carried) < abs(partials[index]) ? (partials[index], carried) : (carried, partials[index])
            let sum = large + small
            let error = small - (sum - large)
            if error != 0 {
                partials[count] = error
                count += 1
            }
            carried = sum
        }
        partials.removeSubrange(count...)
        partials.append(carried)
    }

    private static func rounded(_ partials: [Double]) -> Double {
        var rest = partials
        guard var sum = rest.popLast() else { return 0 }
        while let next = rest.popLast() {
            let before = sum
            sum = before + next
            let error = next - (sum - before)
            guard error != 0 else { continue }
            // A tie was rounded to even; what is left below decides it.
            if let below = rest.last, (error < 0) == (below < 0) {
                let doubled = error * 2
                let moved = sum + doubled
                if doubled == moved - sum { sum = moved }
            }
            break
        }
        return sum
    }
}

/// A sum of numbers of all kinds, each kind added exactly.
struct NumberSum {
    private var integers: Int128 = 0
    private var numbers = ExactSum()
    private var decimals = Decimal()
    private var hasNumbers = false
    private var hasDecimals = false
    private(set) var count = 0

    /// Adds an integer.
    mutating func add(_ integer: Int64) {
        integers += Int128(integer)
        count += 1
    }

    /// Adds a number; nil adds nothing. Returns false when the value is no number, or the decimals get too long.
    mutating func add(_ value: StoredValue) -> Bool {
        switch value {
        case .null: return true
        case .int(let integer): integers += Int128(integer)
        case .uint(let integer): integers += Int128(integer)
        case .float(let number):
            numbers.add(Double(number))
            hasNumbers = true
        case .double(let number):
            numbers.add(number)
            hasNumbers = true
        case .decimal(let decimal):
            var (sum, term) = (Decimal(), decimal)
            guard NSDecimalAdd(&sum, &decimals, &term, .plain) == .noError else { return false }
            decimals = sum
            hasDecimals = true
        default: return false
        }
        count += 1
        return true
    }

    /// The sum as a value of the property's kind; nil when integers do not fit 64 bits.
    func total(ofType type: FieldType?) -> StoredValue? {
        switch type?.unwrapped {
        case .float, .double: return .double(numbers.value)
        case .decimal: return .decimal(decimals)
        default: break
        }
        if hasNumbers || hasDecimals { return .double(approximate) }
        return Int64(exactly: integers).map { .int($0) } ?? UInt64(exactly: integers).map { .uint($0) }
    }

    /// nil of no numbers.
    var average: Double? { count == 0 ? nil : approximate / Double(count) }

    private var approximate: Double {
        var sum = Double(integers)
        if hasNumbers { sum += numbers.value }
        if hasDecimals { sum += NSDecimalNumber(decimal: decimals).doubleValue }
        return sum
    }
}
