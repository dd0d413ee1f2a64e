@testable import TroveMemory
import TroveStorage

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
