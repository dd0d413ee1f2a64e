import Foundation

extension String: Storable {
    public static var fieldType: FieldType { .string }
    public static var _nestsExactly: Bool { true }

    @inlinable
    public func encodeField(into record: inout RecordEncoder) throws {
        record.bytes.append(utf8: self)
        record.endVariable()
    }

    @inlinable
    public static func decodeField(from record: inout RecordDecoder) throws -> String {
        String(storedUTF8: try record.variable())
    }

    public func encodeNested(into bytes: inout ByteWriter) throws { bytes.append(nested: self) }

    public static func decodeNested(from bytes: inout ByteReader) throws -> String {
        let value = try StoredValue.decodeNested(from: &bytes)
        guard case .string(let string) = value else { throw value.mismatch(Self.self) }
        return string
    }

    public init(_stored value: StoredValue) throws {
        if case .string(let string) = value { self = string } else { try self.init(convertingStored: value) }
    }
}

extension String: StorableKey {
    /// Writes the key; strings sort by their UTF-8 bytes.
    public func encode(into key: inout KeyEncoder) { key.append(escaping: utf8) }

    public init(from key: inout KeyDecoder) throws {
        guard let string = String(validating: try key.escaped(), as: UTF8.self) else {
            throw TroveError.corruptKey(reason: "a text part is not UTF-8")
        }
        self = string
    }
}

extension String: Scalar {
    static var fixedSize: Int? { nil }
    static var valueClass: ValueClass { .text }
    static var partForm: PartForm { .terminated }
    var storedValue: StoredValue { .string(self) }

    init?(lossless value: StoredValue) {
        switch value {
        case .string(let value): self = value
        case .url(let url): self = url.absoluteString
        default: return nil
        }
    }

    func isStored(like other: String) -> Bool { hasBytes(of: other) }
    func hashStored(into hasher: inout Hasher) { hashBytes(into: &hasher) }
    func literal(_ cut: (String) -> String) -> String { cut(self).quotedLiteral }
}

extension String {
    /// The text as criteria text has it: between single quotes, of which those inside are doubled.
    var quotedLiteral: String { quoted(by: "'") }
}

/// Stored as its text. A relative URL is stored resolved against its base.
extension URL: Storable {
    public static var fieldType: FieldType { .url }

    public func encodeField(into record: inout RecordEncoder) throws { try absoluteString.encodeField(into: &record) }

    public static func decodeField(from record: inout RecordDecoder) throws -> URL {
        let string = try String.decodeField(from: &record)
        guard let url = URL(string: string) else { throw DecodingFault.unfit(reason: "'\(string)' is not a URL") }
        return url
    }

    public func encodeNested(into bytes: inout ByteWriter) throws {
        bytes.append(tag: .url)
        let string = absoluteString
        bytes.append(varint: UInt64(string.utf8.count))
        bytes.append(utf8: string)
    }

    public static func decodeNested(from bytes: inout ByteReader) throws -> URL { try nestedScalar(from: &bytes) }
}

extension URL: StorableKey {
    public func encode(into key: inout KeyEncoder) { absoluteString.encode(into: &key) }

    public init(from key: inout KeyDecoder) throws {
        let string = try String(from: &key)
        guard let url = URL(string: string) else { throw TroveError.corruptKey(reason: "'\(string)' is not a URL") }
        self = url
    }
}

extension URL: Scalar {
    static var typeName: String { "URL" }
    static var fixedSize: Int? { nil }
    static var valueClass: ValueClass { .url }
    static var partForm: PartForm { .terminated }
    static var partTellsValue: Bool { false }
    var storedValue: StoredValue { .url(self) }

    init?(lossless value: StoredValue) {
        guard case .url(let value) = value else { return nil }
        self = value
    }

    func isStored(like other: URL) -> Bool { absoluteString.hasBytes(of: other.absoluteString) }
    func hashStored(into hasher: inout Hasher) { absoluteString.hashBytes(into: &hasher) }

    static var hasTextForm: Bool { true }
    init?(text: String) { self.init(string: text) }
    static var literalWord: String? { "url" }
    static var literalForm: String { "a URL" }
    func literal(_ cut: (String) -> String) -> String { "url " + cut(absoluteString).quotedLiteral }
}
