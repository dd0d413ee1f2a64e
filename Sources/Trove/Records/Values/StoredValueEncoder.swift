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

/// A value under construction: `Codable` fills containers in any order, so they are shared by reference until the end.
final class EncodedNode {
    private enum Content {
        case empty
        case single(StoredValue)
        case array([EncodedNode])
        case object([String: EncodedNode])
    }

    private var content = Content.empty

    /// The finished value. A value that encoded nothing is an empty object, as Swift's own coders have it.
    var storedValue: StoredValue {
        switch content {
        case .empty: .object([:])
        case .single(let value): value
        case .array(let nodes): .array(nodes.map(\.storedValue))
        case .object(let nodes): .object(nodes.mapValues(\.storedValue))
        }
    }

    var count: Int {
        if case .array(let nodes) = content { nodes.count } else { 0 }
    }

    func set(_ value: StoredValue) { content = .single(value) }

    func makeArray() {
        if case .array = content { return }
        content = .array([])
    }

    func makeObject() {
        if case .object = content { return }
        content = .object([:])
    }

    func append() -> EncodedNode {
        let node = EncodedNode()
        if case .array(var nodes) = content {
            content = .empty  // Gives up this reference, so that appending does not copy the array.
            nodes.append(node)
            content = .array(nodes)
        } else {
            content = .array([node])
        }
        return node
    }

    /// A new node under a name, which takes the place of the one that is there.
    func child(_ name: String) -> EncodedNode {
        let node = EncodedNode()
        if case .object(var nodes) = content {
            content = .empty  // As above.
            nodes[name] = node
            content = .object(nodes)
        } else {
            content = .object([name: node])
        }
        return node
    }

    /// The node under a name, for a container that is asked for again and goes on, as in Swift's own coders; a new one where there is none.
    func nested(_ name: String) -> EncodedNode {
        if case .object(let nodes) = content, let node = nodes[name] { node } else { child(name) }
    }

    /// - Parameter calls: how many values are being encoded around this one, which are more than the path has keys where a value stands for another.
    func encode<Value: Encodable>(_ value: Value, path: [any CodingKey], calls: Int, _ limit: EncodingLimit) throws {
        guard path.count <= NestedTag.maxDepth, calls <= StoredValue.maxCodingCalls else { throw EncodingLimit.error(value, path) }
        if let leaf = StoredValue(leaf: value) { return set(leaf) }
        try value.encode(to: StoredValueEncoder(self, path: path, calls: calls, limit))
    }
}

/// The bound on containers in containers of one value, which `Codable` makes by calls that cannot throw: what lies deeper goes into nodes of its own, which are
/// dropped, and the value is refused at the end.
final class EncodingLimit {
    private var excess: [any CodingKey]?

    /// An encoder for what goes by a key, in a node that is made where it may be.
    func encoder(_ path: [any CodingKey], _ key: any CodingKey, _ calls: Int, in node: () -> EncodedNode) -> StoredValueEncoder {
        guard path.count < NestedTag.maxDepth else {
            excess = excess ?? path
            return StoredValueEncoder(EncodedNode(), path: path, calls: calls, self)
        }
        return StoredValueEncoder(node(), path: path + [key], calls: calls, self)
    }

    /// - Throws: `EncodingError` when something lay too deep.
    func check(_ value: Any) throws {
        if let excess { throw Self.error(value, excess) }
    }

    static func error(_ value: Any, _ path: [any CodingKey]) -> EncodingError {
        .invalidValue(value, .init(codingPath: path, debugDescription: "values nest deeper than \(NestedTag.maxDepth) levels"))
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
