import CTokyoCabinet
import TroveBackendKit
import TroveStorage

/// What the first 256 bytes of a Tokyo Cabinet B+ tree file say of the page store, and Trove's mark.
///
/// These numbers are right at every moment, also in a file whose process was killed: the library changes each of them alone. Those of the tree
/// are not, see ``FileHeader``. The library believes what stands here, so every number is checked before it sees the file.
struct PageStoreHeader {
    static let flagsOffset = 33
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
    let mark: Mark

    /// Where the buckets end and the pool of free blocks begins.
    var poolOffset: UInt64 { UInt64(FileHeader.size) + bucketCount * 8 }
    var wasClosed: Bool { flags & Self.openFlag == 0 }
    var isMarkedDamaged: Bool { flags & Self.damagedFlag != 0 }

    /// Reads and checks what the header says of the page store.
    ///
    /// - Throws: `notAStore`, `newerFormat` or `corrupt`.
    init(_ bytes: [UInt8], of file: StoreFile) throws {
        func fail(_ kind: (StorageError.Details) -> StorageError, _ message: String) -> StorageError {
            kind(.init(engine: file.engine, path: file.path, message: message))
        }
        let magic = Array("ToKyO CaBiNeT".utf8)
        guard bytes.count >= 32, bytes.starts(with: magic) else {
            throw fail(StorageError.notAStore, "the file is not a Tokyo Cabinet file; \(EngineFile.advice(on: bytes))")
        }
        guard bytes.count == FileHeader.size else { throw fail(StorageError.corrupt, "the file is cut off inside its header") }
        guard let mark = Mark(bytes[Mark.offset...]), bytes[32] == UInt8(TCDBTBTREE) else {
            throw fail(StorageError.notAStore, "the file is a Tokyo Cabinet file that Trove did not create; choose another path")
        }
        guard mark.version <= Mark.currentVersion else {
            throw fail(
                StorageError.newerFormat,
                "the file has format \(mark.version), this version of Trove reads up to \(Mark.currentVersion); use a newer one")
        }
        let damaged = FileHeader.damaged(file)
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
        func number(_ offset: Int) -> UInt64 { FileHeader.number(bytes, offset, isBigEndian: isBigEndian) }
        bucketCount = number(40)
        pageCount = number(48)
        fileSize = number(56)
        firstPage = number(64)
        guard fileSize >= firstPage, pageCount >= 1, pageCount <= fileSize else { throw damaged }
    }

    /// Whether the size of the header, which follows from other numbers in it, is right in this byte order.
    private static func fits(_ bytes: [UInt8], isBigEndian: Bool) -> Bool {
        let buckets = FileHeader.number(bytes, 40, isBigEndian: isBigEndian)
        guard buckets >= 1, buckets < 1 << 40 else { return false }
        let end = UInt64(FileHeader.size) + buckets * 8 + 64 + (UInt64(4) << UInt64(bytes[35]))
        let alignment = UInt64(1) << UInt64(bytes[34])
        return FileHeader.number(bytes, 64, isBigEndian: isBigEndian) == (end + alignment - 1) / alignment * alignment
    }
}
