/// Where LMDB 0.9 puts things in its file, in the byte order and word size of the machine.
///
/// A page begins with its number (a word), two unused bytes, two of flags and then either the ends of the free space in it (two
/// and two bytes) or, on the first of several overflow pages, their number (four bytes). After that come two-byte offsets of the nodes,
/// growing up, and the nodes, growing down from the end.
enum FileLayout {
    static let word = MemoryLayout<UInt>.size

    static let magic: UInt32 = 0xBEEF_C0DE
    static let version: UInt32 = 1
    static let metaPages = 2
    static let pageSizes = 512...32_768

    // A page's header.
    static let pageFlags = word + 2
    static let pageLower = word + 4
    static let pageUpper = word + 6
    static let overflowCount = word + 4
    static let pageHeader = word + 8

    static let branchFlag: UInt16 = 0x01
    static let leafFlag: UInt16 = 0x02
    static let overflowFlag: UInt16 = 0x04
    static let metaFlag: UInt16 = 0x08

    // A node: the size of the data, or on branch pages the page, in the first words; flags; the key's size; key and data.
    static let nodeHeader = 8
    static let bigData: UInt16 = 0x01
    static let subDatabase: UInt16 = 0x02

    // A meta page, after the page's header: magic, version, address, map size, two databases, last page, transaction.
    static let metaMapSize = 8 + word
    static let metaFree = 8 + 2 * word
    static let metaMain = metaFree + DatabaseRecord.size
    static let metaLastPage = metaMain + DatabaseRecord.size
    static let metaTransaction = metaLastPage + word
    static let metaSize = metaTransaction + word

    /// How many overflow pages hold a value of `size` bytes.
    static func overflowPages(_ size: Int, pageSize: Int) -> Int { (pageHeader - 1 + size) / pageSize + 1 }
}

/// What LMDB keeps of a database: in a meta page, or as a value in the main database.
struct DatabaseRecord {
    static let size = 8 + 5 * FileLayout.word
    static let noRoot = UInt.max
    /// The keys are numbers, as in the database of free pages.
    static let integerKeys: UInt16 = 0x08
    /// The flags that say how keys and values are ordered.
    static let orderFlags: UInt16 = 0x7E

    /// The page size, in the record of the free pages; otherwise 0.
    let pad: UInt32
    let flags: UInt16
    let depth: Int
    let branchPages: UInt
    let leafPages: UInt
    let overflowPages: UInt
    let entries: Int
    let root: UInt

    init(_ bytes: UnsafeRawBufferPointer) {
        func word(_ index: Int) -> UInt { bytes.loadUnaligned(fromByteOffset: 8 + index * FileLayout.word, as: UInt.self) }
        pad = bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
        flags = bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        depth = Int(bytes.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        branchPages = word(0)
        leafPages = word(1)
        overflowPages = word(2)
        entries = Int(truncatingIfNeeded: word(3))
        root = word(4)
    }
}
