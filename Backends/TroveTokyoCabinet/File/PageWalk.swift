import TroveStorage

/// A check of every page and link in a file, so that a damaged one never reaches the library.
///
/// The library follows offsets and sizes it reads without looking where they lead: a flipped bit can make
/// it loop, crash, or write over live pages. The walk proves that it will not: every page is found from its
/// bucket, lies inside the file, apart from the others and from the free blocks; the tree has no cycles;
/// entries ascend; the leaves are chained in their order. It reads the file through a mapping.
struct PageWalk {
    /// Where a page's bytes are.
    struct Page {
        let offset: Int
        let size: Int
    }

    /// A damage, found while walking.
    struct Damage: Error {
        let what: String
    }

    let bytes: UnsafeRawBufferPointer
    let header: FileHeader
    /// The pages by identity: leaves by their number, others above ``FileHeader/nodeBase``.
    private(set) var pages: [UInt64: Page] = [:]
    /// The places taken by pages and free blocks.
    private var places: [Range<Int>] = []
    /// The entries of each keyspace, by number.
    private(set) var counts: [UInt32: Int] = [:]

    /// Checks the mapped file and returns the number of entries of each keyspace.
    ///
    /// - Throws: ``Damage``.
    static func counts(in bytes: UnsafeRawBufferPointer, header: FileHeader) throws -> [UInt32: Int] {
        var walk = PageWalk(bytes: bytes, header: header)
        try walk.collectPages()
        if header.pages.wasClosed { try walk.collectFreeBlocks() }
        try walk.checkPlaces()
        try walk.checkTree()
        return walk.counts
    }

    /// Whether every page and link of the mapped file is right.
    static func isRight(_ bytes: UnsafeRawBufferPointer, _ header: FileHeader) -> Bool {
        do {
            _ = try counts(in: bytes, header: header)
            return true
        } catch {
            return false
        }
    }

    /// Checks that every page of the mapped file is found, whole and apart from the others, without reading what is in it.
    ///
    /// - Throws: ``Damage``.
    static func checkPages(in bytes: UnsafeRawBufferPointer, header: FileHeader) throws {
        var walk = PageWalk(bytes: bytes, header: header)
        try walk.collectPages()
        try walk.checkPlaces()
    }

    private init(bytes: UnsafeRawBufferPointer, header: FileHeader) {
        self.bytes = bytes
        self.header = header
    }

    // MARK: The page store

    /// Follows the search tree of every bucket.
    private mutating func collectPages() throws {
        pages.reserveCapacity(Int(min(header.pages.pageCount, 1 << 24)))
        var pending: [UInt64] = []
        for bucket in 0..<Int(header.pages.bucketCount) {
            let first = number(at: FileHeader.size + bucket * 8)
            if first == 0 { continue }
            pending.append(first)
            while let next = pending.popLast() { try collectPage(at: next, bucket: UInt64(bucket), &pending) }
        }
        guard pages.count == header.pages.pageCount else { throw Damage(what: "pages are missing") }
    }

    private mutating func collectPage(at link: UInt64, bucket: UInt64, _ pending: inout [UInt64]) throws {
        let limit = Int(header.pages.fileSize)
        guard link <= UInt64(limit) >> UInt64(header.pages.alignmentPower) else { throw Damage(what: "a page link leads out of the file") }
        let start = Int(link << UInt64(header.pages.alignmentPower))
        guard start >= header.pages.firstPage, start + 22 <= limit, bytes[start] == 0xC8 else {
            throw Damage(what: "a page link leads to no page")
        }
        var reader = PageReader(bytes, start + 18..<limit)
        let padding = Int(header.pages.isBigEndian ? bytes[start + 18] : bytes[start + 19]) << 8
            | Int(header.pages.isBigEndian ? bytes[start + 19] : bytes[start + 18])
        try reader.skip(2)
        let keySize = try reader.number(below: 32)
        let size = try reader.number(below: UInt64(Int32.max))
        let key = try reader.bytes(keySize)
        let body = reader.position
        try reader.skip(size + padding)
        guard let identity = Self.identity(key), Self.hash(key) % header.pages.bucketCount == bucket, size > 0 else {
            throw Damage(what: "a page has a wrong name")
        }
        // A new page would take the name of this one.
        let isNode = identity > FileHeader.nodeBase
        guard isNode ? identity - FileHeader.nodeBase <= header.nodeNumber : identity <= header.leafNumber else {
            throw Damage(what: "a page has a number that was never given")
        }
        guard pages.updateValue(Page(offset: body, size: size), forKey: identity) == nil else {
            throw Damage(what: "two links lead to one page")
        }
        places.append(start..<reader.position)
        for child in [number(at: start + 2), number(at: start + 10)] where child != 0 { pending.append(child) }
    }

    /// The blocks the library would write over when it needs room.
    private mutating func collectFreeBlocks() throws {
        var reader = PageReader(bytes, Int(header.pages.poolOffset)..<Int(header.pages.firstPage))
        var offset: UInt64 = 0
        let shift = UInt64(header.pages.alignmentPower)
        while true {
            guard reader.position < reader.end else { throw Damage(what: "the list of free blocks has no end") }
            if bytes[reader.position] == 0 { return }
            offset += UInt64(try reader.number(below: header.pages.fileSize >> shift)) << shift
            let size = Int(try reader.number(below: UInt64(Int32.max) >> shift)) << Int(shift)
            guard offset >= header.pages.firstPage, offset <= header.pages.fileSize, size > 0, size <= Int(header.pages.fileSize - offset),
                bytes[Int(offset)] == 0xB0
            else { throw Damage(what: "the list of free blocks leads to a block that is not free") }
            places.append(Int(offset)..<Int(offset) + size)
        }
    }

    private mutating func checkPlaces() throws {
        places.sort { $0.lowerBound < $1.lowerBound }
        for (place, next) in zip(places, places.dropFirst()) where place.upperBound > next.lowerBound {
            throw Damage(what: "two pages overlap")
        }
    }

    /// The identity of the page that these bytes begin with; nil when it is cut off.
    static func identity(ofPage start: [UInt8]) -> UInt64? {
        start.withUnsafeBytes { bytes in
            var reader = PageReader(bytes, min(20, bytes.count)..<bytes.count)
            do {
                let keySize = try reader.number(below: 32)
                _ = try reader.number(below: UInt64(Int32.max))
                return identity(try reader.bytes(keySize))
            } catch {
                return nil
            }
        }
    }

    /// The page's identity, from the hexadecimal text it is stored under.
    private static func identity(_ key: UnsafeRawBufferPointer) -> UInt64? {
        let isNode = key.first == UInt8(ascii: "#")
        let digits = key.dropFirst(isNode ? 1 : 0)
        guard (1...13).contains(digits.count), digits.first != UInt8(ascii: "0") else { return nil }
        var number: UInt64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        guard number < FileHeader.nodeBase else { return nil }
        return isNode ? number + FileHeader.nodeBase : number
    }

    /// The library's hash of a page's name, before the remainder by the number of buckets.
    private static func hash(_ key: UnsafeRawBufferPointer) -> UInt64 {
        key.reduce(19_780_211) { $0 &* 37 &+ UInt64($1) }
    }

    private func number(at offset: Int) -> UInt64 {
        let number = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return header.pages.isBigEndian ? UInt64(bigEndian: number) : UInt64(littleEndian: number)
    }

    mutating func add(_ entries: Int, to keyspace: UInt32) { counts[keyspace, default: 0] += entries }
}
