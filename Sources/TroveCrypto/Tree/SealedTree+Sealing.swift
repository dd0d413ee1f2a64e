/// What seals the nodes of trees.
protocol PageSealer: TreeEditor {
    /// The data key with which is sealed.
    var activeKey: UInt32 { get }

    /// Seals a node with `count` entries below, to be written under its number.
    func seal(_ page: Page, number: UInt64, count: Int) throws -> Tag

    /// Seals a large value again, with the active key.
    func reseal(_ value: LargeValue) throws -> LargeValue
}

extension SealedTree {
    /// Seals the nodes that were changed, children first, and tells where the tree is then.
    mutating func seal(with sealer: some PageSealer) throws -> Descriptor {
        if let node = dirty {
            sealed = Descriptor(pointer: try Self.seal(node, with: sealer), level: node.page.level)
            dirty = nil
        }
        return sealed
    }

    private static func seal(_ node: DirtyNode, with sealer: some PageSealer) throws -> ChildPointer {
        for (position, child) in node.children.enumerated() {
            guard let child else { continue }
            try seal(child, with: sealer).bytes.withUnsafeBytes { node.page.entries.replacePayload(position, with: $0) }
            node.children[position] = nil
        }
        let tag = try sealer.seal(node.page, number: node.number, count: node.count)
        return ChildPointer(
            number: node.number, tag: tag, count: node.count, oldestKey: min(sealer.activeKey, try oldestKey(below: node.page, with: sealer)))
    }

    /// The lowest number of a key with which something below a node is sealed, the node itself left out.
    static func oldestKey(below page: Page, with editor: some PageSource) throws -> UInt32 {
        var oldest = UInt32.max
        do {
            for position in 0..<page.entries.count {
                if !page.isLeaf {
                    oldest = min(oldest, try page.child(position).oldestKey)
                } else if let value = try page.largeValue(position) {
                    oldest = min(oldest, value.key)
                }
            }
        } catch { throw editor.malformed("a pointer is none") }
        return oldest
    }

    // MARK: Rotation

    /// Marks nodes that are sealed with older keys than the active one as changed, so that they are sealed anew, and does the same for large values;
    /// at most about `budget` of them. What is done is taken off `budget`.
    mutating func renew(budget: inout Int, with sealer: some PageSealer) throws {
        guard budget > 0, dirty == nil, let pointer = sealed.pointer, pointer.oldestKey < sealer.activeKey else { return }
        let root = try editableRoot(with: sealer)
        try Self.renew(root, budget: &budget, with: sealer)
    }

    private static func renew(_ node: DirtyNode, budget: inout Int, with sealer: some PageSealer) throws {
        for position in 0..<node.page.entries.count where budget > 0 {
            if node.page.isLeaf {
                let found: LargeValue?
                do { found = try node.page.largeValue(position) } catch { throw sealer.malformed("a pointer to a large value is none") }
                guard let value = found, value.key < sealer.activeKey else { continue }
                let renewed = try sealer.reseal(value)
                budget -= renewed.numbers.count
                renewed.bytes.withUnsafeBytes { node.page.entries.replacePayload(position, with: $0, isLarge: true) }
            } else {
                let pointer: ChildPointer
                do { pointer = try node.page.child(position) } catch { throw sealer.malformed("a pointer to a node is none") }
                guard pointer.oldestKey < sealer.activeKey else { continue }
                try renew(editableChild(position, of: node, with: sealer), budget: &budget, with: sealer)
            }
        }
        // Last, so that the smallest budget is enough for a large value, and each step comes further.
        if node.page.isLeaf { budget -= 1 }
    }
}
