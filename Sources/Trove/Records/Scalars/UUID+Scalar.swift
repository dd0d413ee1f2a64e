import Foundation

extension UUID: WideScalar {
    static var typeName: String { "UUID" }
    init(high: UInt64, low: UInt64) { self = ObjectID(high: high, low: low).uuid }
    var words: (high: UInt64, low: UInt64) { ObjectID(self).words }
    static var valueClass: ValueClass { .uuid }

    init?(lossless value: StoredValue) {
        guard case .uuid(let value) = value else { return nil }
        self = value
    }

    var storedValue: StoredValue { .uuid(self) }

    static var hasTextForm: Bool { true }
    init?(text: String) { self.init(uuidString: text) }
    static var literalWord: String? { "uuid" }
    static var literalForm: String { "a UUID in its 36 characters" }
    func literal(_ cut: (String) -> String) -> String { "uuid '\(uuidString.lowercased())'" }
}

extension UUID: Storable {
    public static var fieldType: FieldType { .uuid }
    public static var _nestsExactly: Bool { true }

    @inlinable
    public func encodeField(into record: inout RecordEncoder) throws { record.appendFixed(uuid) }

    @inlinable
    public static func decodeField(from record: inout RecordDecoder) throws -> UUID { UUID(uuid: try record.fixed(uuid_t.self)) }

    public func encodeNested(into bytes: inout ByteWriter) throws {
        bytes.append(tag: .uuid)
        bytes.append(uuid)
    }

    public static func decodeNested(from bytes: inout ByteReader) throws -> UUID {
        guard try bytes.take(tag: .uuid) else { throw try StoredValue.decodeNested(from: &bytes).mismatch(Self.self) }
        return UUID(uuid: try bytes.load())
    }

    public init(_stored value: StoredValue) throws {
        if case .uuid(let value) = value { self = value } else { try self.init(convertingStored: value) }
    }
}

extension UUID: StorableKey {
    @inlinable
    public func encode(into key: inout KeyEncoder) { withUnsafeBytes(of: uuid) { key.append(raw: $0) } }

    @inlinable
    public init(from key: inout KeyDecoder) throws {
        self.init(uuid: try key.load(uuid_t.self))
    }
}
