/// The keys of encrypted properties, as a program gives them to a store when it opens it. `FieldKeys` of `TroveCrypto` are these.
///
/// ```swift
/// let store = try ObjectStore(backend, fieldKeys: FieldKeys(.raw(key)), models: Patient.self)
/// ```
///
/// The store keeps a *record of keys*, of which it knows nothing but the bytes: the keys that values are sealed with, wrapped with the program's.
public protocol FieldKeyring: Sendable {
    /// The record of keys for a store that has none.
    func makeKeyRecord() throws -> [UInt8]

    /// The keys of a store's record.
    ///
    /// It is called when the store is opened, and again when another program has changed the record.
    ///
    /// - Parameter path: the store's file, for messages.
    /// - Throws: an error that tells a wrong key from a damaged record.
    func unlock(_ keyRecord: [UInt8], path: String) throws -> any FieldSealer
}

/// What seals the values of encrypted properties, opens them, and makes the tags of blind indexes. It may be called by several threads at once.
public protocol FieldSealer: AnyObject, Sendable {
    /// The record of keys that this was made of.
    var keyRecord: [UInt8] { get }

    /// The number of the key that values are sealed with now.
    var activeKey: UInt32 { get }

    /// The properties, as `Model.property`, in which a value that is not sealed is refused.
    var closedFields: Set<String> { get }

    /// Appends a value, sealed with the active key.
    ///
    /// - Parameter place: what the value is bound to; it opens nowhere else.
    func seal(_ value: RawSpan, in place: RawSpan, appendingTo bytes: inout [UInt8]) throws

    /// Appends a value that ``seal(_:in:appendingTo:)`` has sealed in the same place.
    ///
    /// - Throws: ``FieldSealingFault``.
    func open(_ sealed: RawSpan, in place: RawSpan, appendingTo bytes: inout [UInt8]) throws

    /// The number of the key that a value is sealed with; nil when these bytes are no sealed value.
    func key(of sealed: RawSpan) -> UInt32?

    /// A keyed hash of a value, the same for equal values in one index, by which a blind index finds it.
    ///
    /// - Parameter index: tells the index from others.
    func tag(of value: RawSpan, in index: RawSpan) -> UInt128
}

/// Why a sealed value could not be opened.
public enum FieldSealingFault: Error, Equatable {
    /// The value is sealed with a key that the record of keys lacks: another program may have added it.
    case unknownKey(UInt32)
    /// The bytes are not what was sealed, or not in this place.
    case damaged
}
