import Foundation

/// A reference to an object of one model: its id.
///
/// ```swift
/// @Model
/// struct Song {
///     var title: String
///     var album: Reference<Album>?                                  // to one
///     var writers: [Reference<Person>] = []                         // ordered, may repeat
///     @Relationship(deleteRule: .cascade) var parts: Set<Reference<Part>> = []
///     var roles: [String: Reference<Person>] = [:]                  // by name
/// }
///
/// let song = Song(title: "So What", album: Reference(album))
/// let found = try store.resolve(song.album)                         // the album
/// ```
///
/// A reference may point at an object that is not stored, or not yet: objects that refer to each other are saved in any order.
/// The store keeps an index of what points where, so the way back is as short; see ``ObjectSource/referencing(_:)``.
public struct Reference<Target: Model>: Sendable, Hashable {
    /// The id of the object.
    public let id: Target.ID

    /// A reference to an object.
    @inlinable
    public init(_ target: Target) {
        id = target.id
    }

    /// A reference to the object with this id.
    @inlinable
    public init(id: Target.ID) {
        self.id = id
    }

    /// A reference to the object of a model with this id, which need not be stored.
    ///
    /// ```swift
    /// let album = Reference(Album.self, id: id)          // as Reference<Album>(id: id)
    /// ```
    @inlinable
    public init(_ type: Target.Type, id: Target.ID) {
        self.init(id: id)
    }
}

/// Two references are equal when they point at one object: when the bytes of their ids are the same.
extension Reference {
    @inlinable public static func == (left: Reference, right: Reference) -> Bool { left.id.hasKey(of: right.id) }

    @inlinable public func hash(into hasher: inout Hasher) { id.hashKey(into: &hasher) }
}

extension Reference: CustomStringConvertible {
    /// The model's name and the id, as messages show it.
    public var description: String { "\(Target.schema.name)(\(id.shownInErrors))" }
}

extension Reference: Codable where Target.ID: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(id: try Target.ID(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws {
        try id.encode(to: encoder)
    }
}

/// Stored as the id is, so that a property may be changed from an id into a reference and back.
extension Reference: Storable {
    public static var fieldType: FieldType { Target.ID.referenceType }

    @inlinable
    public func encodeField(into record: inout RecordEncoder) throws { try id.encodeReference(into: &record) }

    @inlinable
    public static func decodeField(from record: inout RecordDecoder) throws -> Reference {
        Reference(id: try Target.ID.decodeReference(from: &record))
    }

    public func encodeNested(into bytes: inout ByteWriter) throws { try id.encodeNestedReference(into: &bytes) }

    @inlinable
    public static func decodeNested(from bytes: inout ByteReader) throws -> Reference {
        Reference(id: try Target.ID.decodeNestedReference(from: &bytes))
    }
}

/// How references to objects with such an id are stored: natively where the id is ``Storable``, by the raw value of an enum, and a composite as
/// the bytes of its key.
extension StorableKey {
    public static var referenceType: FieldType { .data }

    public func encodeReference(into record: inout RecordEncoder) throws { try Data(keyBytes).encodeField(into: &record) }

    public static func decodeReference(from record: inout RecordDecoder) throws -> Self {
        try Self(keyBytes: [UInt8](Data.decodeField(from: &record)))
    }

    public func encodeNestedReference(into bytes: inout ByteWriter) throws { try Data(keyBytes).encodeNested(into: &bytes) }

    public static func decodeNestedReference(from bytes: inout ByteReader) throws -> Self {
        try Self(keyBytes: [UInt8](Data.decodeNested(from: &bytes)))
    }
}

extension StorableKey where Self: Storable {
    @inlinable public static var referenceType: FieldType { fieldType }

    @inlinable public func encodeReference(into record: inout RecordEncoder) throws { try encodeField(into: &record) }

    @inlinable public static func decodeReference(from record: inout RecordDecoder) throws -> Self { try decodeField(from: &record) }

    @inlinable public func encodeNestedReference(into bytes: inout ByteWriter) throws { try encodeNested(into: &bytes) }

    @inlinable public static func decodeNestedReference(from bytes: inout ByteReader) throws -> Self { try decodeNested(from: &bytes) }
}

extension StorableKey where Self: RawRepresentable, RawValue: Storable {
    public static var referenceType: FieldType { RawValue.fieldType }

    public func encodeReference(into record: inout RecordEncoder) throws { try rawValue.encodeField(into: &record) }

    public static func decodeReference(from record: inout RecordDecoder) throws -> Self {
        try Self(stored: RawValue.decodeField(from: &record))
    }

    public func encodeNestedReference(into bytes: inout ByteWriter) throws { try rawValue.encodeNested(into: &bytes) }

    public static func decodeNestedReference(from bytes: inout ByteReader) throws -> Self {
        try Self(stored: RawValue.decodeNested(from: &bytes))
    }
}

extension StorableKey where Self: StorableConvertible & RawRepresentable, RawValue: Storable {
    public static var referenceType: FieldType { fieldType }

    public func encodeReference(into record: inout RecordEncoder) throws { try encodeField(into: &record) }

    public static func decodeReference(from record: inout RecordDecoder) throws -> Self { try decodeField(from: &record) }

    public func encodeNestedReference(into bytes: inout ByteWriter) throws { try encodeNested(into: &bytes) }

    public static func decodeNestedReference(from bytes: inout ByteReader) throws -> Self { try decodeNested(from: &bytes) }
}
