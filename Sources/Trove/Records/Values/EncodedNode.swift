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
        // A dictionary whose keys are names is an object, which has no order.
        if case .array(let nodes) = content, let type = Value.self as? any UnorderedCollection.Type {
            content = .array(try Self.inOneOrder(nodes, groupsOf: type.encodedWidth))
        }
    }

    /// Groups of nodes in the order of the first one's bytes.
    private static func inOneOrder(_ nodes: [EncodedNode], groupsOf width: Int) throws -> [EncodedNode] {
        let groups = try stride(from: 0, to: nodes.count, by: width).map { start in
            (nodes: nodes[start..<min(start + width, nodes.count)], bytes: try nodes[start].storedValue.nestedBytes(depth: 0))
        }
        return groups.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.flatMap(\.nodes)
    }
}

/// A collection that `Codable` encodes in its order of the moment, which equal ones do not share, and no other process has. They are to be stored alike.
private protocol UnorderedCollection {
    /// How many values are encoded for each element.
    static var encodedWidth: Int { get }
}

extension Set: UnorderedCollection {
    static var encodedWidth: Int { 1 }
}

extension Dictionary: UnorderedCollection {
    static var encodedWidth: Int { 2 }
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
