/// A place from which an object is pointed at: an object, and the field of it that has the reference.
public struct ReferenceSource: Sendable, Hashable {
    /// The name of the model of the object that points.
    public let modelName: String
    /// The bytes of its id, ``StorableKey/keyBytes``.
    public let keyBytes: [UInt8]
    /// The field that has the reference.
    public let field: String

    /// The object that points.
    public var reference: AnyReference { AnyReference(modelName: modelName, keyBytes: keyBytes) }
}

extension ReferenceSource: CustomStringConvertible {
    public var description: String { "\(reference).\(field)" }
}
