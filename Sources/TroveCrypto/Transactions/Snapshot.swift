import Synchronization
import TroveStorage

/// One state of a sealed store, and the keys that open it.
final class Snapshot: Sendable {
    let root: RootRecord
    /// The tag of the root record, which tells this state from all others.
    let tag: Tag
    let ring: KeyRing
    /// The keyspaces of this state that were looked up before, which most transactions look up again.
    private let trees = Mutex<[[UInt8]: SealedTree.Descriptor]>([:])

    init(root: RootRecord, tag: Tag, ring: KeyRing) { (self.root, self.tag, self.ring) = (root, tag, ring) }

    /// Where the tree of a keyspace is, when that was noted.
    func tree(_ name: [UInt8]) -> SealedTree.Descriptor? { trees.withLock { $0[name] } }

    func note(_ tree: SealedTree.Descriptor, _ name: [UInt8]) {
        // A store may have thousands of keyspaces, of which few are in use.
        trees.withLock { if $0.count < 256 { $0[name] = tree } }
    }
}
