import Foundation

/// Equality by what is stored: texts, names and URLs by their UTF-8 bytes, numbers as Swift compares them, of one type each.
extension StoredValue {
    public static func == (left: StoredValue, right: StoredValue) -> Bool {
        switch (left, right) {
        case (.array, .array), (.object, .object), (.dictionary, .dictionary): areEqualContainers(left, right)
        default: left.isEqualLeaf(to: right)
        }
    }

    /// Compares without one call inside the other, for values that nest deeply.
    private static func areEqualContainers(_ left: StoredValue, _ right: StoredValue) -> Bool {
        var waiting = [(left, right)]
        while let pair = waiting.popLast() {
            switch pair {
            case (.array(let left), .array(let right)):
                guard left.count == right.count else { return false }
                waiting.append(contentsOf: zip(left, right))
            case (.object(let left), .object(let right)):
                guard left.count == right.count else { return false }
                for (name, value) in left {
                    guard let place = right.index(forKey: name), right[place].key.hasBytes(of: name) else { return false }
                    waiting.append((value, right[place].value))
                }
            case (.dictionary(let left), .dictionary(let right)):
                guard left.count == right.count else { return false }
                for (key, value) in left {
                    guard let other = right[key] else { return false }
                    waiting.append((value, other))
                }
            case (let left, let right):
                guard left.isEqualLeaf(to: right) else { return false }
            }
        }
        return true
    }

    private var isNull: Bool {
        if case .null = self { true } else { false }
    }

    private func isEqualLeaf(to other: StoredValue) -> Bool {
        guard let left = scalar, let right = other.scalar else { return isNull && other.isNull }
        return left.equals(right)
    }

    public func hash(into hasher: inout Hasher) { hash(into: &hasher, depth: 0) }

    /// How deep values are looked into for their hash; what lies deeper tells them apart only when they are compared.
    private static let maxHashedDepth = 8

    private func hash(into hasher: inout Hasher, depth: Int) {
        switch self {
        case .array(let values):
            hasher.combine(values.count)
            guard depth < Self.maxHashedDepth else { return }
            for value in values { value.hash(into: &hasher, depth: depth + 1) }
        case .object(let values):
            hasher.combine(values.count)
            guard depth < Self.maxHashedDepth else { return }
            hasher.combine(Self.unorderedHash(values, depth) { name, hasher in name.hashBytes(into: &hasher) })
        case .dictionary(let values):
            hasher.combine(values.count)
            guard depth < Self.maxHashedDepth else { return }
            hasher.combine(Self.unorderedHash(values, depth) { key, hasher in key.hash(into: &hasher, depth: depth + 1) })
        default:
            if let scalar { scalar.hashStored(into: &hasher) } else { hasher.combine(0) }
        }
    }

    /// A hash that does not depend on the order of the pairs.
    private static func unorderedHash<Key>(_ values: [Key: StoredValue], _ depth: Int, _ hashKey: (Key, inout Hasher) -> Void) -> Int {
        values.reduce(0) { sum, pair in
            var hasher = Hasher()
            hashKey(pair.key, &hasher)
            pair.value.hash(into: &hasher, depth: depth + 1)
            return sum &+ hasher.finalize()
        }
    }
}
