/// The conversion of a model's ids between keys and values, by the id's type in the catalogue: for tools, which do not have the model's Swift type.
///
/// ```swift
/// for layout in try store.layouts() where layout.modelName == record.modelName { print(try layout.ids.value(of: record.key)) }
/// ```
public struct StoredIDs: Sendable {
    private let coding: IDCoding

    init(_ schema: IDSchema) { coding = IDCoding(schema) }

    /// The id of a key, such as a record's ``StoredRecord/key``: an array when it is made of several values, the key as data when the catalogue does not tell its type.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the bytes are not those of such an id.
    public func value(of key: [UInt8]) throws -> StoredValue { try coding.value(of: key) }

    /// The id of a key, as the JSON of its value.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the bytes are not those of such an id.
    public func json(of key: [UInt8]) throws -> String {
        var writer = JSONWriter()
        try key.withUnsafeBytes { try coding.write($0, to: &writer) }
        return writer.bytes.withBytes { $0.withUnsafeBytes { String(storedUTF8: $0) } }
    }

    /// The key of an id given as a value; nil when the value is no id of this model. A text also stands for an id of a type that is written as one.
    public func key(of value: StoredValue) -> [UInt8]? { coding.keyBytes(of: value) }
}

extension StoredLayout {
    /// The conversion of the model's ids.
    public var ids: StoredIDs { StoredIDs(entry.id) }
}
