// Stored in sixteen bytes, little-endian, as other integers are in their own width.

extension Int128: Storable, StorableKey, IntegerScalar {
    typealias Part = Int128
    public static var fieldType: FieldType { .int128 }
}

extension UInt128: Storable, StorableKey, IntegerScalar {
    typealias Part = UInt128
    public static var fieldType: FieldType { .uint128 }
}

// Beyond 64 bits an integer is a sign and a magnitude, as in a decimal: so it is compared, and so nested values have it.

extension PackedDecimal {
    /// An integer of up to 128 bits.
    init(integer value: some FixedWidthInteger) {
        self.init(kind: value < 0 ? 1 : 0, exponent: 0, mantissa: UInt128(value.magnitude))
    }

    /// The integer, in the narrowest form that holds it; nil when it has more than 128 bits.
    var integer: StoredValue? {
        if kind == 1 { Int128(negating: mantissa).map { StoredValue(integer: $0) } } else { StoredValue(integer: mantissa) }
    }
}

extension ByteWriter {
    /// Appends an integer that 64 bits do not hold, with its tag.
    mutating func append(nestedLarge value: some FixedWidthInteger) {
        append(tag: .largeInteger)
        append(value < 0 ? 1 : 0 as UInt8)
        append(UInt128(value.magnitude).littleEndian)
    }
}

extension ByteReader {
    /// The next integer that ``ByteWriter/append(nestedLarge:)`` wrote, of which the tag has been read.
    mutating func largeInteger() throws -> FieldValue {
        let value = PackedDecimal(kind: try load(), exponent: 0, mantissa: try integer())
        let isNegative = value.kind == 1
        let isBeyond = isNegative ? value.mantissa > UInt128(Int64.min.magnitude) : value.mantissa > UInt128(UInt64.max)
        guard value.kind < 2, isBeyond, !isNegative || value.mantissa <= UInt128(Int128.min.magnitude) else {
            throw TroveError.corruptValue(reason: "bad bytes of a large integer")
        }
        return .largeInteger(value)
    }
}
