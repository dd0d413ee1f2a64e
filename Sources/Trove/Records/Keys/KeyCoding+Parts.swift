// The parts of an id of several properties, as `@Model` writes them. For a type that is no key the compiler comes to the overloads that say so.

extension KeyEncoder {
    /// Appends a part of an id.
    @inlinable
    public mutating func _encodePart<Part: StorableKey>(_ part: Part) { part.encode(into: &self) }

    @available(
        *, unavailable, message: "a property of an identity must be a 'StorableKey', such as an enum with a raw value: 'enum Kind: String, StorableKey'"
    )
    public mutating func _encodePart<Part>(_ part: Part) {}
}

extension KeyDecoder {
    /// Reads a part of an id.
    @inlinable
    public mutating func _decodePart<Part: StorableKey>() throws -> Part { try Part(from: &self) }

    @available(
        *, unavailable, message: "a property of an identity must be a 'StorableKey', such as an enum with a raw value: 'enum Kind: String, StorableKey'"
    )
    public mutating func _decodePart<Part>() throws -> Part { throw TroveError.corruptKey(reason: "\(Part.self) cannot be the type of a key") }
}

/// The name and type of one part of an id.
public func _keyPart<Part: StorableKey>(_ name: String, _ type: Part.Type) -> (name: String, type: any StorableKey.Type) { (name, type) }

@available(
    *, unavailable, message: "a property of an identity must be a 'StorableKey', such as an enum with a raw value: 'enum Kind: String, StorableKey'"
)
public func _keyPart<Part>(_ name: String, _ type: Part.Type) -> (name: String, type: any StorableKey.Type) { (name, String.self) }
