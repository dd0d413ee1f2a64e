import Foundation

/// What an index keeps for one combination of its parts' values: an entry of its keyspace of groups, or a change of one.
struct GroupEntry {
    /// How many objects there are; of an index on a collection, how many have the member.
    var count: Int
    var sums: [GroupSum]
    /// The parts' values in the nested encoding, one after the other.
    var values: [UInt8]

    /// - Throws: ``InexactSum``.
    mutating func add(_ other: GroupEntry) throws {
        count &+= other.count
        for position in sums.indices { try sums[position].add(other.sums[position]) }
    }

    func encode(_ fields: IndexFields) throws -> [UInt8] {
        var bytes = ByteWriter(capacity: 64)
        bytes.append(Int64(count).littleEndian)
        for (sum, field) in zip(sums, fields.sums) { try sum.encode(into: &bytes, isDecimal: field.isDecimal) }
        values.withUnsafeBytes { bytes.append($0) }
        return bytes.bytes()
    }

    init(count: Int, sums: [GroupSum], values: [UInt8]) {
        self.count = count
        self.sums = sums
        self.values = values
    }

    /// - Throws: ``TroveError/corruptValue(reason:)``.
    init(_ value: RawSpan, _ fields: IndexFields) throws {
        self = try value.withUnsafeBytes { buffer in
            var bytes = ByteReader(buffer)
            let count = Int(try bytes.integer(Int64.self))
            guard count >= 0 else { throw TroveError.corruptValue(reason: "a group of \(count) objects") }
            let sums = try fields.sums.map { try GroupSum(from: &bytes, isDecimal: $0.isDecimal) }
            return GroupEntry(count: count, sums: sums, values: try bytes.take(bytes.remaining) { [UInt8]($0) })
        }
    }

    /// The parts' values.
    func storedValues(_ count: Int) throws -> [StoredValue] {
        try values.withUnsafeBytes { buffer in
            var reader = ByteReader(buffer)
            return try (0..<count).map { _ in try StoredValue.decodeNested(from: &reader) }
        }
    }
}

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
