import TroveBackendKit
import TroveStorage

/// The first 256 bytes of a Tokyo Cabinet B+ tree file: the header of the page store and that of the tree.
///
/// When a transaction ends, the library fills the tree's numbers with zeros in the mapped file before it writes them anew. A process that is killed
/// there leaves a header without them, which the log brings back: so the log is replayed before this is read.
struct FileHeader {
    static let size = 256
    /// The identity of a non-leaf page is its number above this; those of leaves lie below.
    static let nodeBase: UInt64 = (1 << 48) + 1

    let pages: PageStoreHeader
    let root: UInt64
    let firstLeaf: UInt64
    let lastLeaf: UInt64
    let leafNumber: UInt64
    let nodeNumber: UInt64
    let entryCount: UInt64

    /// Reads and checks the header.
    ///
    /// - Throws: `notAStore`, `newerFormat` or `corrupt`.
    init(_ bytes: [UInt8], of file: StoreFile) throws {
        let pages = try PageStoreHeader(bytes, of: file)
        self.pages = pages
        func number(_ offset: Int) -> UInt64 { Self.number(bytes, offset, isBigEndian: pages.isBigEndian) }
        root = number(144)
        firstLeaf = number(152)
        lastLeaf = number(160)
        leafNumber = number(168)
        nodeNumber = number(176)
        entryCount = number(184)
        let members = number(136)
        let leafMembers = pages.isBigEndian ? members >> 32 : members & 0xFFFF_FFFF
        let nodeMembers = pages.isBigEndian ? members & 0xFFFF_FFFF : members >> 32
        let leaves = 1...max(leafNumber, 1)
        let isLeafOrNode = leaves.contains(root) || (root > Self.nodeBase && root - Self.nodeBase <= nodeNumber)
        guard bytes[128] == 0, (4...1 << 20).contains(leafMembers), (4...1 << 20).contains(nodeMembers),
            leafNumber < Self.nodeBase, nodeNumber < Self.nodeBase, isLeafOrNode,
            leaves.contains(firstLeaf), leaves.contains(lastLeaf), entryCount <= pages.fileSize
        else { throw Self.damaged(file) }
    }

    static func damaged(_ file: StoreFile) -> StorageError {
        .corrupt(.init(engine: file.engine, path: file.path, message: "the file's header is damaged; restore a copy"))
    }

    static func number(_ bytes: [UInt8], _ offset: Int, isBigEndian: Bool) -> UInt64 {
        let number = UInt64(bigEndianBytes: bytes[offset..<offset + 8])
        return isBigEndian ? number : number.byteSwapped
    }
}
