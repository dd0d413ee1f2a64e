extension TreeNode {
    /// A new right neighbour and the least key it may hold.
    struct Split {
        let separator: [UInt8]
        let right: TreeNode
    }

    /// Moves the cells from `position` on to a new node, which takes the place to the right.
    private func detach(from position: Int) -> TreeNode {
        let right = TreeNode(level: level, capacity: Self.maxCapacity)
        right.append(position..<count, of: self)
        remove(position..<count)
        refreshHeads()
        return right
    }

    /// Where to divide the cells of a full node that gets a new one at `position`.
    ///
    /// In ascending or descending loads the new cell gets a node of its own, so that nodes stay full.
    private func divide(for position: Int) -> Int {
        if position == count || position == 0 { return position }
        var bytes = 0
        let half = usedBytes / 2
        for candidate in 0..<count {
            bytes += storedSize(slot(candidate)) + MemoryLayout<Slot>.stride
            if bytes >= half { return max(1, min(candidate + 1, count - 1)) }
        }
        return count / 2
    }

    /// Splits a full leaf and puts the entry at `position` of what was one leaf.
    func split(inserting key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, at position: Int) -> Split {
        let division = divide(for: position)
        let right = detach(from: division)
        let goesLeft = position < division || (position == division && division == 0)
        let isStored = goesLeft
            ? insertEntry(key, value, at: position)
            : right.insertEntry(key, value, at: position - division)
        precondition(isStored, "a split makes room for any entry")
        return Split(separator: Self.separator(between: self.key(count - 1), and: right.key(0)), right: right)
    }

    /// Splits a full branch and puts the child at `position` of what was one branch.
    func split(inserting child: TreeNode, from key: UnsafeRawBufferPointer, at position: Int) -> Split {
        let division = divide(for: position)
        let right = detach(from: division)
        let isStored = position < division
            ? insertChild(child, from: key, at: position)
            : right.insertChild(child, from: key, at: position - division)
        precondition(isStored, "a split makes room for any child")
        return Split(separator: [UInt8](right.key(0)), right: right)
    }

    /// The shortest key above `left` that is not above `right`.
    private static func separator(between left: UnsafeRawBufferPointer, and right: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](right.prefix(commonPrefix(of: left, and: right) + 1))
    }
}
