import TroveStorage

/// A persistent ordered map from bytes to bytes: a B+ tree whose versions share nodes.
///
/// Copying the value is a snapshot in O(1). A change copies the nodes on its path that another version
/// shares and changes the others where they are.
struct Tree: Sendable {
    /// nil when there are no entries.
    private(set) var root: TreeNode?

    /// The number of entries.
    var count: Int { root?.total ?? 0 }

    /// The number of levels.
    var depth: Int { root.map { $0.level + 1 } ?? 0 }

    /// Calls `body` with the value of `key` and returns whether there is one.
    ///
    /// The tree keeps its root meanwhile, so a change by the body, in another copy of the value, does not touch the bytes.
    func get(_ key: RawSpan, _ body: (RawSpan) throws -> Void) rethrows -> Bool {
        guard let root else { return false }
        return try key.withUnsafeBytes { key in
            var node = Unmanaged.passUnretained(root)
            return try withExtendedLifetime(root) {
                while true {
                    let child = node._withUnsafeGuaranteedRef { node in
                        node.isLeaf ? nil : Unmanaged.passUnretained(node.children[node.childPosition(of: key)])
                    }
                    guard let child else { break }
                    node = child
                }
                return try node._withUnsafeGuaranteedRef { leaf in
                    let (position, isFound) = leaf.lowerBound(of: key)
                    if isFound { try leaf.withValue(position, body) }
                    return isFound
                }
            }
        }
    }

    /// How many entries have keys below `bound`.
    ///
    /// - Complexity: O(log *n*).
    func count(below bound: [UInt8]) -> Int {
        guard var node = root, !bound.isEmpty else { return 0 }
        return bound.withUnsafeBytes { bound in
            var count = 0
            while !node.isLeaf {
                let position = node.childPosition(of: bound)
                for sibling in 0..<position { count += node.children[sibling].total }
                node = node.children[position]
            }
            return count + node.lowerBound(of: bound).position
        }
    }

    /// Whether there is an entry with this key.
    func contains(_ key: RawSpan) -> Bool { get(key) { _ in } }

    /// Stores an entry, replacing the one with the same key.
    mutating func put(_ key: RawSpan, _ value: RawSpan) {
        key.withUnsafeBytes { key in
            value.withUnsafeBytes { value in
                // Taken out while it changes, so that this is the only reference.
                var node = root.take() ?? TreeNode(level: 0)
                if let split = Self.put(key, value, in: &node) {
                    let top = TreeNode(level: node.level + 1)
                    let fits = split.separator.withUnsafeBytes { separator in
                        top.insertChild(node, from: UnsafeRawBufferPointer(start: nil, count: 0), at: 0)
                            && top.insertChild(split.right, from: separator, at: 1)
                    }
                    precondition(fits, "two children fit into a new root")
                    node = top
                }
                root = node
            }
        }
    }

    private static func put(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, in node: inout TreeNode
    ) -> TreeNode.Split? {
        makeUnique(&node)
        if node.isLeaf {
            let (position, isFound) = node.lowerBound(of: key)
            if isFound {
                if node.overwriteValue(at: position, with: value) { return nil }
                node.remove(position..<position + 1)
            }
            return node.insertEntry(key, value, at: position) ? nil : node.split(inserting: key, value, at: position)
        }
        let position = node.childPosition(of: key)
        let before = node.children[position].total
        let split = put(key, value, in: &node.children[position])
        node.total += node.children[position].total - before
        guard let split else { return nil }
        return split.separator.withUnsafeBytes { separator in
            node.insertChild(split.right, from: separator, at: position + 1)
                ? nil : node.split(inserting: split.right, from: separator, at: position + 1)
        }
    }

    /// Replaces a node that another version shares by a copy.
    static func makeUnique(_ node: inout TreeNode) {
        if !isKnownUniquelyReferenced(&node) { node = TreeNode(copying: node) }
    }

    /// Changes the root, which is taken out meanwhile, and takes levels off that have become superfluous.
    mutating func changeRoot<Result>(_ body: (inout TreeNode) -> Result) -> Result? {
        guard var node = root.take() else { return nil }
        let result = body(&node)
        while node.count == 1 && !node.isLeaf { node = node.children[0] }
        root = node.count == 0 ? nil : node
        return result
    }

    /// A tree with the same entries in full nodes.
    func repacked() -> Tree {
        var packed = Tree()
        scan(from: [], upTo: nil, order: .ascending) { leaf, position in
            leaf.withValue(position) { packed.put(leaf.key(position).bytes, $0) }
            return true
        }
        return packed
    }
}
