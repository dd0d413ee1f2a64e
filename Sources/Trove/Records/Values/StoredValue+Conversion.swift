extension StoredValue {
    /// The value as a field of `type` keeps it, when nothing is lost by it.
    ///
    /// - Throws: `DecodingFault.unfit` when the type cannot hold the value.
    func converted(to type: FieldType) throws -> StoredValue {
        switch (type, self) {
        case (.optional, .null): return .null
        case (.optional(let wrapped), _): return try converted(to: wrapped)
        case (.codable, _): return self
        case (.lazy(let wrapped), _): return try converted(to: wrapped).lazyForm()
        case (.array(let element), .array(let values)):
            return .array(try values.map { try $0.converted(to: element) })
        case (.set(let element), .array(let values)):
            return .array(try Self.elements(ofSet: values.map { try $0.converted(to: element) }))
        case (.dictionary(.string, let value), .object(let values)):
            return .object(try values.dictionary.mapValues { try $0.converted(to: value) })
        case (.dictionary(.string, let value), .dictionary(let values)):
            // Keys that are texts are names, as a program's dictionary has them.
            let pairs = try values.map {
                guard case .string(let name) = $0.key else { throw DecodingFault.unfit(reason: "the key \($0.key.shownInErrors) is not a text") }
                return (name, try $0.value.converted(to: value))
            }
            return .object(try Dictionary(pairs, uniquingKeysWith: { _, _ in throw DecodingFault.keysAlike }))
        case (.dictionary(let key, let value), .dictionary(let values)):
            let pairs = try values.map { (try $0.key.converted(to: key), try $0.value.converted(to: value)) }
            return .dictionary(try Dictionary(pairs, uniquingKeysWith: { _, _ in throw DecodingFault.keysAlike }))
        default:
            guard let value = type.scalar?.value(lossless: self) else { throw DecodingFault.unfit(reason: "the \(kind) does not fit \(type.shownInErrors)") }
            return value
        }
    }
}

extension StoredValue {
    /// The value that is meant where one of a type is expected in JSON and in documents, which people and other programs write: a text may be one of a type
    /// that has such a form, as of dates and UUIDs, and an integer the number that is printed so; also in lists, sets and dictionaries.
    ///
    /// - Throws: `DecodingFault.unfit` when two keys of a dictionary mean one.
    func meant(as type: FieldType) throws -> StoredValue {
        switch (type, self) {
        case (.optional(let wrapped), _), (.lazy(let wrapped), _): return try meant(as: wrapped)
        case (.array(let element), .array(let values)), (.set(let element), .array(let values)):
            return .array(try values.map { try $0.meant(as: element) })
        case (.dictionary(.string, let value), .object(let values)):
            return .object(try values.dictionary.mapValues { try $0.meant(as: value) })
        case (.dictionary(let key, let value), .dictionary(let values)):
            let pairs = try values.map { (try $0.key.meant(as: key), try $0.value.meant(as: value)) }
            return .dictionary(try Dictionary(pairs, uniquingKeysWith: { _, _ in throw DecodingFault.keysAlike }))
        case (_, .string(let text)):
            guard let scalar = type.scalar, scalar.hasTextForm else { return self }
            return scalar.value(text: text) ?? self
        case (.double, .int), (.double, .uint), (.double, .int128), (.double, .uint128),
            (.float, .int), (.float, .uint), (.float, .int128), (.float, .uint128):
            guard let scalar, Double(lossless: self) == nil else { return self }
            return Double(printedAs: "\(scalar)").map { .double($0) } ?? self
        default: return self
        }
    }
}

extension DecodingFault {
    /// For a dictionary of which an entry would be lost.
    static var keysAlike: DecodingFault { .unfit(reason: "two keys are stored alike") }
}

extension StoredValue {
    /// What a document has under a name, as a property of `type` has it; nil where it has nothing, or no value for a property that has to have one.
    ///
    /// - Throws: `DecodingFault.unfit`.
    func member(named name: MemberName, as type: FieldType) throws -> StoredValue? {
        guard case .object(let members) = self, let value = members.value(named: name.used(in: members)) else { return nil }
        // Names without a value say nil, and properties that cannot be nil have a default value or need one.
        if value == .null, type.optionalDepth == 0, !type.isCodable { return nil }
        return try value.converted(to: type)
    }
}

extension StoredValue {
    /// The value as it is stored inside another.
    init(nesting value: some Storable) throws {
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

extension Storable {
    /// Makes a value of a stored one that has been converted to this type's ``fieldType``.
    @usableFromInline init(converting value: StoredValue) throws {
        var bytes = ByteWriter()
        try value.encodeNested(into: &bytes)
        self = try bytes.withBytes { span in
            try span.withUnsafeBytes { buffer in
                var reader = ByteReader(buffer)
                return try Self.decodeNested(from: &reader)
            }
        }
    }
}
