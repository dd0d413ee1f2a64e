extension RecordDecoder {
    /// Reads the next field; an optional one is nil when the record lacks it.
    @inlinable @inline(__always)
    public mutating func decode<Value: Storable>() throws -> Value {
        field &+= 1
        if plan == nil { return try Value.decodeField(from: &self) }
        return try planned(Value.decodeField, converting: Value.init(converting:)) ?? Self.valueOfMissingField()
    }

    /// Reads the next field, or returns `value` when the record lacks it.
    @inlinable @inline(__always)
    public mutating func decode<Value: Storable>(default value: @autoclosure () throws -> Value) throws -> Value {
        field &+= 1
        if plan == nil { return try Value.decodeField(from: &self) }
        return try planned(Value.decodeField, converting: Value.init(converting:)) ?? value()
    }

    /// Reads the id: the key of the record.
    @inlinable
    public mutating func decodeID<ID: StorableKey>() throws -> ID {
        hasLongKey ? try ID(keyBytes: wholeKey()) : try ID(keyBuffer: key)
    }

    @available(*, unavailable, message: "an id must be a 'StorableKey', such as an enum with a raw value: 'enum Kind: String, StorableKey'")
    public mutating func decodeID<ID>() throws -> ID { throw TroveError.corruptKey(reason: "\(ID.self) cannot be the type of a key") }

    /// nil for an optional property; other properties without a default value need the field.
    @usableFromInline static func valueOfMissingField<Value>() throws -> Value {
        guard let optional = Value.self as? any OptionalValue.Type, let value = optional.absent as? Value
        else { throw DecodingFault.missing }
        return value
    }

    /// Reads the next field by its name. Returns nil when the record lacks it.
    @usableFromInline mutating func planned<Value>(
        _ read: (inout RecordDecoder) throws -> Value, converting convert: (StoredValue) throws -> Value
    ) throws -> Value? {
        guard let plan, field <= plan.sources.count else { throw DecodingFault.overrun }
        switch plan.sources[field - 1] {
        case .same(let position, let isOptional):
            try move(to: position, isOptional: isOptional)
            return try read(&self)
        case .widened(let position, let type):
            return try convert(wholeValue(at: position).converted(to: type.withoutLazy))
        case .member(let position, let name, let type):
            return try wholeValue(at: position).member(named: name, as: type.withoutLazy).map(convert)
        case .missing:
            return nil
        }
    }
}

extension FieldType {
    /// Whether the values are what a `Codable` type encodes itself to.
    var isCodable: Bool { if case .codable = withoutLazy { true } else { false } }
}

// MARK: - Enums stored as raw values

extension RecordDecoder {
    /// Reads the raw value of an enum as the next field.
    @inlinable
    public mutating func decode<Value: RawRepresentable>() throws -> Value where Value.RawValue: Storable {
        try Value(stored: decode())
    }

    /// Reads the raw value of an enum as the next field, or returns `value` when the record lacks it.
    @inlinable
    public mutating func decode<Value: RawRepresentable>(
        default value: @autoclosure () throws -> Value
    ) throws -> Value where Value.RawValue: Storable {
        try Value(stored: decode(default: value().rawValue))
    }

    /// Reads the raw value of an optional enum as the next field, nil when the record lacks it.
    @inlinable
    public mutating func decode<Value: RawRepresentable>() throws -> Value? where Value.RawValue: Storable {
        let raw: Value.RawValue? = try decode()
        return try raw.map { try Value(stored: $0) }
    }

    /// Reads the raw value of an optional enum as the next field, or returns `value` when the record lacks it.
    @inlinable
    public mutating func decode<Value: RawRepresentable>(
        default value: @autoclosure () throws -> Value?
    ) throws -> Value? where Value.RawValue: Storable {
        let raw: Value.RawValue? = try decode(default: value()?.rawValue)
        return try raw.map { try Value(stored: $0) }
    }
}

extension RawRepresentable {
    @usableFromInline init(stored rawValue: RawValue) throws {
        guard let value = Self(rawValue: rawValue) else {
            throw DecodingFault.unfit(
                reason: "\(Self.self) has no case with the raw value '\(rawValue)'; give the enum this case, or store another value: "
                    + "fetch(…).update(\\.…, to: …) does not read the old one")
        }
        self = value
    }
}

// MARK: - Codable values

extension RecordDecoder {
    /// Reads a `Codable` value as the next field; an optional one is nil when the record lacks it.
    @_disfavoredOverload
    public mutating func decode<Value: Codable>() throws -> Value {
        try codable() ?? Self.valueOfMissingField()
    }

    /// Reads a `Codable` value as the next field, or returns `value` when the record lacks it.
    @_disfavoredOverload
    public mutating func decode<Value: Codable>(default value: @autoclosure () throws -> Value) throws -> Value {
        try codable() ?? value()
    }

    /// The next field; nil when the record lacks it.
    private mutating func codable<Value: Codable>() throws -> Value? {
        field += 1
        let read = { (record: inout RecordDecoder) throws -> Value in
            // An overload for optionals would be ambiguous with the one above, so the type tells.
            if Value.self is any OptionalValue.Type, try record.isNil(.codable("")) {
                return try Self.valueOfMissingField()
            }
            var bytes = ByteReader(try record.variable())
            return try StoredValue.decodeNested(from: &bytes).decoded(as: Value.self)
        }
        if plan == nil { return try read(&self) }
        return try planned(read) { try $0.decoded(as: Value.self) }
    }
}
