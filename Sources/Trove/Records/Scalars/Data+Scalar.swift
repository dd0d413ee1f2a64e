import Foundation

extension Data: Storable {
    public static var fieldType: FieldType { .data }
    public static var _nestsExactly: Bool { true }

    public func encodeField(into record: inout RecordEncoder) throws {
        withUnsafeBytes { record.bytes.append($0) }
        record.endVariable()
    }

    public static func decodeField(from record: inout RecordDecoder) throws -> Data { Data(try record.variable()) }

    public func encodeNested(into bytes: inout ByteWriter) throws {
        bytes.append(tag: .data)
        bytes.append(varint: UInt64(count))
        withUnsafeBytes { bytes.append($0) }
    }

    public static func decodeNested(from bytes: inout ByteReader) throws -> Data { try nestedScalar(from: &bytes) }
}

extension Data: StorableKey {
    public func encode(into key: inout KeyEncoder) { key.append(escaping: self) }

    public init(from key: inout KeyDecoder) throws { self = Data(try key.escaped()) }
}

extension Data: Scalar {
    static var typeName: String { "Data" }
    static var fixedSize: Int? { nil }
    static var valueClass: ValueClass { .data }
    static var partForm: PartForm { .terminated }
    static var partTellsValue: Bool { false }
    var storedValue: StoredValue { .data(self) }

    /// All bytes: Foundation hashes the first 80, which are the name in references to documents of a collection with a long one.
    func hashStored(into hasher: inout Hasher) {
        hasher.combine(count)
        withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    init?(lossless value: StoredValue) {
        guard case .data(let value) = value else { return nil }
        self = value
    }

    static var literalWord: String? { "data" }
    static var literalForm: String { "bytes as pairs of hexadecimal digits" }
    init?(literalText text: String) { self.init(hexadecimal: text) }
    func literal(_ cut: (String) -> String) -> String { "data '" + cut(hexadecimal) + "'" }
}
