extension StoredValue {
    /// A Swift value as a field of its type would store it, to compare fields with.
    ///
    /// - Throws: ``TroveError/invalidQuery(reason:)`` when values of its type are not stored.
    init(comparing value: Any) throws(TroveError) {
        do {
            switch value {
            case let value as StoredValue: self = value
            case let value as any AnyOptional: self = try value.anyWrapped.map { try StoredValue(comparing: $0) } ?? .null
            case let value as any Storable: self = try StoredValue(storing: value)
            case let value as any Model where type(of: value) is AnyClass: self = try StoredValue(referringTo: value)
            case let value as Substring: self = .string(String(value))
            case let value as Character: self = .string(String(value))
            case let value as any RawRepresentable where value.rawValue is any Storable: self = try StoredValue(comparing: value.rawValue)
            case let value as any Encodable: self = try StoredValue(encoding: value)
            case let value as any Model: self = try StoredValue(referringTo: value)
            default: throw TroveError.invalidQuery(reason: "values of type \(type(of: value)) are not stored, so nothing compares with them")
            }
        } catch let error as TroveError {
            throw error
        } catch {
            throw .invalidQuery(reason: "a value of type \(type(of: value)) cannot be stored, so nothing compares with it: \(error)")
        }
    }

    /// A reference to an object, as a relationship stores it.
    private init<Target: Model>(referringTo object: Target) throws {
        try self.init(storing: Reference(object))
    }

    private init(storing value: some Storable) throws {
        var bytes = ByteWriter()
        try value.encodeNested(into: &bytes)
        self = try bytes.withBytes { span in
            try span.withUnsafeBytes { buffer in
                var reader = ByteReader(buffer)
                return try StoredValue.decodeNested(from: &reader)
            }
        }
    }
}

/// An optional of any type, for values of which the type is not known.
protocol AnyOptional {
    var anyWrapped: Any? { get }
}

extension Optional: AnyOptional {
    var anyWrapped: Any? { self }
}
