/// A coding key for a position in an array, or for `super`.
struct PositionKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ position: Int) {
        stringValue = String(position)
        intValue = position
    }

    init?(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init?(intValue: Int) {
        self.init(intValue)
    }

    static let `super` = PositionKey(name: "super")

    private init(name: String) {
        stringValue = name
        intValue = nil
    }
}

/// Swift's `Encoder` for one node.
struct StoredValueEncoder: Encoder {
    let node: EncodedNode
    let codingPath: [any CodingKey]
    /// How many values are being encoded, this one included.
    let calls: Int
    let limit: EncodingLimit
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ node: EncodedNode, path: [any CodingKey], calls: Int, _ limit: EncodingLimit) {
        self.node = node
        codingPath = path
        self.calls = calls
        self.limit = limit
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.makeObject()
        return KeyedEncodingContainer(Keyed<Key>(node: node, codingPath: codingPath, calls: calls, limit: limit))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.makeArray()
        return Unkeyed(node: node, codingPath: codingPath, calls: calls, limit: limit)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        Single(node: node, codingPath: codingPath, calls: calls, limit: limit)
    }
}

extension StoredValueEncoder {
    struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let node: EncodedNode
        let codingPath: [any CodingKey]
        let calls: Int
        let limit: EncodingLimit

        func encodeNil(forKey key: Key) { node.child(key.stringValue).set(.null) }

        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            try node.child(key.stringValue).encode(value, path: codingPath + [key], calls: calls + 1, limit)
        }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
            nestedEncoder(forKey: key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            nestedEncoder(forKey: key).unkeyedContainer()
        }

        private func nestedEncoder(forKey key: Key) -> StoredValueEncoder {
            limit.encoder(codingPath, key, calls) { node.nested(key.stringValue) }
        }

        func superEncoder() -> any Encoder {
            limit.encoder(codingPath, PositionKey.super, calls) { node.child(PositionKey.super.stringValue) }
        }

        func superEncoder(forKey key: Key) -> any Encoder {
            limit.encoder(codingPath, key, calls) { node.child(key.stringValue) }
        }
    }

    struct Unkeyed: UnkeyedEncodingContainer {
        let node: EncodedNode
        let codingPath: [any CodingKey]
        let calls: Int
        let limit: EncodingLimit
        var count: Int { node.count }

        func encodeNil() { node.append().set(.null) }

        func encode<Value: Encodable>(_ value: Value) throws {
            let path = codingPath + [PositionKey(count)]
            try node.append().encode(value, path: path, calls: calls + 1, limit)
        }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
            superEncoder().container(keyedBy: type)
        }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { superEncoder().unkeyedContainer() }

        func superEncoder() -> any Encoder {
            limit.encoder(codingPath, PositionKey(count), calls) { node.append() }
        }
    }

    struct Single: SingleValueEncodingContainer {
        let node: EncodedNode
        let codingPath: [any CodingKey]
        let calls: Int
        let limit: EncodingLimit

        func encodeNil() { node.set(.null) }
        func encode(_ value: Bool) { node.set(.bool(value)) }
        func encode(_ value: String) { node.set(.string(value)) }
        func encode(_ value: Double) { node.set(.double(value)) }
        func encode(_ value: Float) { node.set(.float(value)) }
        func encode(_ value: Int) { node.set(.int(Int64(value))) }
        func encode(_ value: Int8) { node.set(.int(Int64(value))) }
        func encode(_ value: Int16) { node.set(.int(Int64(value))) }
        func encode(_ value: Int32) { node.set(.int(Int64(value))) }
        func encode(_ value: Int64) { node.set(.int(value)) }
        func encode(_ value: UInt) { encode(UInt64(value)) }
        func encode(_ value: UInt8) { node.set(.int(Int64(value))) }
        func encode(_ value: UInt16) { node.set(.int(Int64(value))) }
        func encode(_ value: UInt32) { node.set(.int(Int64(value))) }
        func encode(_ value: UInt64) { node.set(StoredValue(integer: value)) }
        func encode(_ value: Int128) { node.set(StoredValue(integer: value)) }
        func encode(_ value: UInt128) { node.set(StoredValue(integer: value)) }

        func encode<Value: Encodable>(_ value: Value) throws {
            try node.encode(value, path: codingPath, calls: calls + 1, limit)
        }
    }
}
