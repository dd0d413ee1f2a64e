import Foundation

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
