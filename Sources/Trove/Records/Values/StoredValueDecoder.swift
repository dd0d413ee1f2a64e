import Foundation

/// Swift's `Decoder` over one stored value.
struct StoredValueDecoder: Decoder {
    let value: StoredValue
    let codingPath: [any CodingKey]
    /// How many values are being decoded, this one included.
    let calls: Int
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ value: StoredValue, path: [any CodingKey], calls: Int = 0) {
        self.value = value
        codingPath = path
        self.calls = calls
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let values) = value else { throw mismatch([String: StoredValue].self) }
        return KeyedDecodingContainer(Keyed<Key>(values: values, codingPath: codingPath, calls: calls))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let values) = value else { throw mismatch([StoredValue].self) }
        return Unkeyed(values: values.array, codingPath: codingPath, calls: calls)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        Single(decoder: self)
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let leaf = try leaf(for: type) {
            guard let value = leaf as? Value else { throw mismatch(type) }
            return value
        }
        // A type may decode another from the same value, so the value's own depth is no bound.
        guard calls < StoredValue.maxCodingCalls else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: "values nest deeper than \(NestedTag.maxDepth) levels"))
        }
        return try Value(from: StoredValueDecoder(value, path: codingPath, calls: calls + 1))
    }

    /// The value of a type that has a stored form of its own; nil for other types, and for what such a type reads itself.
    ///
    /// JSON and documents have other values for them, which are taken as for a property of the type: `Codable` would take any number for a date's seconds.
    private func leaf(for type: any Decodable.Type) throws -> (any Scalar)? {
        // Others decode themselves, and mostly faster.
        guard let kept = ScalarTypes.keptInCodable.first(where: { $0 == type }), let scalar = value.scalar else { return nil }
        if Swift.type(of: scalar) == type { return scalar }
        guard kept.hasTextForm else { return nil }
        do {
            return try value.meant(as: kept.fieldType).converted(to: kept.fieldType).scalar
        } catch is DecodingFault {
            throw mismatch(type)
        }
    }

    func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "found \(value.kind.withArticle)"))
    }

    /// The value as a number or text, widened when nothing is lost.
    func scalar<Value: Storable>(_ type: Value.Type) throws -> Value {
        do {
            return try Value(converting: value.converted(to: Value.fieldType))
        } catch is DecodingFault {
            throw mismatch(type)
        }
    }
}

extension StoredValueDecoder {
    struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let values: StoredFields
        let codingPath: [any CodingKey]
        let calls: Int
        var allKeys: [Key] { values.keys.compactMap { Key(stringValue: $0) } }

        func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }

        private func decoder(_ key: any CodingKey) throws -> StoredValueDecoder {
            guard let value = values[key.stringValue] else {
                throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: ""))
            }
            return StoredValueDecoder(value, path: codingPath + [key], calls: calls)
        }

        func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).value == .null }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try decoder(key).decode(type) }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
            try decoder(key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try decoder(key).unkeyedContainer() }

        func superDecoder() throws -> any Decoder { decoder(ofSuper: PositionKey.super) }

        func superDecoder(forKey key: Key) throws -> any Decoder { decoder(ofSuper: key) }

        /// That of nil where there is nothing, as in Swift's own decoders: the value may be older than its superclass.
        private func decoder(ofSuper key: any CodingKey) -> StoredValueDecoder {
            StoredValueDecoder(values[key.stringValue] ?? .null, path: codingPath + [key], calls: calls)
        }
    }

    struct Unkeyed: UnkeyedDecodingContainer {
        let values: [StoredValue]
        let codingPath: [any CodingKey]
        let calls: Int
        var currentIndex = 0
        var count: Int? { values.count }
        var isAtEnd: Bool { currentIndex == values.count }

        init(values: [StoredValue], codingPath: [any CodingKey], calls: Int) {
            self.values = values
            self.codingPath = codingPath
            self.calls = calls
        }

        /// What `body` makes of the next element. One that it throws for stays the next, which another type may fit, as in Swift's own decoders.
        private mutating func next<Result>(_ body: (StoredValueDecoder) throws -> Result) throws -> Result {
            let path = codingPath + [PositionKey(currentIndex)]
            guard !isAtEnd else {
                throw DecodingError.valueNotFound(StoredValue.self, .init(codingPath: path, debugDescription: "the array ends"))
            }
            let result = try body(StoredValueDecoder(values[currentIndex], path: path, calls: calls))
            currentIndex += 1
            return result
        }

        mutating func decodeNil() throws -> Bool {
            guard !isAtEnd, values[currentIndex] == .null else { return false }
            currentIndex += 1
            return true
        }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next { try $0.decode(type) } }

        mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
            try next { try $0.container(keyedBy: type) }
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next { try $0.unkeyedContainer() } }

        mutating func superDecoder() throws -> any Decoder { try next { $0 } }
    }

    struct Single: SingleValueDecodingContainer {
        let decoder: StoredValueDecoder
        var codingPath: [any CodingKey] { decoder.codingPath }

        func decodeNil() -> Bool { decoder.value == .null }
        func decode(_ type: Bool.Type) throws -> Bool { try decoder.scalar(type) }
        func decode(_ type: String.Type) throws -> String { try decoder.scalar(type) }
        func decode(_ type: Double.Type) throws -> Double { try decoder.scalar(type) }
        func decode(_ type: Float.Type) throws -> Float { try decoder.scalar(type) }
        func decode(_ type: Int.Type) throws -> Int { try decoder.scalar(type) }
        func decode(_ type: Int8.Type) throws -> Int8 { try decoder.scalar(type) }
        func decode(_ type: Int16.Type) throws -> Int16 { try decoder.scalar(type) }
        func decode(_ type: Int32.Type) throws -> Int32 { try decoder.scalar(type) }
        func decode(_ type: Int64.Type) throws -> Int64 { try decoder.scalar(type) }
        func decode(_ type: UInt.Type) throws -> UInt { try decoder.scalar(type) }
        func decode(_ type: UInt8.Type) throws -> UInt8 { try decoder.scalar(type) }
        func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.scalar(type) }
        func decode(_ type: UInt32.Type) throws -> UInt32 { try decoder.scalar(type) }
        func decode(_ type: UInt64.Type) throws -> UInt64 { try decoder.scalar(type) }
        func decode(_ type: Int128.Type) throws -> Int128 { try decoder.scalar(type) }
        func decode(_ type: UInt128.Type) throws -> UInt128 { try decoder.scalar(type) }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
    }
}
