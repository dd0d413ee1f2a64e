/// Stored in sixteen bytes, as its ``GeoPoint/code``: exactly, and near points near each other.
extension GeoPoint: Storable {
    public static var fieldType: FieldType { .geoPoint }
    public func encodeField(into record: inout RecordEncoder) throws { record.append(wide: self) }
    public static func decodeField(from record: inout RecordDecoder) throws -> GeoPoint { try record.wide() }
    public func encodeNested(into bytes: inout ByteWriter) throws { bytes.append(nestedWide: self) }
    public static func decodeNested(from bytes: inout ByteReader) throws -> GeoPoint { try nestedScalar(from: &bytes) }
}

extension GeoPoint: StorableKey {
    public func encode(into key: inout KeyEncoder) { code.encode(into: &key) }
    public init(from key: inout KeyDecoder) throws { self.init(code: try UInt128(from: &key)) }
}

extension GeoPoint: WideScalar {
    static var valueClass: ValueClass { .geoPoint }
    var storedValue: StoredValue { .geoPoint(self) }
    init(high: UInt64, low: UInt64) { self.init(code: UInt128(high) << 64 | UInt128(low)) }

    var words: (high: UInt64, low: UInt64) {
        let code = code
        return (UInt64(truncatingIfNeeded: code >> 64), UInt64(truncatingIfNeeded: code))
    }

    init?(lossless value: StoredValue) {
        guard case .geoPoint(let value) = value else { return nil }
        self = value
    }

    static var hasTextForm: Bool { true }
    init?(text: String) { self.init(text: text[...]) }
    static var literalWord: String? { "geopoint" }
    static var literalForm: String { "a latitude from -90 to 90 and a longitude from -180 to 180, as in '52.5,13.4'" }
    func literal(_ cut: (String) -> String) -> String { "geopoint '\(self)'" }
}
