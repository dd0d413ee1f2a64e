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

    private func isEqualLeaf(to other: StoredValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.uint(let left), .uint(let right)): left == right
        case (.float(let left), .float(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.decimal(let left), .decimal(let right)): left == right
        case (.string(let left), .string(let right)): left.hasBytes(of: right)
        case (.data(let left), .data(let right)): left == right
        case (.url(let left), .url(let right)): left.absoluteString.hasBytes(of: right.absoluteString)
        case (.date(let left), .date(let right)): left == right
        case (.uuid(let left), .uuid(let right)): left == right
        case (.objectID(let left), .objectID(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) { hash(into: &hasher, depth: 0) }

    /// How deep values are looked into for their hash; what lies deeper tells them apart only when they are compared.
    private static let maxHashedDepth = 8

    private func hash(into hasher: inout Hasher, depth: Int) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .uint(let value): hasher.combine(value)
        case .float(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .decimal(let value): hasher.combine(value)
        case .string(let value): value.hashBytes(into: &hasher)
        case .data(let value): hasher.combine(value)
        case .url(let value): value.absoluteString.hashBytes(into: &hasher)
        case .date(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .objectID(let value): hasher.combine(value)
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
