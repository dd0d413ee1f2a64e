extension Bool: StorableKey {
    @inlinable
    public func encode(into key: inout KeyEncoder) { key.append(self ? 1 : 0) }

    @inlinable
    public init(from key: inout KeyDecoder) throws {
        let byte = try key.byte()
        guard byte < 2 else { throw KeyFault.notABool(byte) }
        self = byte == 1
    }
}

extension StorableKey where Self: FixedWidthInteger & UnsignedInteger & BitwiseCopyable {
    @inlinable
    public func encode(into key: inout KeyEncoder) { key.append(bigEndian: self) }

    @inlinable
    public init(from key: inout KeyDecoder) throws { self = try key.bigEndian() }
}

/// Signed integers sort as unsigned ones once the sign bit is flipped.
extension StorableKey where Self: FixedWidthInteger & SignedInteger, Magnitude: FixedWidthInteger & UnsignedInteger & BitwiseCopyable {
    @inlinable
    public func encode(into key: inout KeyEncoder) {
        key.append(bigEndian: Magnitude(truncatingIfNeeded: self) ^ Self.signBit)
    }

    @inlinable
    public init(from key: inout KeyDecoder) throws {
        self = Self(truncatingIfNeeded: try key.bigEndian(Magnitude.self) ^ Self.signBit)
    }

    @inlinable
    static var signBit: Magnitude { Magnitude(1) << (bitWidth - 1) }
}

extension Int: StorableKey {}
extension Int8: StorableKey {}
extension Int16: StorableKey {}
extension Int32: StorableKey {}
extension Int64: StorableKey {}
extension UInt: StorableKey {}
extension UInt8: StorableKey {}
extension UInt16: StorableKey {}
extension UInt32: StorableKey {}
extension UInt64: StorableKey {}

/// IEEE 754 numbers sort as unsigned integers once negative ones are inverted and others get the sign bit.
/// -0.0 is stored as 0.0, which it equals; every NaN as the one that comes last.
extension Double: StorableKey {
    @inlinable
    public func encode(into key: inout KeyEncoder) {
        guard !isNaN else { return key.append(bigEndian: UInt64.max) }
        let bits = self == 0 ? 0 : bitPattern
        key.append(bigEndian: bits >> 63 == 1 ? ~bits : bits | 1 << 63)
    }

    @inlinable
    public init(from key: inout KeyDecoder) throws {
        let bits = try key.bigEndian(UInt64.self)
        self = bits == .max ? .nan : Double(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits)
    }
}

/// As `Double`, in 32 bits.
extension Float: StorableKey {
    @inlinable
    public func encode(into key: inout KeyEncoder) {
        guard !isNaN else { return key.append(bigEndian: UInt32.max) }
        let bits = self == 0 ? 0 : bitPattern
        key.append(bigEndian: bits >> 31 == 1 ? ~bits : bits | 1 << 31)
    }

    @inlinable
    public init(from key: inout KeyDecoder) throws {
        let bits = try key.bigEndian(UInt32.self)
        self = bits == .max ? .nan : Float(bitPattern: bits >> 31 == 1 ? bits & ~(1 << 31) : ~bits)
    }
}
