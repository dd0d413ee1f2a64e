import Foundation

/// A sum of numbers of all kinds, each kind added exactly.
struct NumberSum {
    private var integers = IntegerSum()
    private var numbers = ExactSum()
    /// nil while there are none.
    private var decimals: DecimalSum?
    private var hasNumbers = false
    private(set) var count = 0

    /// Adds an integer.
    mutating func add(_ integer: Int64) {
        integers.add(Int128(integer))
        count += 1
    }

    /// Adds a decimal.
    mutating func add(_ decimal: PackedDecimal) {
        if decimals == nil { decimals = DecimalSum() }
        decimals?.add(decimal)
        count += 1
    }

    /// Adds a number; nil adds nothing. Returns false when the value is no number.
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
            add(PackedDecimal(decimal))
            return true
        default: return false
        }
        count += 1
        return true
    }

    /// Adds what another sum was given.
    mutating func add(_ other: NumberSum) {
        integers.add(other.integers)
        numbers.add(other.numbers)
        if let added = other.decimals {
            if decimals == nil { decimals = added } else { decimals?.add(added) }
        }
        hasNumbers = hasNumbers || other.hasNumbers
        count += other.count
    }

    /// The sum as a value of the property's kind, or of that of the numbers; nil when integers do not fit 128 bits, or no `Decimal` is the sum of decimals.
    func total(ofType type: FieldType?) -> StoredValue? {
        switch type?.unwrapped {
        case .float, .double: return .double(numbers.value)
        case .decimal: return (decimals ?? DecimalSum()).total(with: integers).map { .decimal($0) }
        default: break
        }
        if hasNumbers { return .double(approximate.value) }
        if let decimals { return decimals.total(with: integers).map { .decimal($0) } }
        return integers.total
    }

    /// The average, nearest to the exact one where all numbers are integers or decimals; nil of no numbers.
    var average: Double? {
        if count == 0 { return nil }
        if hasNumbers { return approximate.divided(by: count) }
        if decimals == nil, let sum = integers.double { return sum / Double(count) }
        return (decimals ?? DecimalSum()).average(of: count, with: integers)
    }

    /// All numbers as floating-point numbers, what is exact of other kinds as the nearest one.
    private var approximate: ExactSum {
        var sum = numbers
        sum.add((decimals ?? DecimalSum()).average(of: 1, with: integers))
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
