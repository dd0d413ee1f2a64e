import Foundation

/// The ids of a model as values, as the catalogue tells their type: for programs that do not have the model.
struct IDCoding: Sendable {
    private enum Form: Sendable {
        case single(FieldType)
        /// Several values one after the other.
        case parts([FieldType])
        /// Nobody tells what the bytes are.
        case bytes
    }

    private let form: Form

    init(_ schema: IDSchema) {
        let parts = schema.parts.map { Self.keyType($0.type) }
        if let type = Self.keyType(schema.type) {
            form = .single(type)
        } else if !parts.isEmpty, !parts.contains(nil) {
            form = .parts(parts.compactMap(\.self))
        } else {
            form = .bytes
        }
    }

    /// The type of a key, or of a part of one; nil when it has parts itself.
    private static func keyType(_ text: String) -> FieldType? {
        guard let type = FieldType(text), type.unwrapped.scalar != nil else { return nil }
        return type
    }

    /// Whether the catalogue tells what the bytes are.
    var isTold: Bool { if case .bytes = form { false } else { true } }

    /// The id that a whole key is: an array when it is made of several values, the key as data when nobody tells what it is.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the bytes are not those of such an id.
    func value(of key: [UInt8]) throws -> StoredValue {
        try key.withUnsafeBytes { key in
            switch form {
            case .single(let type): return try RecordID.withValue(of: key, type: type) { try $0.storedValue() }
            case .bytes: return .data(Data(key))
            case .parts(let types):
                var decoder = KeyDecoder(key)
                let values = try types.map { try Self.value($0, &decoder) }
                try decoder.finish()
                return .array(values)
            }
        }
    }

    /// Appends the id that a whole key is.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the bytes are not those of such an id.
    func write(_ key: UnsafeRawBufferPointer, to writer: inout JSONWriter) throws {
        switch form {
        case .single(let type): try RecordID.withValue(of: key, type: type) { try writer.value($0) }
        case .bytes: try writer.value(.data(key))
        case .parts(let types):
            var decoder = KeyDecoder(key)
            writer.beginArray()
            for type in types {
                writer.next()
                try writer.value(Self.value(type, &decoder))
            }
            writer.endArray()
            try decoder.finish()
        }
    }

    /// The id that a whole key is, as JSON.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the bytes are not those of such an id.
    func json(of key: [UInt8]) throws -> String {
        var writer = JSONWriter()
        try key.withUnsafeBytes { try write($0, to: &writer) }
        return writer.bytes.withBytes { $0.withUnsafeBytes { String(storedUTF8: $0) } }
    }

    private static func value(_ type: FieldType, _ key: inout KeyDecoder) throws -> StoredValue {
        guard case .optional(let wrapped) = type else { return try type.scalar?.storedValue(from: &key) ?? .null }
        switch try key.byte() {
        case 0: return .null
        case 1: return try value(wrapped, &key)
        case let byte: throw TroveError.corruptKey(reason: "an optional begins with 0 or 1, not \(byte)")
        }
    }

    /// The whole key of the id that a value stands for; nil when it stands for none.
    func keyBytes(of value: StoredValue) -> [UInt8]? {
        var key = KeyEncoder()
        switch (form, value) {
        case (.single(let type), _): return Self.append(value, type, to: &key) ? key.bytes : nil
        case (.bytes, .data(let data)): return data.isEmpty ? nil : [UInt8](data)
        case (.parts(let types), .array(let values)):
            guard values.count == types.count else { return nil }
            for (value, type) in zip(values.array, types) { guard Self.append(value, type, to: &key) else { return nil } }
            return key.bytes
        case (.bytes, _), (.parts, _): return nil
        }
    }

    private static func append(_ value: StoredValue, _ type: FieldType, to key: inout KeyEncoder) -> Bool {
        if case .optional(let wrapped) = type {
            key.append(value == .null ? 0 : 1)
            return value == .null || append(value, wrapped, to: &key)
        }
        guard let scalar = type.scalar else { return false }
        if scalar.append(value, to: &key) { return true }
        guard case .string(let text) = value, scalar.hasTextForm, let meant = scalar.value(text: text) else { return false }
        return scalar.append(meant, to: &key)
    }

    /// What is expected, for messages.
    var expected: String {
        switch form {
        case .single(let type): type.shownInErrors.withArticle
        case .parts(let types): "an array of " + types.map(\.shownInErrors).joined(separator: ", ")
        case .bytes: "the bytes of a key, as {\"$data\": \"…\"}"
        }
    }
}

extension JSONWriter {
    /// Appends a value that is not in a record.
    mutating func value(_ value: StoredValue) throws {
        var nested = ByteWriter(capacity: 64)
        try value.encodeNested(into: &nested)
        try nested.withBytes { try $0.withUnsafeBytes { try self.value(FieldValue(nested: $0)) } }
    }
}

/// The conversion of a model's ids between keys and values, by the id's type in the catalogue: for tools, which do not have the model's Swift type.
///
/// ```swift
/// for layout in try store.layouts() where layout.modelName == record.modelName { print(try layout.ids.value(of: record.key)) }
/// ```
public struct StoredIDs: Sendable {
    private let coding: IDCoding

    init(_ schema: IDSchema) { coding = IDCoding(schema) }

    /// The id of a key, such as a record's ``StoredRecord/key``: an array when it is made of several values, the key as data
    /// when the catalogue does not tell its type.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the bytes are not those of such an id.
    public func value(of key: [UInt8]) throws -> StoredValue { try coding.value(of: key) }

    /// The id of a key, as the JSON of its value.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the bytes are not those of such an id.
    public func json(of key: [UInt8]) throws -> String { try coding.json(of: key) }

    /// The key of an id given as a value; nil when the value is no id of this model. A text also stands for an id of a type that is written as one.
    public func key(of value: StoredValue) -> [UInt8]? { coding.keyBytes(of: value) }
}

extension StoredLayout {
    /// The conversion of the model's ids.
    public var ids: StoredIDs { StoredIDs(entry.id) }
}
