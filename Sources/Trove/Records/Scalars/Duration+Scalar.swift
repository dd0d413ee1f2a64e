/// Stored in sixteen bytes, as the key of its attoseconds: exactly, and in the order of the values.
extension Duration: Storable {
    public static var fieldType: FieldType { .duration }
    public func encodeField(into record: inout RecordEncoder) throws { record.append(wide: self) }
    public static func decodeField(from record: inout RecordDecoder) throws -> Duration { try record.wide() }
    public func encodeNested(into bytes: inout ByteWriter) throws { bytes.append(nestedWide: self) }
    public static func decodeNested(from bytes: inout ByteReader) throws -> Duration { try nestedScalar(from: &bytes) }
}

extension Duration: StorableKey {
    public func encode(into key: inout KeyEncoder) { attoseconds.encode(into: &key) }
    public init(from key: inout KeyDecoder) throws { self.init(attoseconds: try Int128(from: &key)) }
}

extension Duration: WideScalar {
    static var valueClass: ValueClass { .duration }
    var storedValue: StoredValue { .duration(self) }

    init(high: UInt64, low: UInt64) {
        self.init(attoseconds: Int128(truncatingIfNeeded: UInt128(high) << 64 | UInt128(low) ^ Int128.signBit))
    }

    var words: (high: UInt64, low: UInt64) {
        let bits = UInt128(truncatingIfNeeded: attoseconds) ^ Int128.signBit
        return (UInt64(truncatingIfNeeded: bits >> 64), UInt64(truncatingIfNeeded: bits))
    }

    init?(lossless value: StoredValue) {
        guard case .duration(let value) = value else { return nil }
        self = value
    }

    static var literalWord: String? { "duration" }
    static var literalForm: String { "seconds with up to 18 digits after the point" }

    init?(literalDigits digits: String) {
        let halves = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = halves.count > 1 ? halves[1] : ""
        guard fraction.count <= 18, let attoseconds = Int128(halves[0] + fraction + String(repeating: "0", count: 18 - fraction.count)) else { return nil }
        self.init(attoseconds: attoseconds)
    }

    func literal(_ cut: (String) -> String) -> String { "duration " + literalDigits }

    /// The seconds as ``init(literalDigits:)`` reads them.
    var literalDigits: String {
        let digits = String(attoseconds.magnitude)
        let padded = String(repeating: "0", count: max(0, 19 - digits.count)) + digits
        let fraction = padded.suffix(18).reversed().drop { $0 == "0" }.reversed()
        return (attoseconds < 0 ? "-" : "") + padded.dropLast(18) + (fraction.isEmpty ? "" : "." + fraction)
    }
}
