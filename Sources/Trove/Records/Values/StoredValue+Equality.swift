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
                if left.node !== right.node { waiting.append(contentsOf: zip(left.array, right.array)) }
            case (.object(let left), .object(let right)):
                guard left.count == right.count else { return false }
                if left.branches.node === right.branches.node { continue }
                for (name, value) in left {
                    guard let place = right.index(of: name), case let other = right[place], other.key.hasBytes(of: name) else { return false }
                    waiting.append((value, other.value))
                }
            case (.dictionary(let left), .dictionary(let right)):
                guard left.count == right.count else { return false }
                if left.branches.node === right.branches.node { continue }
                var places: [Int: [Int]] = [:]
                for (place, pair) in right.enumerated() { places[pair.key.hashValue, default: []].append(place) }
                for (key, value) in left {
                    // Mostly one is left, which is compared like a value, not inside of this.
                    let candidates = places[key.hashValue] ?? []
                    guard let place = candidates.count == 1 ? candidates[0] : candidates.first(where: { right[$0].key == key }) else { return false }
                    waiting.append((key, right[place].key))
                    waiting.append((value, right[place].value))
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
            for value in values.array { value.hash(into: &hasher, depth: depth + 1) }
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
    private static func unorderedHash<Key>(
        _ values: some Sequence<(key: Key, value: StoredValue)>, _ depth: Int, _ hashKey: (Key, inout Hasher) -> Void
    ) -> Int {
        values.reduce(0) { sum, pair in
            var hasher = Hasher()
            hashKey(pair.key, &hasher)
            pair.value.hash(into: &hasher, depth: depth + 1)
            return sum &+ hasher.finalize()
        }
    }
}
