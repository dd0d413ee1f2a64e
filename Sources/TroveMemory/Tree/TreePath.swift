/// The way from a tree's root to an entry.
///
/// It keeps no node alive: whoever uses it holds the tree and has not changed it since the path was made.
struct TreePath {
    private struct Step {
        let node: Unmanaged<TreeNode>
        var position: Int
    }

    /// From the root to the leaf; empty when the path leads to no entry.
    private var steps: ContiguousArray<Step> = []

    /// Calls `body` with the leaf and the position of the entry; returns whether there is one.
    func withEntry(_ body: (TreeNode, Int) throws -> Void) rethrows -> Bool {
        guard let last = steps.last else { return false }
        try last.node._withUnsafeGuaranteedRef { try body($0, last.position) }
        return true
    }

    /// Goes to the first entry at or above `key`; to none when there is none.
    mutating func seek(_ key: UnsafeRawBufferPointer, in tree: Tree) {
        descend(in: tree, child: { $0.childPosition(of: key) }, entry: { $0.lowerBound(of: key).position })
        settleUp()
    }

    /// Goes to the last entry below `key`; to none when there is none.
    mutating func seekBelow(_ key: UnsafeRawBufferPointer, in tree: Tree) {
        descend(in: tree, child: { $0.childPosition(of: key) }, entry: { $0.lowerBound(of: key).position })
        stepDown()
    }

    /// Goes to the last entry; to none when there is none.
    mutating func seekToLast(in tree: Tree) {
        descend(in: tree, child: { $0.count - 1 }, entry: { $0.count - 1 })
    }

    /// Goes to the entry above; to none from the last.
    mutating func stepUp() {
        if steps.isEmpty { return }
        steps[steps.count - 1].position += 1
        settleUp()
    }

    /// Goes to the entry below; to none from the first.
    mutating func stepDown() {
        while let step = steps.last {
            if step.position > 0 {
                steps[steps.count - 1].position -= 1
                fill(child: { $0.count - 1 }, entry: { $0.count - 1 })
                return
            }
            steps.removeLast()
        }
    }

    /// From a position behind the last cell of a node, goes to the first entry that follows.
    private mutating func settleUp() {
        while let step = steps.last {
            if step.position < step.node._withUnsafeGuaranteedRef({ $0.count }) {
                fill(child: { _ in 0 }, entry: { _ in 0 })
                return
            }
            steps.removeLast()
            if !steps.isEmpty { steps[steps.count - 1].position += 1 }
        }
    }

    private mutating func descend(in tree: Tree, child: (TreeNode) -> Int, entry: (TreeNode) -> Int) {
        steps.removeAll(keepingCapacity: true)
        guard let root = tree.root else { return }
        steps.append(Step(node: .passUnretained(root), position: root.isLeaf ? entry(root) : child(root)))
        fill(child: child, entry: entry)
    }

    /// Completes the path from its last node down to a leaf.
    private mutating func fill(child: (TreeNode) -> Int, entry: (TreeNode) -> Int) {
        while let step = steps.last {
            let next: Step? = step.node._withUnsafeGuaranteedRef { node in
                if node.isLeaf { return nil }
                let below = node.children[step.position]
                return Step(node: .passUnretained(below), position: below.isLeaf ? entry(below) : child(below))
            }
            guard let next else { return }
            steps.append(next)
        }
    }
}
