import Foundation

/// The bytes that a value has as a part of an index's or a sort's key: in the order of the values, nil first, NaN last among numbers.
///
/// A 0 stands for nil; a 1 and the value for others. Parts end by themselves, so that others can follow.
enum KeyPart {
    /// The byte that begins a value which is not nil.
    static let present: UInt8 = 1
    /// The part of nil.
    static let null: UInt8 = 0

    /// Appends the part of a value.
    ///
    /// - Parameter type: the static type of the field, without optional layers; nil when only the value tells it.
    /// - Throws: ``TroveError/invalidQuery(reason:)`` when a field of this type cannot have the value.
    static func append(
        _ value: StoredValue, type: FieldType?, ignoring: TextFolding, direction: SortDirection, to key: inout ByteWriter
    ) throws {
        let literal = try Literal(value)
        try append(literal.value, type: type, ignoring: ignoring, direction: direction, to: &key)
    }

    /// Appends the part of a value.
    static func append(
        _ value: FieldValue, type: FieldType?, ignoring: TextFolding, direction: SortDirection, to key: inout ByteWriter
    ) throws {
        let start = key.count
        if value.isNull {
            key.append(0 as UInt8)
        } else {
            key.append(present)
            if let type {
                try append(value, as: type.unwrapped, ignoring: ignoring, to: &key)
            } else {
                append(dynamic: value, ignoring: ignoring, to: &key)
            }
        }
        if direction == .descending { invert(&key, from: start) }
    }

    /// Exchanges ascending and descending for the bytes from `start` on.
    static func invert(_ key: inout ByteWriter, from start: Int) {
        let bytes = UnsafeMutableRawBufferPointer(start: key.base + start, count: key.count - start)
        for index in bytes.indices { bytes[index] = ~bytes[index] }
    }

    private static func append(_ value: FieldValue, as type: FieldType, ignoring: TextFolding, to key: inout ByteWriter) throws {
        switch (type, value) {
        case (.string, .text(let bytes)), (.url, .url(let bytes)): append(text: bytes, ignoring: ignoring, to: &key)
        case (.uint64, .int(let value)) where value >= 0: key.append(UInt64(value).bigEndian)
        case (.uint64, .uint(let value)): key.append(value.bigEndian)
        case (.int8, .int(let value)), (.int16, .int(let value)), (.int32, .int(let value)), (.int64, .int(let value)),
            (.uint8, .int(let value)), (.uint16, .int(let value)), (.uint32, .int(let value)):
            append(value, to: &key)
        case (.double, .double(let value)): append(value, to: &key)
        case (.float, .float(let value)): append(Double(value), to: &key)
        case (.date, .date(let seconds)): append(seconds, to: &key)
        case (.decimal, .decimal(let value)): append(decimal: .decimal(value), to: &key)
        case (.bool, .bool(let value)): key.append(value ? 1 : 0 as UInt8)
        case (.data, .data(let bytes)): append(escaping: bytes, to: &key)
        case (.uuid, .wide(.uuid, let high, let low)), (.objectID, .wide(.objectID, let high, let low)):
            key.append(high.bigEndian)
            key.append(low.bigEndian)
        case (_, .wide(let valueClass, let high, let low)):
            guard type.scalar?.valueClass == valueClass else { throw unfit(type) }
            key.append(high.bigEndian)
            key.append(low.bigEndian)
        default:
            guard let number = value.number, try appendConverted(number, as: type, to: &key) else { throw unfit(type) }
        }
    }

    /// Appends a number of another type than the field's; false when the field's cannot have it.
    private static func appendConverted(_ number: ExactNumber, as type: FieldType, to key: inout ByteWriter) throws -> Bool {
        switch type {
        case .double, .float:
            let floor = number.floorDouble
            guard floor.isNaN || ExactNumber.order(.double(floor), number) == .same else { return false }
            append(floor, to: &key)
        case .decimal:
            if case .double(let value) = number, value.isInfinite { return false }
            append(decimal: number, to: &key)
        default:
            guard let integer = type.scalar?.integer else { return false }
            return integer.appendPart(of: number, to: &key)
        }
        return true
    }

    private static func append(dynamic value: FieldValue, ignoring: TextFolding, to key: inout ByteWriter) {
        key.append(ValueClass(value).rawValue)
        switch value {
        case .bool(let value): key.append(value ? 1 : 0 as UInt8)
        case .date(let seconds): append(seconds, to: &key)
        case .text(let bytes), .url(let bytes): append(text: bytes, ignoring: ignoring, to: &key)
        case .data(let bytes): append(escaping: bytes, to: &key)
        case .wide(_, let high, let low):
            key.append(high.bigEndian)
            key.append(low.bigEndian)
        default:
            if let number = value.number { append(dynamic: number, to: &key) }
        }
    }

    /// A number of any type: the greatest double not above it, and its digits when that is not the number itself.
    private static func append(dynamic number: ExactNumber, to key: inout ByteWriter) {
        let floor = number.floorDouble
        append(floor, to: &key)
        let isExact = floor.isNaN || ExactNumber.order(.double(floor), number) == .same
        key.append(isExact ? 0 : 1 as UInt8)
        if !isExact { number.digits.appendKey(to: &key) }
    }

