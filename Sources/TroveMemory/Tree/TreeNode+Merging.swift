extension TreeNode {
    /// Whether the node should look for a neighbour to merge with.
    private var isSmall: Bool {
        usedBytes < Self.maxCapacity / 4 && (isLeaf || count < Self.maxChildren / 4)
    }

    /// Removes the child at `position` when it is empty, merges it with a neighbour when it is small.
    /// The caller has subtracted from `total` what the child has lost.
    func mendChild(at position: Int) {
        let child = children[position]
        if child.count == 0 {
            remove(position..<position + 1)
        } else if child.isSmall {
            if position > 0 && canMerge(position - 1) {
                merge(position - 1)
            } else if position + 1 < count && canMerge(position) {
                merge(position)
            }
        }
    }

    /// Whether the child at `left` and its right neighbour make a node with room left, so that the next insert
    /// does not split it again.
    private func canMerge(_ left: Int) -> Bool {
        let (first, second) = (children[left], children[left + 1])
        return first.usedBytes + second.usedBytes + key(left + 1).count <= Self.maxCapacity * 3 / 4
            && (first.isLeaf || first.count + second.count <= Self.maxChildren * 3 / 4)
    }

    /// Moves the cells of the right neighbour of the child at `left` into that child.
    private func merge(_ left: Int) {
        Tree.makeUnique(&children[left])
        let right = children[left + 1]
        // A branch's first key is not kept right, so it takes the one that stood for the whole node.
        children[left].append(0..<right.count, of: right, firstKey: isLeafParent ? nil : key(left + 1))
        total += right.total
        remove(left + 1..<left + 2)
    }

    private var isLeafParent: Bool { level == 1 }
}
