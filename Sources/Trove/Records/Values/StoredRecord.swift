/// A record as it is stored, with its fields by name: for `upgrade(from:)`, for tools, and for programs that
/// do not have the model's Swift type.
///
/// ```swift
/// try store.write { transaction in
///     guard var record = try transaction.storedRecord(of: "Song", key: id.keyBytes) else { return }
///     try record.set("title", to: .string("Autumn Leaves"))
///     try transaction.save(record)       // still a Song, with all its other fields
/// }
/// ```
public struct StoredRecord: Sendable, Hashable {
    /// The name of the model.
    public let modelName: String
    /// The model's version when the record was written.
    public let version: Int
    /// The whole key: the id's ``StorableKey/keyBytes``.
    public let key: [UInt8]
    /// The names of the fields, in order.
    public let fieldNames: [String]
    private(set) var values: [StoredValue]
    let types: [FieldType]
    /// The number of the layout it was written in, which a save keeps.
    let layout: UInt16

    init(key: [UInt8], layout: RecordLayout, values: [StoredValue]) {
        modelName = layout.modelName
        version = layout.version
        self.key = key
        fieldNames = layout.fields.map(\.name)
        types = layout.fields.map(\.type)
        self.values = values
        self.layout = layout.number
    }

    /// The value of a field, `.null` when it is nil; nil when there is no such field.
    public subscript(field: String) -> StoredValue? {
        fieldNames.firstIndex(of: field).map { values[$0] }
    }

    /// The type of a field; nil when there is no such field.
    public func type(of field: String) -> FieldType? {
        fieldNames.firstIndex(of: field).map { types[$0] }
    }

    /// The value of a field as a Swift type.
    ///
    /// - Throws: ``TroveError/unknownField(model:field:)``; ``TroveError/decodingFailed(model:field:id:reason:)``
    ///   when the value is not of this type, nor widens to it.
    public func value<Value: Storable>(of field: String, as type: Value.Type = Value.self) throws -> Value {
        guard let stored = self[field] else { throw TroveError.unknownField(model: modelName, field: field) }
        do {
            return try Value(converting: stored.converted(to: Value.fieldType))
        } catch DecodingFault.unfit(let reason) {
            throw TroveError.decodingFailed(model: modelName, field: field, id: Self.text(of: key), reason: reason)
        }
    }

    /// Changes the value of a field.
    ///
    /// - Throws: ``TroveError/unknownField(model:field:)``; ``TroveError/encodingFailed(model:field:reason:)``
    ///   when the field's type cannot hold the value.
    public mutating func set(_ field: String, to value: StoredValue) throws {
        guard let position = fieldNames.firstIndex(of: field) else {
            throw TroveError.unknownField(model: modelName, field: field)
        }
        do {
            values[position] = try value.converted(to: types[position])
        } catch DecodingFault.unfit(let reason) {
            throw TroveError.encodingFailed(model: modelName, field: field, reason: reason)
        }
    }

    /// Whether a field is stored as other bytes in another record. Texts that Swift calls equal may be written with other scalars.
    func differs(from other: StoredRecord, in field: String) -> Bool {
        guard let value = self[field], let otherValue = other[field] else { return self[field] != nil || other[field] != nil }
        return !value.isIdentical(to: otherValue)
    }

    /// Whether the record can be written in `layout` as it is.
    func hasLayout(_ layout: RecordLayout) -> Bool {
        layout.modelName == modelName && layout.version == version && layout.fields.map(\.name) == fieldNames
            && layout.fields.map(\.type) == types
    }

    /// Bytes of a key for a message: hexadecimal, since the id's type may be unknown.
    static func text(of key: [UInt8]) -> String {
        key.reduce(into: "0x") { text, byte in text += (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    }
}

extension StoredRecord: CustomStringConvertible {
    /// The record in a line, long values cut: `Song 0x0192…: title = So What, year = 1959`.
    public var description: String {
        "\(modelName) \(Self.text(of: key)): " + zip(fieldNames, values).map { "\($0) = \($1.shownInErrors)" }.joined(separator: ", ")
    }
}
