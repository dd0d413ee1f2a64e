import Foundation

/// The exact sum of one field over a group's objects, or a change of it.
struct GroupSum: Equatable {
    /// How many of the objects have a value that is not nil.
    var present = 0
    /// How many have a decimal that is not a number; they are not in `decimal`.
    var notNumbers = 0
    /// The sum of an integer field.
    var integer: Int128 = 0
    /// The sum of a decimal field.
    var decimal: Decimal = 0

    init() {}

    /// What one object contributes, `sign` being 1 or -1.
    init(_ value: StoredValue, sign: Int) {
        switch value {
        case .int(let value): (present, integer) = (sign, Int128(value) * Int128(sign))
        case .uint(let value): (present, integer) = (sign, Int128(value) * Int128(sign))
        case .decimal(let value) where value.isNaN: (present, notNumbers) = (sign, sign)
        case .decimal(let value): (present, decimal) = (sign, sign < 0 ? -value : value)
        default: break
        }
    }

    /// - Throws: ``InexactSum``.
    mutating func add(_ other: GroupSum) throws {
        // Only damaged bytes make these overflow, which verifying finds.
        present &+= other.present
        notNumbers &+= other.notNumbers
        integer &+= other.integer
        if other.decimal.isZero { return }
        var (left, right, sum) = (decimal, other.decimal, Decimal())
        guard NSDecimalAdd(&sum, &left, &right, .plain) == .noError else { throw InexactSum() }
        decimal = sum
    }
}

/// A sum of decimals that has more than their 38 digits.
struct InexactSum: Error {}

extension GroupSum {
    /// Appends the sum as a group's entry has it.
    func encode(into bytes: inout ByteWriter, isDecimal: Bool) throws {
        bytes.append(Int64(present).littleEndian)
        if isDecimal {
            bytes.append(Int64(notNumbers).littleEndian)
            let packed = PackedDecimal(decimal)
            bytes.append(packed.kind)
            bytes.append(packed.exponent)
            bytes.append(packed.mantissa.littleEndian)
        } else {
            bytes.append(integer.littleEndian)
        }
    }

    init(from bytes: inout ByteReader, isDecimal: Bool) throws {
        present = Int(try bytes.integer(Int64.self))
        if isDecimal {
            notNumbers = Int(try bytes.integer(Int64.self))
            let packed = PackedDecimal(kind: try bytes.load(), exponent: try bytes.load(), mantissa: try bytes.integer())
            guard let decimal = packed.decimal else { throw TroveError.corruptValue(reason: "bad bytes of a decimal") }
            self.decimal = decimal
        } else {
            integer = try bytes.integer()
        }
    }
}
