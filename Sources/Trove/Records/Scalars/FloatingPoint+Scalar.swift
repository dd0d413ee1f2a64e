/// All bits are kept: the sign of zero, the payload of a NaN.
extension Double: Storable {
    public static var fieldType: FieldType { .double }
    public static var _nestsExactly: Bool { true }

    @inlinable @inline(__always)
    public func encodeField(into record: inout RecordEncoder) throws { record.appendFixed(bitPattern.littleEndian) }

    @inlinable @inline(__always)
    public static func decodeField(from record: inout RecordDecoder) throws -> Double {
        Double(bitPattern: UInt64(littleEndian: try record.fixed()))
    }

    public func encodeNested(into bytes: inout ByteWriter) throws {
        bytes.append(tag: .double)
        bytes.append(bitPattern.littleEndian)
    }

    public static func decodeNested(from bytes: inout ByteReader) throws -> Double {
        let value = try StoredValue.decodeNested(from: &bytes)
        guard case .double(let double) = value else { throw value.mismatch(Self.self) }
        return double
    }

    public init(_stored value: StoredValue) throws {
        if case .double(let double) = value { self = double } else { try self.init(convertingStored: value) }
    }
}

/// IEEE 754 numbers sort as unsigned integers once negative ones are inverted and others get the sign bit.
extension FixedWidthInteger where Self: UnsignedInteger {
    /// What sorts as the numbers do that have these bits.
    @inlinable @inline(__always)
    var inOrderOfFloats: Self { self >> (Self.bitWidth - 1) == 1 ? ~self : self | 1 << (Self.bitWidth - 1) }

    /// The bits of the number that was given this place.
    @inlinable @inline(__always)
    init(inOrderOfFloats place: Self) { self = place >> (Self.bitWidth - 1) == 1 ? place & ~(1 << (Self.bitWidth - 1)) : ~place }
}

/// Sorted as numbers:
/// -0.0 is stored as 0.0, which it equals; every NaN as the one that comes last.
extension Double: StorableKey {
    @inlinable
    public func encode(into key: inout KeyEncoder) {
        guard !isNaN else { return key.append(bigEndian: UInt64.max) }
        key.append(bigEndian: (self == 0 ? 0 : bitPattern).inOrderOfFloats)
    }

    @inlinable
    public init(from key: inout KeyDecoder) throws {
        let bits = try key.bigEndian(UInt64.self)
        self = bits == .max ? .nan : Double(bitPattern: UInt64(inOrderOfFloats: bits))
    }
}

extension Double: Scalar {
    static var fixedSize: Int? { 8 }
    static var valueClass: ValueClass { .number }
    static var partForm: PartForm { .fixed(8) }
    static var partTellsValue: Bool { false }
    var storedValue: StoredValue { .double(self) }

    init?(lossless value: StoredValue) {
        switch value {
        case .double(let value): self = value
        case .float(let value): self = Double(value)
        case .int(let value): self.init(exactly: value)
        case .uint(let value): self.init(exactly: value)
        case .int128(let value): self.init(exactly: value)
        case .uint128(let value): self.init(exactly: value)
        default: return nil
        }
    }

    static func fieldValue(at place: UnsafeRawPointer) -> FieldValue {
        .double(Double(bitPattern: UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))))
    }

    static func fieldValue(from key: inout KeyDecoder) throws -> FieldValue { .double(try Double(from: &key)) }

    static var literalWord: String? { "double" }
    static var literalForm: String { specialForm }
    init?(literalText text: String) {
        if let special = Double(special: text) { self = special } else { self.init(literalDigits: text) }
    }

    init?(literalDigits digits: String) {
        self.init(digits)
        guard isFinite else { return nil }
    }

    func literal(_ cut: (String) -> String) -> String { isFinite ? "\(self)" : "double " + literalNumber("\(self)") }
}

extension Double {
    /// How ``init(special:)`` and finite numbers are written, for messages.
    static var specialForm: String { "a finite number, 'inf', '-inf' or 'nan'" }

    /// What has no digits.
    init?(special text: String) {
        switch text {
        case "nan": self = .nan
        case "inf": self = .infinity
        case "-inf": self = -.infinity
        default: return nil
        }
    }

