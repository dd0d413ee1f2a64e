extension StoredValue {
    /// The elements of a set as it stores them: each once, in the order of their bytes.
    ///
    /// - Parameter values: elements of the type, in any order; of those that are one to Swift the first counts.
    static func elements(ofSet values: [StoredValue]) throws -> [StoredValue] {
        if values.count < 2 { return values }
        var known: Set<SetElement> = []
        let unique = values.filter { known.insert(SetElement(value: $0)).inserted }
        return try unique.map { (bytes: try $0.nestedBytes(depth: 0), value: $0) }.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map(\.value)
    }
}

extension FieldValue {
    /// Whether no value with other bytes is equal to it in Swift.
    var isEqualByBytes: Bool {
        switch self {
        case .null, .bool, .int, .wide: true
        case .double(let number), .date(let number): number != 0
        case .text(let text): text.isASCII
        default: false
        }
    }
}

/// A value as Swift's sets compare it: texts that differ in their scalars alone are one, which stored values tell apart.
private struct SetElement: Hashable {
    /// How deep collections are looked into; what lies deeper is compared as stored.
    private static let maxDepth = 16

    let value: StoredValue

    static func == (left: SetElement, right: SetElement) -> Bool { areEqual(left.value, right.value, 0) }

    private static func areEqual(_ left: StoredValue, _ right: StoredValue, _ depth: Int) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): return left == right
        case (.array(let left), .array(let right)) where depth < maxDepth:
            return left.count == right.count && zip(left.array, right.array).allSatisfy { areEqual($0, $1, depth + 1) }
        case (.object(let left), .object(let right)) where depth < maxDepth:
            return left.count == right.count && left.allSatisfy { name, value in right[name].map { areEqual(value, $0, depth + 1) } ?? false }
        default: return left == right
        }
    }

    func hash(into hasher: inout Hasher) { Self.hash(value, into: &hasher) }

    private static func hash(_ value: StoredValue, into hasher: inout Hasher) {
        switch value {
        case .string(let text): hasher.combine(text)
        // Few sets have collections in them, and fewer of the same size.
        case .array(let values): hasher.combine(values.count)
        case .object(let values): hasher.combine(values.count)
        default: value.hash(into: &hasher)
        }
    }
}
