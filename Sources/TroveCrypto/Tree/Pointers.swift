import TroveStorage

/// The sixteen bytes by which AES-GCM knows a sealed value: no two versions of a value have the same.
struct Tag: Hashable, Sendable {
    let low: UInt64
    let high: UInt64

    static let size = 16

    init(low: UInt64, high: UInt64) { (self.low, self.high) = (low, high) }

    /// The tag in sixteen bytes.
    init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        low = bytes.number(at: offset, as: UInt64.self)
        high = bytes.number(at: offset + 8, as: UInt64.self)
    }
}

/// What a node tells of one of its children: where it is, which version of it, and what is below.
struct ChildPointer: Sendable, Hashable {
    static let size = 36
    /// The most entries or values that are counted; sums of a tree's counts stay far below the end of `Int`.
    static let maxCount = 1 << 40

    /// The number under which the wrapped engine has the child.
    var number: UInt64
    /// The version of the child: an older one has another tag.
    var tag: Tag
    /// How many entries are below.
    var count: Int
    /// The lowest number of a data key with which anything below is sealed.
    var oldestKey: UInt32

    /// What stands for a child that is not sealed yet.
    static let unsealed = ChildPointer(number: 0, tag: Tag(low: 0, high: 0), count: 0, oldestKey: 0)

    init(number: UInt64, tag: Tag, count: Int, oldestKey: UInt32) {
        (self.number, self.tag, self.count, self.oldestKey) = (number, tag, count, oldestKey)
    }

    /// - Throws: when these are not the bytes of one.
    init(_ bytes: UnsafeRawBufferPointer) throws {
        guard bytes.count == Self.size, let count = Int(exactly: bytes.number(at: 24, as: UInt64.self)), count <= Self.maxCount else {
            throw MalformedBytes()
        }
        self.init(
            number: bytes.number(at: 0, as: UInt64.self), tag: Tag(bytes, at: 8), count: count, oldestKey: bytes.number(at: 32, as: UInt32.self))
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.size)
        bytes.append(littleEndian: number)
        bytes.append(littleEndian: tag.low)
        bytes.append(littleEndian: tag.high)
        bytes.append(littleEndian: UInt64(count))
        bytes.append(littleEndian: oldestKey)
        return bytes
    }
}

/// Where a value is that is too large for a node.
///
/// One of at most ``chunkSize`` bytes is sealed under `number`. A larger one is cut into chunks, which have the numbers behind, and under `number` is
/// the list of their tags.
struct LargeValue: Sendable, Hashable {
    static let chunkSize = 1 << 20

    var number: UInt64
    var tag: Tag
    /// The bytes of the value.
    var byteCount: Int
    /// The data key with which all its parts are sealed.
    var key: UInt32

    init(number: UInt64, tag: Tag, byteCount: Int, key: UInt32) {
        (self.number, self.tag, self.byteCount, self.key) = (number, tag, byteCount, key)
    }

    /// The bytes are laid out as those of a pointer to a child.
    init(_ bytes: UnsafeRawBufferPointer) throws {
        let pointer = try ChildPointer(bytes)
        guard pointer.number <= RootRecord.maxNumber, pointer.count <= StorageLimits.maxValueSize else { throw MalformedBytes() }
        self.init(number: pointer.number, tag: pointer.tag, byteCount: pointer.count, key: pointer.oldestKey)
    }

    var bytes: [UInt8] { ChildPointer(number: number, tag: tag, count: byteCount, oldestKey: key).bytes }

    /// The numbers of the chunks; empty for a value that is sealed whole.
    var chunks: Range<UInt64> {
        if byteCount <= Self.chunkSize { return number..<number }
        let count = (byteCount - 1) / Self.chunkSize + 1
        return number + 1..<number + 1 + UInt64(count)
    }

    /// The numbers of all its parts.
    var numbers: Range<UInt64> { number..<max(number + 1, chunks.upperBound) }
}