    /// The number that other programs print as an integer's digits, as JavaScript does below 1e21: the fewest digits that tell it, and zeros. nil where they
    /// tell no number exactly, and none is printed so.
    init?(printedAs digits: String) {
        guard let number = Double(digits) else { return nil }
        // From here on Swift prints an exponent.
        let parts = number.magnitude.description.split(separator: "e")
        guard parts.count == 2, let exponent = Int(parts[1]) else { return nil }
        let significant = parts[0].filter { $0 != "." }
        let magnitude = digits.drop { $0 == "-" }
        guard magnitude.count == exponent + 1, magnitude.hasPrefix(significant), magnitude.dropFirst(significant.count).allSatisfy({ $0 == "0" }) else {
            return nil
        }
        self = number
    }

    /// The digits of a finite number, or what ``init(special:)`` reads, in quotes.
    func literalNumber(_ digits: String) -> String {
        if isNaN { return "'nan'" }
        if isInfinite { return self < 0 ? "'-inf'" : "'inf'" }
        return digits
    }
}

/// All bits are kept: the sign of zero, the payload of a NaN.
extension Float: Storable {
    public static var fieldType: FieldType { .float }
    public static var _nestsExactly: Bool { true }

    @inlinable @inline(__always)
    public func encodeField(into record: inout RecordEncoder) throws { record.appendFixed(bitPattern.littleEndian) }

    @inlinable @inline(__always)
    public static func decodeField(from record: inout RecordDecoder) throws -> Float {
        Float(bitPattern: UInt32(littleEndian: try record.fixed()))
    }

    public func encodeNested(into bytes: inout ByteWriter) throws {
        bytes.append(tag: .float)
        bytes.append(bitPattern.littleEndian)
    }

    public static func decodeNested(from bytes: inout ByteReader) throws -> Float {
        let value = try StoredValue.decodeNested(from: &bytes)
        guard case .float(let float) = value else { throw value.mismatch(Self.self) }
        return float
    }

    public init(_stored value: StoredValue) throws {
        if case .float(let float) = value { self = float } else { try self.init(convertingStored: value) }
    }
}

/// As `Double`, in 32 bits.
extension Float: StorableKey {
    @inlinable
    public func encode(into key: inout KeyEncoder) {
        guard !isNaN else { return key.append(bigEndian: UInt32.max) }
        key.append(bigEndian: (self == 0 ? 0 : bitPattern).inOrderOfFloats)
    }

    @inlinable
    public init(from key: inout KeyDecoder) throws {
        let bits = try key.bigEndian(UInt32.self)
        self = bits == .max ? .nan : Float(bitPattern: UInt32(inOrderOfFloats: bits))
    }
}

extension Float: Scalar {
    static var fixedSize: Int? { 4 }
    static var valueClass: ValueClass { .number }
    static var partForm: PartForm { Double.partForm }
    static var partTellsValue: Bool { false }
    static var partIsKey: Bool { false }
    var storedValue: StoredValue { .float(self) }

    init?(lossless value: StoredValue) {
        switch value {
        case .float(let value): self = value
        case .double(let value):
            // The same number, or the one with the same digits: 0.1 means that, and not the double next to it, which no Float is.
            let float = Float(value)
            guard Double(float).bitPattern == value.bitPattern || value.isFinite && Double(float.description) == value else { return nil }
            self = float
        case .int(let value): self.init(exactly: value)
        case .uint(let value): self.init(exactly: value)
        case .int128(let value): self.init(exactly: value)
        case .uint128(let value): self.init(exactly: value)
        default: return nil
        }
    }

    init(fromPart part: inout KeyDecoder) throws { self.init(try Double(from: &part)) }

    static func fieldValue(at place: UnsafeRawPointer) -> FieldValue {
        .float(Float(bitPattern: UInt32(littleEndian: place.loadUnaligned(as: UInt32.self))))
    }

    static func fieldValue(from key: inout KeyDecoder) throws -> FieldValue { .float(try Float(from: &key)) }

    static var literalWord: String? { "float" }
    static var literalForm: String { Double.specialForm }

    init?(literalText text: String) {
        if let special = Double(special: text) { self.init(special) } else { self.init(literalDigits: text) }
    }

    init?(literalDigits digits: String) {
        self.init(digits)
        guard isFinite else { return nil }
    }

    func literal(_ cut: (String) -> String) -> String { "float " + Double(self).literalNumber("\(self)") }
}
