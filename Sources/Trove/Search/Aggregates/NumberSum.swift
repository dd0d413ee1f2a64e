import Foundation

/// A sum of numbers of all kinds, each kind added exactly.
struct NumberSum {
    private var integers: Int128 = 0
    private var numbers = ExactSum()
    private var decimals = Decimal()
    private var hasNumbers = false
    private var hasDecimals = false
    private(set) var count = 0

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
