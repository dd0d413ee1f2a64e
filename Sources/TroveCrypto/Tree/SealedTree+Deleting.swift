extension SealedTree {
    /// Removes the entry with this key, which is there.
    mutating func remove(_ key: UnsafeRawBufferPointer, with editor: some TreeEditor) throws {
        let root = try editableRoot(with: editor)
        try Self.remove(from: key, upTo: nil, in: root, with: editor)
        try shrink(with: editor)
    }

    /// Removes the entries from `lower` up to `upper`, which is not among them; returns how many there were.
    mutating func removeRange(from lower: [UInt8], upTo upper: [UInt8]?, with editor: some TreeEditor) throws -> Int {
        if lower.isEmpty, upper == nil { return try removeAll(with: editor) }
        let before = count
        // One leaf after the other.
        while let spot = try seek(lower, in: editor) {
            let first = spot.page.entries.key(spot.position)
            if let upper, !first.lexicographicallyPrecedes(upper) { break }
            let root = try editableRoot(with: editor)
            let left = root.count
            try first.withUnsafeBytes { try Self.remove(from: $0, upTo: .some(upper), in: root, with: editor) }
            guard root.count < left else { throw editor.malformed("a node has keys of another node") }
            try shrink(with: editor)
        }
        return before - count
    }

    /// Removes everything; returns how many entries there were.
    mutating func removeAll(with editor: some TreeEditor) throws -> Int {
        let before = count
        if let (page, node) = try root(in: editor) { try free(page, node, number: node?.number ?? sealed.pointer?.number ?? 0, with: editor) }
        (sealed, dirty) = (.empty, nil)
        return before
    }

    // MARK: Removing from nodes

    /// Removes the entry at `key` and, when `upper` is given, those behind it in the same leaf that are below its value (all, when that is nil).
    private static func remove(from key: UnsafeRawBufferPointer, upTo upper: [UInt8]??, in node: DirtyNode, with editor: some TreeEditor) throws {
        if node.page.isLeaf {
            let first = node.page.entries.lowerBound(of: key).position
            let end =
                switch upper {
                case .none: first + 1
                case .some(.none): node.page.entries.count
                case .some(.some(let upper)): upper.withUnsafeBytes { node.page.entries.lowerBound(of: $0, from: first).position }
                }
            for position in first..<end { try freeLargeValue(position, of: node.page, with: editor) }
            node.page.entries.remove(first..<end)
            node.count = node.page.entries.count
            return
        }
        let position = node.page.childPosition(of: key)
        let child = try editableChild(position, of: node, with: editor)
        let before = child.count
        try remove(from: key, upTo: upper, in: child, with: editor)
        node.count -= before - child.count
        if child.page.entries.isEmpty {
            editor.free(child.number, sealedKey: child.page.sealedKey)
            node.page.entries.remove(position..<position + 1)
            node.children.remove(at: position)
        } else if child.size < editor.nodeSize / 4, node.page.entries.count > 1 {
            try merge(around: position, in: node, with: editor)
        }
    }

    /// Puts a small child and one beside it together, when they fit into one node.
    private static func merge(around position: Int, in node: DirtyNode, with editor: some TreeEditor) throws {
        let left = position > 0 ? position - 1 : position
        let right = left + 1
        let other = position == left ? right : left
        let size = try node.children[other]?.size ?? page(other, of: node, with: editor).entries.bytes.count
        guard let own = node.children[position]?.size, own + size <= editor.nodeSize * 3 / 4 else { return }
        let target = try editableChild(left, of: node, with: editor)
        let source = try editableChild(right, of: node, with: editor)
        if !source.page.isLeaf { source.page.entries.replaceKey(0, with: node.page.entries.key(right)) }
        target.page.entries.append(source.page.entries)
        target.children += source.children
        target.count += source.count
        editor.free(source.number, sealedKey: source.page.sealedKey)
        node.page.entries.remove(right..<right + 1)
        node.children.remove(at: right)
    }

    private static func page(_ position: Int, of node: DirtyNode, with editor: some TreeEditor) throws -> Page {
        let pointer: ChildPointer
        do { pointer = try node.page.child(position) } catch { throw editor.malformed("a pointer to a node is none") }
        return try editor.page(pointer, level: node.page.level - 1)
    }

    /// Takes away roots that have one child, and the last leaf when it is empty.
    private mutating func shrink(with editor: some TreeEditor) throws {
        while let root = dirty, !root.page.isLeaf, root.page.entries.count <= 1 {
            if root.page.entries.isEmpty {
                editor.free(root.number, sealedKey: root.page.sealedKey)
                (sealed, dirty) = (.empty, nil)
                return
            }
            editor.free(root.number, sealedKey: root.page.sealedKey)
            dirty = try Self.editableChild(0, of: root, with: editor)
        }
        if let root = dirty, root.page.entries.isEmpty {
            editor.free(root.number, sealedKey: root.page.sealedKey)
            (sealed, dirty) = (.empty, nil)
        }
    }

    /// Gives up a node and all below.
    private func free(_ page: Page, _ node: DirtyNode?, number: UInt64, with editor: some TreeEditor) throws {
        for position in 0..<page.entries.count {
            if page.isLeaf {
                try Self.freeLargeValue(position, of: page, with: editor)
            } else {
                let (child, dirtyChild) = try child(position, of: page, node, in: editor)
                let number = try dirtyChild?.number ?? pointer(position, of: page, in: editor).number
                try free(child, dirtyChild, number: number, with: editor)
            }
        }
        editor.free(number, sealedKey: page.sealedKey)
    }
}
