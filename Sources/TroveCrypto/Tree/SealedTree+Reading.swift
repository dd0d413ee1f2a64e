extension SealedTree {
    /// A key that bounds what is in a leaf: that of a position of a node above it.
    struct Bound {
        let page: Page
        let position: Int

        var key: [UInt8] { page.entries.key(position) }
    }

    /// A place in a leaf.
    struct Spot {
        var page: Page
        var position: Int
        /// The lower bound of the leaf's keys; nil in the first leaf.
        var low: Bound?
        /// The key that is above all of the leaf's; nil in the last leaf.
        var high: Bound?
    }

    /// Which way to go down.
    private enum Target {
        case last
        case at(UnsafeRawBufferPointer)
        case below(UnsafeRawBufferPointer)
    }

    /// The place of the first entry whose key is `key` or above; nil when there is none.
    func seek(_ key: UnsafeRawBufferPointer, in source: some PageSource) throws -> Spot? {
        guard var spot = try leaf(.at(key), in: source) else { return nil }
        spot.position = spot.page.entries.lowerBound(of: key).position
        if spot.position < spot.page.entries.count { return spot }
        guard let high = spot.high else { return nil }
        return try seek(from: high, in: source)
    }

    func seek(_ key: [UInt8], in source: some PageSource) throws -> Spot? { try key.withUnsafeBytes { try seek($0, in: source) } }

    /// The first place of the leaf that begins at a bound.
    func seek(from bound: Bound, in source: some PageSource) throws -> Spot? { try bound.key.withUnsafeBytes { try leaf(.at($0), in: source) } }

    /// The place of the last entry whose key is below `key`, or of the last one; nil when there is none.
    func seek(below key: [UInt8]?, in source: some PageSource) throws -> Spot? {
        guard let key else {
            guard var spot = try leaf(.last, in: source) else { return nil }
            spot.position = spot.page.entries.count - 1
            return spot
        }
        return try key.withUnsafeBytes { key in
            guard var spot = try leaf(.below(key), in: source) else { return nil }
            spot.position = spot.page.entries.lowerBound(of: key).position - 1
            if spot.position >= 0 { return spot }
            guard let low = spot.low else { return nil }
            return try seek(below: low, in: source)
        }
    }

    /// The last place of the leaf that ends at a bound.
    func seek(below bound: Bound, in source: some PageSource) throws -> Spot? {
        try bound.key.withUnsafeBytes { key in
            guard var spot = try leaf(.below(key), in: source) else { return nil }
            spot.position = spot.page.entries.count - 1
            return spot
        }
    }

    /// The place of the entry with this key; nil when there is none.
    func find(_ key: UnsafeRawBufferPointer, in source: some PageSource) throws -> (page: Page, position: Int)? {
        guard var (page, node) = try root(in: source) else { return nil }
        while !page.isLeaf { (page, node) = try child(page.childPosition(of: key), of: page, node, in: source) }
        let (position, isEqual) = page.entries.lowerBound(of: key)
        return isEqual ? (page, position) : nil
    }

    /// How many entries have keys below `key`.
    func count(below key: [UInt8], in source: some PageSource) throws -> Int {
        guard var (page, node) = try root(in: source) else { return 0 }
        return try key.withUnsafeBytes { key in
            var count = 0
            while !page.isLeaf {
                let position = page.childPosition(of: key)
                for index in 0..<position { count += try self.count(of: index, of: page, node, in: source) }
                (page, node) = try child(position, of: page, node, in: source)
            }
            return count + page.entries.lowerBound(of: key).position
        }
    }

    // MARK: Going down

    private func leaf(_ target: Target, in source: some PageSource) throws -> Spot? {
        guard var (page, node) = try root(in: source) else { return nil }
        var (low, high): (Bound?, Bound?)
        while !page.isLeaf {
            let position =
                switch target {
                case .last: page.entries.count - 1
                case .at(let key): page.childPosition(of: key)
                case .below(let key): page.childPosition(below: key)
                }
            if position > 0 { low = Bound(page: page, position: position) }
            if position + 1 < page.entries.count { high = Bound(page: page, position: position + 1) }
            (page, node) = try child(position, of: page, node, in: source)
            guard Self.isInside(page, low, high) else { throw source.malformed("a node has keys of another node") }
        }
        return Spot(page: page, position: 0, low: low, high: high)
    }

    /// Whether the keys of a node are between the bounds that the nodes above set: then each leaf of a scan has keys behind those of the one before.
    private static func isInside(_ page: Page, _ low: Bound?, _ high: Bound?) -> Bool {
        let first = page.isLeaf ? 0 : 1
        guard page.entries.count > first else { return true }
        if let low, page.entries.isKey(first, below: low.page.entries, at: low.position) { return false }
        guard let high else { return true }
        return page.entries.isKey(page.entries.count - 1, below: high.page.entries, at: high.position)
    }

    func root(in source: some PageSource) throws -> (Page, DirtyNode?)? {
        if let dirty { return (dirty.page, dirty) }
        guard let pointer = sealed.pointer else { return nil }
        return (try source.page(pointer, level: sealed.level), nil)
    }

    func child(_ position: Int, of page: Page, _ node: DirtyNode?, in source: some PageSource) throws -> (Page, DirtyNode?) {
        if let child = node?.children[position] { return (child.page, child) }
        return (try source.page(try pointer(position, of: page, in: source), level: page.level - 1), nil)
    }

    private func count(of position: Int, of page: Page, _ node: DirtyNode?, in source: some PageSource) throws -> Int {
        if let child = node?.children[position] { return child.count }
        return try pointer(position, of: page, in: source).count
    }

    func pointer(_ position: Int, of page: Page, in source: some PageSource) throws -> ChildPointer {
        do { return try page.child(position) } catch { throw source.malformed("a pointer to a node is none") }
    }
}
