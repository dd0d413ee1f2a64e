extension Tree {
    /// What is wrong with the structure of the tree; nil when nothing is. For tests.
    func brokenInvariant() -> String? {
        guard let root else { return nil }
        if root.count == 0 { return "the root is empty" }
        if !root.isLeaf && root.count == 1 { return "the root has one child" }
        return root.brokenInvariant(from: [], upTo: nil)
    }
}

extension TreeNode {
    fileprivate func brokenInvariant(from lower: [UInt8], upTo upper: [UInt8]?) -> String? {
        if count == 0 { return "a node of level \(level) is empty" }
        if usedBytes > capacity || capacity > Self.maxCapacity { return "a node uses \(usedBytes) of \(capacity) bytes" }
        let keys = ((isLeaf ? 0 : 1)..<count).map { [UInt8](key($0)) }
        for (left, right) in zip(keys, keys.dropFirst()) where !left.lexicographicallyPrecedes(right) {
            return "keys \(left) and \(right) of level \(level) are out of order"
        }
        if let first = keys.first, first.lexicographicallyPrecedes(lower) { return "key \(first) is below its node's bound \(lower)" }
        if let last = keys.last, let upper, !last.lexicographicallyPrecedes(upper) { return "key \(last) is above its node's bound \(upper)" }
        for (offset, key) in keys.enumerated() {
            let head = key.withUnsafeBytes { Self.head(of: $0, after: prefixSize) }
            if slot(firstSearched + offset).head != head { return "the head of key \(key) is wrong" }
            if key.prefix(prefixSize) != keys[0].prefix(prefixSize) { return "key \(key) has not the node's prefix" }
        }
        if isLeaf { return total == count ? nil : "a leaf of \(count) entries counts \(total)" }
        if children.count != count { return "a branch of \(count) cells has \(children.count) children" }
        if total != children.reduce(0, { $0 + $1.total }) { return "a branch counts \(total) entries, its children otherwise" }
        for (position, child) in children.enumerated() {
            if child.level != level - 1 { return "a child of level \(child.level) is below level \(level)" }
            let problem = child.brokenInvariant(
                from: position == 0 ? lower : keys[position - 1], upTo: position + 1 < count ? keys[position] : upper)
            if let problem { return problem }
        }
        return nil
    }
}
