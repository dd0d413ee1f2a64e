import Foundation

/// Equality by what is stored: texts, names and URLs by their UTF-8 bytes, numbers as Swift compares them, of one type each.
extension StoredValue {
    public static func == (left: StoredValue, right: StoredValue) -> Bool {
        switch (left, right) {
        case (.array, .array), (.object, .object), (.dictionary, .dictionary): areEqualContainers(left, right)
        default: left.isEqualLeaf(to: right)
        }
    }

    /// Whether it is the same value to whoever asks what has changed: as ``==(_:_:)``, and a number that is none is the same as itself.
    package func isSame(as other: StoredValue) -> Bool {
        if self == other { return true }
        do {
            var left = ByteWriter()
            var right = ByteWriter()
            try encodeNested(into: &left)
            try other.encodeNested(into: &right)
            return left.bytes() == right.bytes()
        } catch {
            // What is nested too deeply to be stored is no stored value.
            return false
        }
    }

    private static func areEqualContainers(_ left: StoredValue, _ right: StoredValue) -> Bool {
        var comparison = ValueComparison(left, right)
        return comparison.run()
    }

    private var isNull: Bool {
        if case .null = self { true } else { false }
    }

    fileprivate func isEqualLeaf(to other: StoredValue) -> Bool {
        guard let left = scalar, let right = other.scalar else { return isNull && other.isNull }
        return left.equals(right)
    }

    public func hash(into hasher: inout Hasher) { hash(into: &hasher, levels: Self.hashedLevels) }

    /// A hash of all levels, without some names of the first one: what a store has read back is told from what was given to it.
    package func wholeHash(without names: Set<String>) -> Int {
        var hasher = Hasher()
        if case .object(let values) = self {
            for (name, value) in values where names.isEmpty || !names.contains(name) {
                name.hashBytes(into: &hasher)
                value.hash(into: &hasher, levels: .max)
            }
        } else {
            hash(into: &hasher, levels: .max)
        }
        return hasher.finalize()
    }

    /// How deep values are looked into for their hash; what lies deeper tells them apart only when they are compared.
    private static let hashedLevels = 8

    private func hash(into hasher: inout Hasher, levels: Int) {
        switch self {
        case .array(let values):
            hasher.combine(values.count)
            guard levels > 0 else { return }
            for value in values.array { value.hash(into: &hasher, levels: levels - 1) }
        case .object(let values):
            hasher.combine(values.count)
            guard levels > 0 else { return }
            for (name, value) in values {
                name.hashBytes(into: &hasher)
                value.hash(into: &hasher, levels: levels - 1)
            }
        case .dictionary(let values):
            hasher.combine(values.count)
            guard levels > 0 else { return }
            hasher.combine(Self.unorderedHash(values, levels))
        default:
            if let scalar { scalar.hashStored(into: &hasher) } else { hasher.combine(0) }
        }
    }

    /// A hash that does not depend on the order of the pairs.
    private static func unorderedHash(_ values: StoredPairs, _ levels: Int) -> Int {
        values.reduce(0) { sum, pair in
            var hasher = Hasher()
            pair.key.hash(into: &hasher, levels: levels - 1)
            pair.value.hash(into: &hasher, levels: levels - 1)
            return sum &+ hasher.finalize()
        }
    }
}

/// Compares two values without one call inside the other, for those that nest deeply.
///
/// No two parts are compared twice, so the time is bounded by the product of the values' sizes, whatever their keys' hashes
/// are; mostly it is that of the smaller one.
private struct ValueComparison {
    /// What still has to hold.
    private enum Claim {
        case areEqual(StoredValue, StoredValue)
        /// One of the pairs has this key and value.
        case isAmong(key: StoredValue, value: StoredValue, [(key: StoredValue, value: StoredValue)])
    }

    /// A key that is compared with one after the other of several that have its hash.
    private struct Search {
        let key: StoredValue
        let value: StoredValue
        /// Those that are left, the one that is being compared at the end.
        var candidates: [(key: StoredValue, value: StoredValue)]
        /// What has to hold besides.
        let others: [Claim]
    }

    private var claims: [Claim]
    /// One inside the key of the other.
    private var searches: [Search] = []

    init(_ left: StoredValue, _ right: StoredValue) { claims = [.areEqual(left, right)] }

    mutating func run() -> Bool {
        while true {
            while let claim = claims.popLast() {
                if !settle(claim) && !tryNextCandidate() { return false }
            }
            // The candidate is the key.
            guard let search = searches.popLast() else { return true }
            claims = search.others
            if let found = search.candidates.last { claims.append(.areEqual(search.value, found.value)) }
        }
    }

    /// Goes on with another candidate of the innermost search that has one; false when there is none.
    private mutating func tryNextCandidate() -> Bool {
        while var search = searches.popLast() {
            search.candidates.removeLast()
            if let next = search.candidates.last {
                claims = [.areEqual(search.key, next.key)]
                searches.append(search)
                return true
            }
        }
        return false
    }

    /// Puts claims in the place of one; false when it does not hold.
    private mutating func settle(_ claim: Claim) -> Bool {
        switch claim {
        case .areEqual(let left, let right): return compare(left, right)
        case .isAmong(let key, let value, let candidates):
            guard let first = candidates.last else { return false }
            searches.append(Search(key: key, value: value, candidates: candidates, others: claims))
            claims = [.areEqual(key, first.key)]
            return true
        }
    }

    private mutating func compare(_ left: StoredValue, _ right: StoredValue) -> Bool {
        switch (left, right) {
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return false }
            if left.node !== right.node { for (left, right) in zip(left.array, right.array) { claims.append(.areEqual(left, right)) } }
        case (.object(let left), .object(let right)):
            guard left.hasNames(of: right) else { return false }
            if left.branches.node !== right.branches.node { for (left, right) in zip(left.values, right.values) { claims.append(.areEqual(left, right)) } }
        case (.dictionary(let left), .dictionary(let right)):
            guard left.count == right.count else { return false }
            if left.branches.node === right.branches.node { return true }
            var pairs: [Int: [(key: StoredValue, value: StoredValue)]] = [:]
            for pair in right { pairs[pair.key.hashValue, default: []].append(pair) }
            for (key, value) in left {
                guard let candidates = pairs[key.hashValue] else { return false }
                if candidates.count == 1 {
                    // Mostly one is left, which needs no search.
                    claims.append(.areEqual(key, candidates[0].key))
                    claims.append(.areEqual(value, candidates[0].value))
                } else {
                    claims.append(.isAmong(key: key, value: value, candidates))
                }
            }
        default:
            return left.isEqualLeaf(to: right)
        }
        return true
    }
}
