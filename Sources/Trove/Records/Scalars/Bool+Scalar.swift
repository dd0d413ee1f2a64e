extension Bool: Storable {
    public static var fieldType: FieldType { .bool }
    public static var _nestsExactly: Bool { true }

    @inlinable @inline(__always)
    public func encodeField(into record: inout RecordEncoder) throws { record.appendFixed(self ? 1 as UInt8 : 0) }

    @inlinable @inline(__always)
    public static func decodeField(from record: inout RecordDecoder) throws -> Bool { try record.fixed(UInt8.self) != 0 }

    public func encodeNested(into bytes: inout ByteWriter) throws { bytes.append(tag: self ? .true : .false) }

    public static func decodeNested(from bytes: inout ByteReader) throws -> Bool { try nestedScalar(from: &bytes) }

    public init(_stored value: StoredValue) throws {
        if case .bool(let value) = value { self = value } else { try self.init(convertingStored: value) }
    }
}

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

extension Bool: Scalar {
    static var fixedSize: Int? { 1 }
    static var valueClass: ValueClass { .bool }
    static var partForm: PartForm { .fixed(1) }
    var storedValue: StoredValue { .bool(self) }

    init?(lossless value: StoredValue) {
        guard case .bool(let value) = value else { return nil }
        self = value
    }

    static func fieldValue(at place: UnsafeRawPointer) -> FieldValue { .bool(place.load(as: UInt8.self) != 0) }
    static func fieldValue(from key: inout KeyDecoder) throws -> FieldValue { .bool(try Bool(from: &key)) }
    func literal(_ cut: (String) -> String) -> String { "\(self)" }
}
