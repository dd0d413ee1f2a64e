import Foundation

/// A reference to an object of any model.
///
/// ```swift
/// @Model
/// struct Note {
///     var text: String
///     var subject: AnyReference?
/// }
///
/// let note = Note(text: "out of print", subject: AnyReference(album))
/// let album = try note.subject?.reference(to: Album.self)      // nil when it is of another model
/// ```
public struct AnyReference: Sendable, Hashable {
    /// The name of the model.
    public let modelName: String
    /// The bytes of the id, ``StorableKey/keyBytes``.
    public let keyBytes: [UInt8]

    /// A reference to an object.
    public init<Target: Model>(_ target: Target) {
        self.init(Reference(target))
    }

    /// The same reference, without its model's type.
    @inlinable public init<Target: Model>(_ reference: Reference<Target>) {
        self.init(modelName: Target.schema.name, keyBytes: reference.id.keyBytes)
    }

    /// A reference to the object of a model with this id, which need not be stored.
    @inlinable public init<Target: Model>(_ type: Target.Type, id: Target.ID) {
        self.init(Reference<Target>(id: id))
    }

    /// A reference to the record with this key, of a model that the program need not have.
    @inlinable public init(modelName: String, keyBytes: [UInt8]) {
        self.modelName = modelName
        self.keyBytes = keyBytes
    }

    /// The reference as one to an object of this model; nil when it points at an object of another model.
    ///
    /// - Throws: ``TroveError/corruptKey(reason:)`` when the bytes are not an id of the model.
    public func reference<Target: Model>(to type: Target.Type) throws -> Reference<Target>? {
        guard modelName == Target.schema.name else { return nil }
        return Reference(id: try Target.ID(keyBytes: keyBytes))
    }
}

extension AnyReference {
    public static func == (left: AnyReference, right: AnyReference) -> Bool {
        left.keyBytes == right.keyBytes && left.modelName.hasBytes(of: right.modelName)
    }

    public func hash(into hasher: inout Hasher) {
        modelName.hashBytes(into: &hasher)
        hasher.combine(keyBytes)
    }
}

extension AnyReference: CustomStringConvertible {
    /// The model's name and the id: a text, an integer, an ``ObjectID`` or a UUID where its bytes are such, else the bytes. A reference alone does not tell
    /// the type of the id; messages of a store go by the model.
    public var description: String { "\(modelName)(\(likelyID))" }

    /// The id as the type shows it of which ids with such bytes are.
    var likelyID: String {
        if let text = try? String(keyBytes: keyBytes), !text.isEmpty, !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return text.shownInErrors
        }
        // Keys of integers have their sign turned round, so the first byte of one that is not enormous is one of two.
        if keyBytes.count == 8, keyBytes[0] == 0x80 || keyBytes[0] == 0x7F, let number = try? Int64(keyBytes: keyBytes) { return "\(number)" }
        if mayBeOfDocument, let id = try? ObjectID(keyBytes: keyBytes) { return "\(id)" }
        return StoredRecord.text(of: keyBytes)
    }
}

/// Stored as data: the model's name as the key of a string, then the bytes of the id.
extension AnyReference: Storable {
    public static var fieldType: FieldType { .data }

    /// The bytes as they are stored.
    var storedBytes: [UInt8] { modelName.keyBytes + keyBytes }

    init(storedBytes bytes: [UInt8]) throws {
        self = try bytes.withUnsafeBytes { buffer in
            var key = KeyDecoder(buffer)
            let name = try String(from: &key)
            let start = name.keyBytes.count
            guard start < bytes.count else { throw TroveError.corruptKey(reason: "a reference without an id") }
            return AnyReference(modelName: name, keyBytes: Array(bytes[start...]))
        }
    }

    public func encodeField(into record: inout RecordEncoder) throws { try Data(storedBytes).encodeField(into: &record) }

    public static func decodeField(from record: inout RecordDecoder) throws -> AnyReference {
        try AnyReference(storedBytes: [UInt8](Data.decodeField(from: &record)))
    }

    public func encodeNested(into bytes: inout ByteWriter) throws { try Data(storedBytes).encodeNested(into: &bytes) }

    public static func decodeNested(from bytes: inout ByteReader) throws -> AnyReference {
        try AnyReference(storedBytes: [UInt8](Data.decodeNested(from: &bytes)))
    }
}

extension AnyReference: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(storedBytes: [UInt8](Data(from: decoder)))
    }

    public func encode(to encoder: any Encoder) throws {
        try Data(storedBytes).encode(to: encoder)
    }
}
