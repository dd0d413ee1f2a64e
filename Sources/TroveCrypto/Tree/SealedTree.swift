/// One keyspace, or the catalogue of keyspaces: a B+tree whose nodes are sealed values.
///
/// Its nodes are opened when they are needed. Those that a write transaction changes it holds in memory until they are sealed; a copy of the tree
/// shares them until one of the two changes, which is how savepoints are undone.
struct SealedTree {
    /// A tree as it is kept: the pointer to its root and the root's level; no pointer when it is empty.
    struct Descriptor: Sendable, Hashable {
        static let empty = Descriptor(pointer: nil, level: 0)
        static let size = 2 + ChildPointer.size
        /// Above what any number of entries needs, as each level halves it at least.
        static let maxLevel = 64

        var pointer: ChildPointer?
        var level: Int

        init(pointer: ChildPointer?, level: Int) { (self.pointer, self.level) = (pointer, level) }

        init(_ bytes: [UInt8]) throws {
            guard bytes.count == Self.size, bytes[0] <= 1, bytes[1] <= Self.maxLevel else { throw MalformedBytes() }
            level = Int(bytes[1])
            pointer = nil
            if bytes[0] == 1 {
                pointer = try bytes.withUnsafeBytes { try ChildPointer(UnsafeRawBufferPointer(rebasing: $0[2...])) }
            }
        }

        var bytes: [UInt8] { [pointer == nil ? 0 : 1, UInt8(level)] + (pointer ?? .unsealed).bytes }
    }

    /// The tree as it was sealed last.
    var sealed: Descriptor
    /// The changed root; nil when nothing was changed.
    var dirty: DirtyNode?

    init(_ descriptor: Descriptor = .empty) { sealed = descriptor }

    /// The number of entries.
    var count: Int { dirty?.count ?? sealed.pointer?.count ?? 0 }
}

/// What opens the nodes of trees.
protocol PageSource {
    /// The node that a pointer leads to.
    ///
    /// - Throws: `corrupt` when it is missing, is another version, or has another level.
    func page(_ pointer: ChildPointer, level: Int) throws -> Page

    /// The error for contents that cannot be.
    func malformed(_ what: String) -> any Error
}