    /// Whether a part of a value that tells its own type is that of a list, or of what has values inside: of these it has no more than the class.
    static func isOfContainer(_ part: UnsafeRawPointer) -> Bool {
        part.load(as: UInt8.self) == present && part.load(fromByteOffset: 1, as: UInt8.self) == ValueClass.container.rawValue
    }

    private static func unfit(_ type: FieldType) -> TroveError {
        .invalidQuery(reason: "a field of type \(type.shownInErrors) cannot have such a value: it has no place in an order")
    }
}

extension IntegerScalar {
    /// Appends the part of a number; false when no field of this type can have it.
    fileprivate static func appendPart(of number: ExactNumber, to key: inout ByteWriter) -> Bool {
        guard let value = Part.range(of: .equal, number)?.lowerBound else { return false }
        KeyPart.append(integer: value, to: &key)
        return true
    }
}

extension KeyPart {
    /// As the integer's key.
    static func append<Value: FixedWidthInteger>(integer value: Value, to key: inout ByteWriter) where Value.Magnitude: BitwiseCopyable & FixedWidthInteger {
        let sign: Value.Magnitude = Value.isSigned ? 1 << (Value.bitWidth - 1) : 0
        key.append((Value.Magnitude(truncatingIfNeeded: value) ^ sign).bigEndian)
    }

    @inline(__always)
    static func append(_ value: Int64, to key: inout ByteWriter) {
        key.append((UInt64(bitPattern: value) ^ 1 << 63).bigEndian)
    }

    /// As `Double`'s key: -0.0 as 0.0, every NaN as all ones.
    @inline(__always)
    static func append(_ value: Double, to key: inout ByteWriter) {
        if value.isNaN { return key.append(UInt64.max) }
        let bits = value == 0 ? 0 : value.bitPattern
        key.append((bits >> 63 == 1 ? ~bits : bits | 1 << 63).bigEndian)
    }

    /// As `Decimal`'s key, for a number of any type that is not infinite.
    static func append(decimal number: ExactNumber, to key: inout ByteWriter) {
        if number.isNaN { return key.append(3 as UInt8) }
        number.digits.appendKey(to: &key)
    }

    /// A text, or its folding, as `String`'s key.
    static func append(text bytes: UnsafeRawBufferPointer, ignoring: TextFolding, to key: inout ByteWriter) {
        if ignoring.isEmpty {
            append(escaping: bytes, to: &key)
        } else {
            FoldedText.withFolding(of: bytes, ignoring) { append(escaping: $0, to: &key) }
        }
    }

    /// As `String`'s key: 0 as 1 1, 1 as 1 2, and a 0 at the end.
    static func append(escaping bytes: UnsafeRawBufferPointer, to key: inout ByteWriter) {
        appendOpen(escaping: bytes, to: &key)
        key.append(0 as UInt8)
    }

    /// As above without the end, for what begins with these bytes.
    static func appendOpen(escaping bytes: UnsafeRawBufferPointer, to key: inout ByteWriter) {
        guard bytes.contains(where: { $0 < 2 }) else { return key.append(bytes) }
        for byte in bytes {
            if byte < 2 {
                key.append(1 as UInt8)
                key.append(byte + 1)
            } else {
                key.append(byte)
            }
        }
    }
}

extension KeyPart {
    /// Calls `body` with the value that a whole part stands for, of a type whose parts tell the value.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the bytes are not those of such a value; what `body` throws.
    @inline(__always)
    static func withValue<Result>(
        of part: UnsafeRawBufferPointer, _ type: FieldType, isInverted: Bool, _ body: (FieldValue) throws -> Result
    ) throws -> Result {
        let mask: UInt8 = isInverted ? 0xFF : 0
        let first = part[0] ^ mask
        guard first == present else {
            guard first == 0 else { throw TroveError.corruptKey(reason: "a part begins with \(first)") }
            return try body(.null)
        }
        switch type {
        case .int64:
            let word = UInt64(bigEndian: part.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
            return try body(.int(Int64(bitPattern: (isInverted ? ~word : word) ^ 1 << 63)))
        case .string:
            let text = UnsafeRawBufferPointer(rebasing: part.dropFirst().dropLast())
            return try EscapedBytes.withPlain(of: text, isInverted: isInverted) { try body(.text($0)) }
        default:
            guard let scalar = type.scalar else { throw TroveError.corruptKey(reason: "a part of type \(type)") }
            return try withUnsafeTemporaryAllocation(byteCount: part.count, alignment: 1) { bytes in
                for (position, byte) in part.dropFirst().enumerated() { bytes[position] = byte ^ mask }
                var key = KeyDecoder(UnsafeRawBufferPointer(rebasing: bytes[..<(part.count - 1)]))
                let value = try scalar.fieldValue(ofPart: &key)
                try key.finish()
                return try body(value)
            }
        }
    }
}
