import Foundation

/// What an index keeps for one combination of its parts' values: an entry of its keyspace of groups, or a change of one.
struct GroupEntry: Equatable {
    /// How many objects there are.
    var count: Int
    var sums: [GroupSum]
    /// The parts' values in the nested encoding, one after the other.
    var values: [UInt8]

    mutating func add(_ other: GroupEntry) {
        count &+= other.count
        for position in sums.indices { sums[position].add(other.sums[position]) }
    }

    /// - Throws: ``InexactSum``.
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
            guard sums.allSatisfy({ (0...count).contains($0.present) }) else {
                throw TroveError.corruptValue(reason: "a sum of other objects than a group has")
            }
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
    /// The sum of a decimal field. Only what is written has to fit a `Decimal`, so that the order of changes does not matter.
    var decimal = DecimalSum()

    init() {}

    /// What one object contributes, `sign` being 1 or -1.
    init(_ value: StoredValue, sign: Int) {
        switch value {
        case .int(let value): (present, integer) = (sign, Int128(value) * Int128(sign))
        case .uint(let value): (present, integer) = (sign, Int128(value) * Int128(sign))
        case .decimal(let value) where value.isNaN: (present, notNumbers) = (sign, sign)
        case .decimal(let value):
            present = sign
            var packed = PackedDecimal(value)
            if sign < 0 { packed.kind ^= 1 }
            decimal.add(packed)
        default: break
        }
    }

    mutating func add(_ other: GroupSum) {
        // Only damaged bytes make these overflow, which verifying finds.
        present &+= other.present
        notNumbers &+= other.notNumbers
        integer &+= other.integer
        decimal.add(other.decimal)
    }
}

/// A sum of decimals that no `Decimal` is.
struct InexactSum: Error {}

extension GroupSum {
    /// Appends the sum as a group's entry has it.
    ///
    /// - Throws: ``InexactSum``.
    func encode(into bytes: inout ByteWriter, isDecimal: Bool) throws {
        bytes.append(Int64(present).littleEndian)
        if isDecimal {
            bytes.append(Int64(notNumbers).littleEndian)
            guard let sum = decimal.total() else { throw InexactSum() }
            let packed = PackedDecimal(sum)
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
            guard packed.kind < 2 else { throw TroveError.corruptValue(reason: "bad bytes of a decimal") }
            decimal.add(packed)
        } else {
            integer = try bytes.integer()
        }
    }
}
