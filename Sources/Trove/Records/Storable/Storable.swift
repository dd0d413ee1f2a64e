/// A type whose values are stored natively, without `Codable`; ``StorableConvertible`` makes your own type one.
///
/// `Bool`, all integers up to 128 bits, `Float`, `Double`, `Decimal`, `String`, `Data`, `Date`, `UUID`, `URL`,
/// ``ObjectID``, ``GeoPoint``, and optionals, arrays, sets and dictionaries of these. Enums with such a raw value are stored as
/// it, any other type through `Codable`; neither has to conform.
public protocol Storable: Sendable {
    /// The stored type of the values.
    static var fieldType: FieldType { get }

    /// Writes the value as the next field of a record.
    func encodeField(into record: inout RecordEncoder) throws

    /// Reads the next field of a record.
    static func decodeField(from record: inout RecordDecoder) throws -> Self

    /// Appends the value with a tag that tells its type, as part of a nested value.
    func encodeNested(into bytes: inout ByteWriter) throws

    /// Reads a value that ``encodeNested(into:)`` wrote.
    static func decodeNested(from bytes: inout ByteReader) throws -> Self
}

extension String {
    /// The text in bytes whose checksum has been checked, so that they are the UTF-8 that was written.
    ///
    /// `String(validating:as:)` would look up four generic types at run time for each string, some 650 instructions (Swift 6.3);
    /// this initializer replaces what is not UTF-8 instead of refusing it, which only a forged record can bring about.
    @inlinable
    init(storedUTF8 bytes: UnsafeRawBufferPointer) {
        self.init(decoding: bytes.assumingMemoryBound(to: UInt8.self), as: UTF8.self)
    }
}
