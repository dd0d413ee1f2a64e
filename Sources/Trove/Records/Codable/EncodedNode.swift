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

    func encode<Value: Encodable>(_ value: Value, path: [any CodingKey]) throws {
        guard path.count <= NestedTag.maxDepth else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: path, debugDescription: "values nest deeper than \(NestedTag.maxDepth) levels"))
        }
        if let leaf = StoredValue(leaf: value) { return set(leaf) }
        try value.encode(to: StoredValueEncoder(self, path: path))
    }
}
