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

    mutating func add(_ other: ExactSum) {
        for partial in other.partials { Self.add(partial, to: &partials) }
        for partial in other.hugePartials { Self.add(partial, to: &hugePartials) }
        if other.hasNonFinite {
            nonFinite += other.nonFinite
            hasNonFinite = true
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

    /// The sum as the nearest `Double`, but for the last bit of one beyond 128 bits.
    var approximate: Double {
        switch high {
        case 0: Double(low)
        case -1 where low != 0: -Double(0 &- low)
        default: Double(high) * 0x1p128 + Double(low)
        }
    }
}

/// A sum of numbers of all kinds, each kind added exactly.
struct NumberSum {
    private var integers = IntegerSum()
    private var numbers = ExactSum()
    private var decimals = Decimal()
    private var hasNumbers = false
    private var hasDecimals = false
    private(set) var count = 0

    /// Adds an integer.
    mutating func add(_ integer: Int64) {
        integers.add(Int128(integer))
        count += 1
    }

    /// Adds a number; nil adds nothing. Returns false when the value is no number, or the decimals get too long.
    mutating func add(_ value: StoredValue) -> Bool {
        switch value {
        case .null: return true
        case .int(let integer): integers.add(Int128(integer))
        case .uint(let integer): integers.add(Int128(integer))
        case .int128(let integer): integers.add(integer)
        case .uint128(let integer): integers.add(integer)
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

    /// Adds what another sum was given. Returns false when there are decimals among it: whether they get too long depends on their order.
    mutating func add(_ other: NumberSum) -> Bool {
        if hasDecimals || other.hasDecimals { return false }
        integers.add(other.integers)
        numbers.add(other.numbers)
        hasNumbers = hasNumbers || other.hasNumbers
        count += other.count
        return true
    }

    /// The sum as a value of the property's kind; nil when integers do not fit 128 bits.
    func total(ofType type: FieldType?) -> StoredValue? {
        switch type?.unwrapped {
        case .float, .double: return .double(numbers.value)
        case .decimal: return .decimal(decimals)
        default: break
        }
        if hasNumbers || hasDecimals { return .double(approximate) }
        return integers.total
    }

    /// nil of no numbers.
    var average: Double? { count == 0 ? nil : approximate / Double(count) }

    private var approximate: Double {
        var sum = integers.approximate
        if hasNumbers { sum += numbers.value }
        if hasDecimals { sum += NSDecimalNumber(decimal: decimals).doubleValue }
        return sum
    }
}

/// A number type that can be summed, with the type of the sum.
///
/// Integers up to 32 bits and `Int64` add up to an `Int`; `UInt`, `UInt64`, `Int128` and `UInt128` to their own type; `Float` and `Double` to a
/// `Double`; `Decimal` to a `Decimal`.
public protocol Summable: Storable {
    /// The type of the sum.
    associatedtype Sum: Storable
}

extension Int: Summable { public typealias Sum = Int }
extension Int8: Summable { public typealias Sum = Int }
extension Int16: Summable { public typealias Sum = Int }
extension Int32: Summable { public typealias Sum = Int }
extension Int64: Summable { public typealias Sum = Int }
extension Int128: Summable { public typealias Sum = Int128 }
extension UInt: Summable { public typealias Sum = UInt }
extension UInt8: Summable { public typealias Sum = Int }
extension UInt16: Summable { public typealias Sum = Int }
extension UInt32: Summable { public typealias Sum = Int }
extension UInt64: Summable { public typealias Sum = UInt64 }
extension UInt128: Summable { public typealias Sum = UInt128 }
extension Float: Summable { public typealias Sum = Double }
extension Double: Summable { public typealias Sum = Double }
extension Decimal: Summable { public typealias Sum = Decimal }
