import Foundation

/// A type of your own that is stored as a ``Storable`` type, with the bytes, the order and the conditions of that type.
///
/// ```swift
/// struct Distance: StorableConvertible, StorableKey {
///     var meters: Double
///     var storedForm: Double { meters }
///     init?(storedForm: Double) {
///         guard storedForm >= 0 else { return nil }
///         meters = storedForm
///     }
/// }
/// ```
///
/// With ``StorableKey``, which needs nothing more, values are also ids, and are compared with `<` in queries: in the order of their stored forms.
public protocol StorableConvertible: Storable {
    /// The type whose values are stored.
    associatedtype StoredForm: Storable

    /// The stored form of the value.
    var storedForm: StoredForm { get }

    /// Creates the value from its stored form; nil makes the read throw ``TroveError/decodingFailed(model:field:id:reason:)``.
    init?(storedForm: StoredForm)
}

extension StorableConvertible {
    @inlinable public static var fieldType: FieldType { StoredForm.fieldType }

    @inlinable
    public func encodeField(into record: inout RecordEncoder) throws { try storedForm.encodeField(into: &record) }

    @inlinable
    public static func decodeField(from record: inout RecordDecoder) throws -> Self { try restored(StoredForm.decodeField(from: &record)) }

    @inlinable
    public func encodeNested(into bytes: inout ByteWriter) throws { try storedForm.encodeNested(into: &bytes) }

    @inlinable
    public static func decodeNested(from bytes: inout ByteReader) throws -> Self { try restored(StoredForm.decodeNested(from: &bytes)) }

    @inlinable static func restored(_ form: StoredForm) throws -> Self {
        guard let value = Self(storedForm: form) else { throw DecodingFault.unfit(reason: "'\(form)' is not a value of \(Self.self)") }
        return value
    }
}

extension StorableKey where Self: StorableConvertible, StoredForm: StorableKey {
    /// Writes the key; values sort by their stored forms.
    public func encode(into key: inout KeyEncoder) { storedForm.encode(into: &key) }

    public init(from key: inout KeyDecoder) throws {
        let form = try StoredForm(from: &key)
        guard let value = Self(storedForm: form) else { throw TroveError.corruptKey(reason: "'\(form)' is not a value of \(Self.self)") }
        self = value
    }
}

/// Stored as a text, and in the order of its UTF-8.
extension Character: StorableConvertible, StorableKey {
    public var storedForm: String { String(self) }

    public init?(storedForm: String) {
        guard storedForm.count == 1 else { return nil }
        self.init(storedForm)
    }
}

/// Stored as its identifier.
extension TimeZone: StorableConvertible, StorableKey {
    public var storedForm: String { identifier }
    public init?(storedForm: String) { self.init(identifier: storedForm) }
}

/// Stored as its identifier.
extension Locale: StorableConvertible, StorableKey {
    public var storedForm: String { identifier }
    public init?(storedForm: String) { self.init(identifier: storedForm) }
}
