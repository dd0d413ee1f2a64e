extension ObjectID: WideScalar {
    static var typeName: String { "ObjectID" }
    var words: (high: UInt64, low: UInt64) { (high, low) }
    static var valueClass: ValueClass { .objectID }

    init?(lossless value: StoredValue) {
        guard case .objectID(let value) = value else { return nil }
        self = value
    }

    var storedValue: StoredValue { .objectID(self) }

    static var hasTextForm: Bool { true }
    init?(text: String) { self.init(text as String) }
    static var literalWord: String? { "objectid" }
    static var literalForm: String { "an object id as it is printed" }
    func literal(_ cut: (String) -> String) -> String { "objectid '\(self)'" }
}

extension ObjectID: Storable {
    public static var fieldType: FieldType { .objectID }
    public static var _nestsExactly: Bool { true }

    @inlinable
    public func encodeField(into record: inout RecordEncoder) throws {
        record.appendFixed(high.bigEndian)
        record.appendFixed(low.bigEndian)
    }

    @inlinable
    public static func decodeField(from record: inout RecordDecoder) throws -> ObjectID {
        ObjectID(high: UInt64(bigEndian: try record.fixed()), low: UInt64(bigEndian: try record.fixed()))
    }

    public func encodeNested(into bytes: inout ByteWriter) throws {
        bytes.append(tag: .objectID)
        bytes.append(high.bigEndian)
        bytes.append(low.bigEndian)
    }

    // Lists of references are long: the loop over them is compiled where the application is, with this in it.
    @inlinable
    public static func decodeNested(from bytes: inout ByteReader) throws -> ObjectID {
        guard let halves = bytes.take(SIMD2<UInt64>.self, tagged: nestedTag) else { throw mismatch(in: &bytes) }
        return ObjectID(high: UInt64(bigEndian: halves[0]), low: UInt64(bigEndian: halves[1]))
    }

    public init(_stored value: StoredValue) throws {
        if case .objectID(let value) = value { self = value } else { try self.init(convertingStored: value) }
    }

    /// As ``NestedTag/objectID``, which inlined code cannot name.
    @inlinable static var nestedTag: UInt8 { 0x0D }

    /// Why the next nested value is no id.
    @usableFromInline static func mismatch(in bytes: inout ByteReader) -> any Error {
        do {
            return try StoredValue.decodeNested(from: &bytes).mismatch(Self.self)
        } catch {
            return error
        }
    }
}

extension ObjectID: StorableKey {
    @inlinable
    public func encode(into key: inout KeyEncoder) {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { key.append(raw: $0) }
    }

    @inlinable
    public init(from key: inout KeyDecoder) throws {
        self.init(high: try key.bigEndian(), low: try key.bigEndian())
    }
}
