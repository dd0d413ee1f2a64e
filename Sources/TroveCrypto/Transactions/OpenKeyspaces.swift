/// A keyspace that a transaction has a handle on.
struct OpenKeyspace {
    let name: [UInt8]
    var tree: SealedTree
    var isChanged = false
    /// Dropped, or made in a savepoint that was undone.
    var isGone = false
}

/// The keyspaces that a transaction has handles on; a handle's number is a position here.
struct OpenKeyspaces {
    /// Up to so many are looked through, which is quicker than a dictionary.
    private static let maxListed = 8

    private var keyspaces: [OpenKeyspace] = []
    /// The positions of those that are there, once they are many.
    private var positions: [[UInt8]: Int] = [:]

    var count: Int { keyspaces.count }
    var indices: Range<Int> { keyspaces.indices }

    subscript(position: Int) -> OpenKeyspace {
        get { keyspaces[position] }
        _modify { yield &keyspaces[position] }
    }

    func position(of name: [UInt8]) -> Int? {
        if keyspaces.count > Self.maxListed { return positions[name] }
        return keyspaces.lastIndex { !$0.isGone && $0.name == name }
    }

    /// Adds a keyspace that is not here, or is gone; returns its position.
    mutating func add(_ name: [UInt8], _ tree: SealedTree) -> Int {
        keyspaces.append(OpenKeyspace(name: name, tree: tree))
        if keyspaces.count > Self.maxListed {
            if positions.isEmpty {
                for (position, keyspace) in keyspaces.enumerated() where !keyspace.isGone { positions[keyspace.name] = position }
            }
            positions[name] = keyspaces.count - 1
        }
        return keyspaces.count - 1
    }

    /// Takes note that a keyspace is not there any more.
    mutating func drop(_ position: Int) {
        keyspaces[position].isGone = true
        keyspaces[position].tree = SealedTree()
        positions[keyspaces[position].name] = nil
    }

    /// Goes back to what was before; handles that were given since lead nowhere.
    mutating func restore(_ before: OpenKeyspaces) {
        let names = keyspaces[before.count...].map(\.name)
        self = before
        for name in names { drop(add(name, SealedTree())) }
        // One that was given since may have the name of one that was dropped since and is there again.
        guard keyspaces.count > Self.maxListed else { return }
        for position in before.indices where !keyspaces[position].isGone { positions[keyspaces[position].name] = position }
    }
}
