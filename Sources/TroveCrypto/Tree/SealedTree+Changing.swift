/// What a write transaction gives its trees.
protocol TreeEditor: PageSource {
    /// The size above which a node is divided.
    var nodeSize: Int { get }

    /// A number that no sealed value of the store ever had.
    func makeNumber() -> UInt64

    /// Takes note of a node or value that is not needed any more.
    func free(_ number: UInt64, sealedKey: UInt32?)

    /// Takes note that one more node is held in memory.
    func noteDirty()
}

extension TreeEditor {
    func free(_ value: LargeValue) {
        for number in value.numbers { free(number, sealedKey: value.key) }
    }
}

/// A value as it stands in a leaf.
struct LeafValue {
    var payload: UnsafeRawBufferPointer
    var isLarge: Bool
}

extension SealedTree {
    /// Stores an entry, in place of the one that may be there.
    mutating func put(_ key: UnsafeRawBufferPointer, _ value: LeafValue, with editor: some TreeEditor) throws {
        let root = try editableRoot(with: editor)
        guard let (separator, right) = try Self.insert(key, value, into: root, isLast: true, with: editor) else { return }
        let level = root.page.level + 1
        guard level <= Descriptor.maxLevel else { throw editor.malformed("a keyspace has more levels than it can") }
        var entries = EntryList()
        for (position, key) in [[], separator].enumerated() {
            key.withUnsafeBytes { key in ChildPointer.unsealed.bytes.withUnsafeBytes { entries.insert(key, $0, at: position) } }
        }
        let top = DirtyNode(number: editor.makeNumber(), page: Page(level: level, entries: entries, sealedKey: nil), count: root.count + right.count)
        top.children = [root, right]
        editor.noteDirty()
        dirty = top
    }

    // MARK: Nodes to change

    /// The root, as one that nobody else holds.
    mutating func editableRoot(with editor: some TreeEditor) throws -> DirtyNode {
        if dirty != nil, !isKnownUniquelyReferenced(&dirty) { dirty = dirty?.copy() }
        if let dirty { return dirty }
        let node: DirtyNode
        if let pointer = sealed.pointer {
            node = DirtyNode(number: pointer.number, page: try editor.page(pointer, level: sealed.level), count: pointer.count)
        } else {
            node = DirtyNode(number: editor.makeNumber(), page: Page(level: 0, entries: EntryList(), sealedKey: nil), count: 0)
        }
        editor.noteDirty()
        dirty = node
        return node
    }

    /// A child, as one that nobody else holds.
    static func editableChild(_ position: Int, of node: DirtyNode, with editor: some TreeEditor) throws -> DirtyNode {
        if node.children[position] != nil, !isKnownUniquelyReferenced(&node.children[position]) {
            node.children[position] = node.children[position]?.copy()
        }
        if let child = node.children[position] { return child }
        let pointer: ChildPointer
        do { pointer = try node.page.child(position) } catch { throw editor.malformed("a pointer to a node is none") }
        let child = DirtyNode(number: pointer.number, page: try editor.page(pointer, level: node.page.level - 1), count: pointer.count)
        editor.noteDirty()
        node.children[position] = child
        return child
    }

    // MARK: Inserting

    /// Stores an entry below a node; returns the key and the node to stand behind it when it had to be divided.
    ///
    /// - Parameter isLast: whether the node is the last one of its level.
    private static func insert(
        _ key: UnsafeRawBufferPointer, _ value: LeafValue, into node: DirtyNode, isLast: Bool, with editor: some TreeEditor
    ) throws -> (separator: [UInt8], right: DirtyNode)? {
        var isAtEnd = false
        if node.page.isLeaf {
            let (position, isEqual) = node.page.entries.lowerBound(of: key)
            if isEqual {
                try freeLargeValue(position, of: node.page, with: editor)
                node.page.entries.replacePayload(position, with: value.payload, isLarge: value.isLarge)
            } else {
                isAtEnd = isLast && position == node.page.entries.count
                node.page.entries.insert(key, value.payload, isLarge: value.isLarge, at: position)
                node.count += 1
            }
        } else {
            let position = node.page.childPosition(of: key)
            let isLastChild = position == node.page.entries.count - 1
            let child = try editableChild(position, of: node, with: editor)
            let before = child.count
            let division = try insert(key, value, into: child, isLast: isLast && isLastChild, with: editor)
            node.count += child.count + (division?.right.count ?? 0) - before
            guard let (separator, right) = division else { return nil }
            separator.withUnsafeBytes { key in
                ChildPointer.unsealed.bytes.withUnsafeBytes { node.page.entries.insert(key, $0, at: position + 1) }
            }
            node.children.insert(right, at: position + 1)
            isAtEnd = isLast && isLastChild
        }
        return try divide(node, isAtEnd: isAtEnd, with: editor)
    }

    /// Divides a node that has become too large. One that grows at the end of the keyspace stays full, since no key will come between.
    private static func divide(_ node: DirtyNode, isAtEnd: Bool, with editor: some TreeEditor) throws -> (separator: [UInt8], right: DirtyNode)? {
        let entries = node.page.entries
        guard node.size > editor.nodeSize, entries.count >= (node.page.isLeaf ? 2 : 4) else { return nil }
        var position = entries.count - (node.page.isLeaf ? 1 : 2)
        if !isAtEnd {
            var size = 0
            position = 0
            while position < entries.count - 1, size < node.size / 2 {
                size += entries.size(of: position)
                position += 1
            }
            if !node.page.isLeaf { position = min(max(position, 2), entries.count - 2) }
        }
        let first = entries.key(position)
        let separator = node.page.isLeaf ? shortest(above: entries.key(position - 1), upTo: first) : first
        let right = DirtyNode(
            number: editor.makeNumber(), page: Page(level: node.page.level, entries: node.page.entries.splitOff(from: position), sealedKey: nil),
            count: 0)
        if node.page.isLeaf {
            right.count = right.page.entries.count
        } else {
            right.children = Array(node.children[position...])
            node.children.removeSubrange(position...)
            right.count = try count(of: right, with: editor)
        }
        node.count -= right.count
        editor.noteDirty()
        return (separator, right)
    }

    /// The entries below the children that a node has now.
    private static func count(of node: DirtyNode, with editor: some TreeEditor) throws -> Int {
        var count = 0
        for position in node.children.indices { count += try self.count(of: position, of: node, with: editor) }
        return count
    }

    static func count(of position: Int, of node: DirtyNode, with editor: some TreeEditor) throws -> Int {
        if let child = node.children[position] { return child.count }
        do { return try node.page.child(position).count } catch { throw editor.malformed("a pointer to a node is none") }
    }

    /// The shortest key that is above `low` and not above `high`, which is above `low`.
    private static func shortest(above low: [UInt8], upTo high: [UInt8]) -> [UInt8] {
        let common = zip(low, high).prefix { $0 == $1 }.count
        return Array(high.prefix(common + 1))
    }

    /// Gives up the value at a position of a leaf when it is kept apart.
    static func freeLargeValue(_ position: Int, of page: Page, with editor: some TreeEditor) throws {
        do {
            if let value = try page.largeValue(position) { editor.free(value) }
        } catch { throw editor.malformed("a pointer to a large value is none") }
    }
}
