import Synchronization

/// The parts that a part of a tree is made of: a list of conditions in a ``Filter``, of words in a ``FullTextQuery``.
///
/// A tree of any depth is freed without one call inside the other, which a deep one would not have the stack for; and a list grows at its end
/// without being copied, so that a program may join a hundred thousand conditions one by one.
public struct Branches<Tree: Sendable>: Sendable {
    let node: BranchNode<Tree>
    public let count: Int

    init(_ trees: [Tree], _ free: @escaping BranchNode<Tree>.Free) {
        node = BranchNode(trees, free)
        count = trees.count
    }

    private init(_ node: BranchNode<Tree>, count: Int) {
        self.node = node
        self.count = count
    }

    /// The parts, in their order.
    public var array: [Tree] {
        let trees = node.trees.withLock { $0 }
        return trees.count == count ? trees : Array(trees[..<count])
    }

    /// The list with more parts at its end, whose own nodes are ``BranchNode/isNested``.
    ///
    /// - Complexity: O(*m*) for *m* more over many calls that each go on with the last one's result, else O(*n* + *m*).
    func appending(_ more: some Collection<Tree>) -> Branches {
        let isInPlace = node.trees.withLock { trees in
            // Another list may have gone on from here. What is a part of another tree may be one of these, which would then keep each other.
            guard trees.count == count, !node.isNested.load(ordering: .relaxed) else { return false }
            trees.append(contentsOf: more)
            return true
        }
        return isInPlace ? Branches(node, count: count + more.count) : Branches(array + more, node.free)
    }
}

extension Branches: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    public subscript(position: Int) -> Tree {
        precondition(position < count, "the index \(position) is behind the end, \(count)")
        return node.trees.withLock { $0[position] }
    }

    public func makeIterator() -> IndexingIterator<[Tree]> { array.makeIterator() }
}

/// The one part that a part of a tree is made of: the condition that a ``Filter`` says `not` of.
public struct Branch<Tree: Sendable>: Sendable {
    let node: BranchNode<Tree>

    init(_ tree: Tree, _ free: @escaping BranchNode<Tree>.Free) {
        node = BranchNode([tree], free)
    }

    /// The part itself.
    public var value: Tree { node.trees.withLock { $0[0] } }
}

/// What lists of branches share: the parts of the longest of them.
final class BranchNode<Tree: Sendable>: Sendable {
    /// Frees what a node has, by ``freeTrees(_:)``.
    ///
    /// The end of a generic class is the one place that no compiler specialises, and each step of it would look its types up. So it
    /// calls a function of the trees' own type.
    typealias Free = @Sendable (BranchNode<Tree>) -> Void

    let trees: Mutex<[Tree]>
    let free: Free
    /// Whether the tree with these branches is, or has been, a branch itself: then the node stays as it is, so that none comes to be below itself.
    let isNested = Atomic(false)

    init(_ trees: [Tree], _ free: @escaping Free) {
        self.trees = Mutex(trees)
        self.free = free
    }

    deinit { free(self) }

    /// Frees the trees of a node that ends.
    ///
    /// - Parameter detach: takes a tree's own node out of it, and leaves one without branches; nil when it has none.
    @inline(__always)
    func freeTrees(_ detach: (inout Tree) -> BranchNode<Tree>?) {
        var waiting = trees.withLock { trees in
            defer { trees = [] }
            return trees
        }
        while var tree = waiting.popLast() {
            guard var node = detach(&tree), isKnownUniquelyReferenced(&node) else { continue }
            // Nobody else has the node, so its end finds nothing left to free.
            node.trees.withLock { trees in
                waiting.append(contentsOf: trees)
                trees = []
            }
        }
    }
}
