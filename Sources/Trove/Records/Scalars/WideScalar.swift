/// A scalar type whose values are sixteen bytes, everywhere alike and in the order of the values.
///
/// Records, indexes, conditions and nested values treat all of them in one way, by their class.
protocol WideScalar: Scalar {
    init(high: UInt64, low: UInt64)

    /// The first and last eight bytes, most significant first.
    var words: (high: UInt64, low: UInt64) { get }
}

extension WideScalar {
    static var fixedSize: Int? { 16 }
    static var partForm: PartForm { .fixed(16) }

    static func fieldValue(at place: UnsafeRawPointer) throws -> FieldValue {
        .wide(
            valueClass, high: UInt64(bigEndian: place.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: place.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    static func fieldValue(from key: inout KeyDecoder) throws -> FieldValue {
        .wide(valueClass, high: try key.bigEndian(), low: try key.bigEndian())
    }

    static func storedValue(high: UInt64, low: UInt64) -> StoredValue { Self(high: high, low: low).storedValue }
}

extension RecordEncoder {
    /// Writes a value as the next field.
    mutating func append(wide value: some WideScalar) {
        let (high, low) = value.words
        appendFixed(high.bigEndian)
        appendFixed(low.bigEndian)
    }
}

extension RecordDecoder {
    /// The next field.
    mutating func wide<Value: WideScalar>(_ type: Value.Type = Value.self) throws -> Value {
        Value(high: UInt64(bigEndian: try fixed()), low: UInt64(bigEndian: try fixed()))
    }
}

extension ByteWriter {
    /// Appends a value, with the tag that such values share and its class.
    mutating func append<Value: WideScalar>(nestedWide value: Value) {
        let (high, low) = value.words
        append(tag: .wide)
        append(Value.valueClass.rawValue)
        append(high.bigEndian)
        append(low.bigEndian)
    }
}
