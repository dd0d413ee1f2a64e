import CTokyoCabinet
import TroveBackendKit
import TroveStorage

/// The first 256 bytes of a Tokyo Cabinet B+ tree file: the header of the page store and that of the tree.
///
/// The library believes what stands here, so every number is checked before it sees the file.
struct FileHeader {
    static let size = 256
    static let flagsOffset = 33
    /// The identity of a non-leaf page is its number above this; those of leaves lie below.
    static let nodeBase: UInt64 = (1 << 48) + 1

    static let openFlag = UInt8(HDBFOPEN)
    static let damagedFlag = UInt8(HDBFFATAL)

    /// Whether numbers are stored the highest byte first.
    let isBigEndian: Bool
    let flags: UInt8
    let alignmentPower: UInt8
    let poolPower: UInt8
    let bucketCount: UInt64
    /// The number of pages.
    let pageCount: UInt64
    let fileSize: UInt64
    /// Where the pages begin, after header, buckets and the pool of free blocks.
    let firstPage: UInt64
    let root: UInt64
    let firstLeaf: UInt64
    let lastLeaf: UInt64
    let leafNumber: UInt64
    let nodeNumber: UInt64
    let entryCount: UInt64
    let mark: Mark

    /// Where the buckets end and the pool of free blocks begins.
    var poolOffset: UInt64 { UInt64(Self.size) + bucketCount * 8 }
    var wasClosed: Bool { flags & Self.openFlag == 0 }
    var isMarkedDamaged: Bool { flags & Self.damagedFlag != 0 }

    /// Reads and checks the header.
    ///
    /// - Throws: `notAStore`, `newerFormat` or `corrupt`.
    init(_ bytes: [UInt8], of file: StoreFile) throws {
        func fail(_ kind: (StorageError.Details) -> StorageError, _ message: String) -> StorageError {
            kind(.init(engine: file.engine, path: file.path, message: message))
        }
        let magic = Array("ToKyO CaBiNeT".utf8)
        guard bytes.count >= 32, bytes.starts(with: magic) else {
            throw fail(StorageError.notAStore, "the file is not a Tokyo Cabinet file; choose another path")
        }
        guard bytes.count == Self.size else { throw fail(StorageError.corrupt, "the file is cut off inside its header") }
        guard let mark = Mark(bytes[Mark.offset...]), bytes[32] == UInt8(TCDBTBTREE) else {
            throw fail(StorageError.notAStore, "the file is a Tokyo Cabinet file that Trove did not create; choose another path")
        }
        guard mark.version <= Mark.currentVersion else {
            throw fail(
                StorageError.newerFormat,
                "the file has format \(mark.version), this version of Trove reads up to \(Mark.currentVersion); use a newer one")
        }
        let damaged = fail(StorageError.corrupt, "the file's header is damaged; restore a copy")
        self.mark = mark
        flags = bytes[Self.flagsOffset]
        alignmentPower = bytes[34]
        poolPower = bytes[35]
        guard mark.version > 0, mark.nextNumber > 0, bytes[36] == UInt8(HDBTLARGE), alignmentPower <= 16, poolPower <= 20
        else { throw damaged }
        let orders = [false, true].filter { Self.fits(bytes, isBigEndian: $0) }
        guard orders.count == 1 else { throw damaged }
        let isBigEndian = orders[0]
        self.isBigEndian = isBigEndian
        func number(_ offset: Int) -> UInt64 { Self.number(bytes, offset, isBigEndian: isBigEndian) }
        bucketCount = number(40)
        pageCount = number(48)
        fileSize = number(56)
        firstPage = number(64)
        root = number(144)
        firstLeaf = number(152)
        lastLeaf = number(160)
        leafNumber = number(168)
        nodeNumber = number(176)
        entryCount = number(184)
        let members = number(136)
        let leafMembers = isBigEndian ? members >> 32 : members & 0xFFFF_FFFF
        let nodeMembers = isBigEndian ? members & 0xFFFF_FFFF : members >> 32
        let leaves = 1...max(leafNumber, 1)
        let isLeafOrNode = leaves.contains(root) || (root > Self.nodeBase && root - Self.nodeBase <= nodeNumber)
        guard bytes[128] == 0, (4...1 << 20).contains(leafMembers), (4...1 << 20).contains(nodeMembers),
            leafNumber < Self.nodeBase, nodeNumber < Self.nodeBase, isLeafOrNode,
            leaves.contains(firstLeaf), leaves.contains(lastLeaf),
            fileSize >= firstPage, pageCount >= 1, pageCount <= fileSize, entryCount <= fileSize
        else { throw damaged }
    }

    /// Whether the size of the header, which follows from other numbers in it, is right in this byte order.
    private static func fits(_ bytes: [UInt8], isBigEndian: Bool) -> Bool {
        let buckets = number(bytes, 40, isBigEndian: isBigEndian)
        guard buckets >= 1, buckets < 1 << 40 else { return false }
        let end = UInt64(size) + buckets * 8 + 64 + (UInt64(4) << UInt64(bytes[35]))
        let alignment = UInt64(1) << UInt64(bytes[34])
        return number(bytes, 64, isBigEndian: isBigEndian) == (end + alignment - 1) / alignment * alignment
    }

    private static func number(_ bytes: [UInt8], _ offset: Int, isBigEndian: Bool) -> UInt64 {
        let number = UInt64(bigEndianBytes: bytes[offset..<offset + 8])
        return isBigEndian ? number : number.byteSwapped
    }
}
