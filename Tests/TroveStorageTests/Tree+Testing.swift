@testable import TroveStorage

/// An entry, for comparison.
struct Pair: Hashable {
    let key: [UInt8]
    let value: [UInt8]
}

extension Tree {
    func has(_ key: [UInt8]) -> Bool { contains(key.span.bytes) }

    mutating func put(_ key: [UInt8], _ value: [UInt8]) { put(key.span.bytes, value.span.bytes) }

    mutating func delete(_ key: [UInt8]) { delete(key.span.bytes) }

    func contents(order: ScanOrder = .ascending) -> [Pair] {
        var pairs: [Pair] = []
        scan(from: [], upTo: nil, order: order) { leaf, position in
            pairs.append(Pair(key: [UInt8](leaf.key(position)), value: leaf.withValue(position) { [UInt8](copying: $0) }))
            return true
        }
        return pairs
    }

    /// The identities of all nodes.
    var nodes: Set<ObjectIdentifier> {
        var nodes: Set<ObjectIdentifier> = []
        var level = root.map { [$0] } ?? []
        while !level.isEmpty {
            nodes.formUnion(level.map(ObjectIdentifier.init))
            level = level.flatMap(\.children)
        }
        return nodes
    }

    var leafCount: Int {
        var level = root.map { [$0] } ?? []
        while let first = level.first, !first.isLeaf { level = level.flatMap(\.children) }
        return level.count
    }
}

extension TreePath {
    var key: [UInt8]? {
        var key: [UInt8]?
        _ = withEntry { leaf, position in key = [UInt8](leaf.key(position)) }
        return key
    }
}

extension Dictionary where Key == [UInt8], Value == [UInt8] {
    func inKeyOrder() -> [Pair] {
        map { Pair(key: $0.key, value: $0.value) }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }
}

extension Int {
    /// Eight bytes, the highest first.
    var key: [UInt8] { withUnsafeBytes(of: UInt64(self).bigEndian) { [UInt8]($0) } }
}

/// A random generator that gives the same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A key of few byte values, so that keys share beginnings.
    mutating func key(_ lengths: ClosedRange<Int>) -> [UInt8] {
        let alphabet: [UInt8] = [0x00, 0x01, 0x61, 0x80, 0xFF]
        let length = Int.random(in: lengths, using: &self)
        let shared = length > 20 ? length - 6 : 0
        return (0..<length).map { $0 < shared ? 0x61 : alphabet.randomElement(using: &self) ?? 0 }
    }

    mutating func bytes(_ lengths: ClosedRange<Int>) -> [UInt8] {
        let byte = UInt8.random(in: 0...255, using: &self)
        return [UInt8](repeating: byte, count: Int.random(in: lengths, using: &self))
    }
}
