extension Tree {
    /// Removes the entry with this key, which must exist.
    mutating func delete(_ key: RawSpan) {
        key.withUnsafeBytes { key in
            _ = changeRoot { Self.delete(key, from: &$0) }
        }
    }

    private static func delete(_ key: UnsafeRawBufferPointer, from node: inout TreeNode) {
        makeUnique(&node)
        if node.isLeaf {
            let (position, isFound) = node.lowerBound(of: key)
            if isFound { node.remove(position..<position + 1) }
            return
        }
        let position = node.childPosition(of: key)
        let before = node.children[position].total
        delete(key, from: &node.children[position])
        node.total += node.children[position].total - before
        node.mendChild(at: position)
    }

    /// Removes the entries from `lower` up to `upper`, which is not below it; returns how many there were.
    ///
    /// - Complexity: O(log *n*), apart from the release of the nodes between.
    mutating func deleteRange(from lower: [UInt8], upTo upper: [UInt8]?) -> Int {
        let before = count
        lower.withUnsafeBytes { lower in
            // A nil bound stands for an end of the subtree, so an empty one has to become nil here.
            let lower = lower.isEmpty ? nil : lower
            if let upper {
                upper.withUnsafeBytes { upper in _ = changeRoot { Self.delete(from: lower, upTo: upper, in: &$0) } }
            } else {
                _ = changeRoot { Self.delete(from: lower, upTo: nil, in: &$0) }
            }
        }
        return before - count
    }

    private static func delete(
        from lower: UnsafeRawBufferPointer?, upTo upper: UnsafeRawBufferPointer?, in node: inout TreeNode
    ) {
        makeUnique(&node)
        if node.isLeaf {
            let first = lower.map { node.lowerBound(of: $0).position } ?? 0
            let end = upper.map { node.lowerBound(of: $0).position } ?? node.count
            node.remove(first..<end)
            return
        }
        let first = lower.map(node.childPosition) ?? 0
        let last = upper.map(node.childPosition) ?? node.count - 1
        if first == last {
            deleteInChild(first, of: node, from: lower, upTo: upper)
            node.mendChild(at: first)
            return
        }
        // From the right, so that positions to the left stay.
        if upper != nil { deleteInChild(last, of: node, from: nil, upTo: upper) }
        if lower != nil { deleteInChild(first, of: node, from: lower, upTo: nil) }
        let whole = (lower == nil ? first : first + 1)..<(upper == nil ? last + 1 : last)
        node.remove(whole)
        if upper != nil && whole.lowerBound < node.count { node.mendChild(at: whole.lowerBound) }
        if lower != nil && first < node.count { node.mendChild(at: first) }
    }

    private static func deleteInChild(
        _ position: Int, of node: TreeNode, from lower: UnsafeRawBufferPointer?, upTo upper: UnsafeRawBufferPointer?
    ) {
        let before = node.children[position].total
        delete(from: lower, upTo: upper, in: &node.children[position])
        node.total += node.children[position].total - before
    }
}
