/// The ids of a model between the bytes of their keys and values, as the catalogue tells their type: for tools, which do not have the model's Swift type.
///
/// ```swift
/// for layout in try store.layouts() where layout.modelName == record.modelName { print(try layout.ids.value(of: record.key)) }
/// ```
public struct StoredIDs: Sendable {
    private let coding: IDCoding

    init(_ schema: IDSchema) { coding = IDCoding(schema) }

    /// The id that a key is, a record's ``StoredRecord/key`` for instance: an array when it is made of several values, the key as data when the catalogue does not tell its type.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the bytes are not those of such an id.
    public func value(of key: [UInt8]) throws -> StoredValue { try coding.value(of: key) }

    /// The id that a key is, as the JSON of its value.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the bytes are not those of such an id.
    public func json(of key: [UInt8]) throws -> String {
        var writer = JSONWriter()
        try key.withUnsafeBytes { try coding.write($0, to: &writer) }
        return writer.bytes.withBytes { $0.withUnsafeBytes { String(storedUTF8: $0) } }
    }

    /// The key of the id that a value is; nil when it is none of this model. A text also stands for an id of a type that is written as one.
    public func key(of value: StoredValue) -> [UInt8]? { coding.keyBytes(of: value) }
}

extension StoredLayout {
    /// The model's ids.
    public var ids: StoredIDs { StoredIDs(entry.id) }
}
