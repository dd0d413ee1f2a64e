/// XXH64 by Yann Collet (xxHash specification 0.1.1): a fast 64-bit hash of bytes, for checksums.
enum Checksum {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    /// The hash of `bytes`.
    static func hash(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
        bytes.withUnsafeBytes { hash($0, seed: seed) }
    }

    /// The hash of the bytes of `span`.
    static func hash(_ span: RawSpan, seed: UInt64 = 0) -> UInt64 {
        span.withUnsafeBytes { hash($0, seed: seed) }
    }

    /// The hash of the bytes of `buffer`, which are read during the call only.
    static func hash(_ buffer: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        let count = buffer.count
        var offset = 0
        var hash: UInt64
        if count >= 32 {
            var lane1 = seed &+ prime1 &+ prime2
            var lane2 = seed &+ prime2
            var lane3 = seed
            var lane4 = seed &- prime1
            while offset <= count - 32 {
                lane1 = round(lane1, word(buffer, offset))
                lane2 = round(lane2, word(buffer, offset + 8))
                lane3 = round(lane3, word(buffer, offset + 16))
                lane4 = round(lane4, word(buffer, offset + 24))
                offset += 32
            }
            hash = rotate(lane1, 1) &+ rotate(lane2, 7) &+ rotate(lane3, 12) &+ rotate(lane4, 18)
            hash = merge(merge(merge(merge(hash, lane1), lane2), lane3), lane4)
        } else {
            hash = seed &+ prime5
        }
        hash &+= UInt64(count)
        while offset <= count - 8 {
            hash = rotate(hash ^ round(0, word(buffer, offset)), 27) &* prime1 &+ prime4
            offset += 8
        }
        if offset <= count - 4 {
            let half = UInt64(UInt32(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            hash = rotate(hash ^ (half &* prime1), 23) &* prime2 &+ prime3
            offset += 4
        }
        while offset < count {
            hash = rotate(hash ^ (UInt64(buffer[offset]) &* prime5), 11) &* prime1
            offset += 1
        }
        hash = (hash ^ (hash >> 33)) &* prime2
        hash = (hash ^ (hash >> 29)) &* prime3
        return hash ^ (hash >> 32)
    }

    @inline(__always)
    private static func word(_ buffer: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inline(__always)
    private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
        value << bits | value >> (64 - bits)
    }

    @inline(__always)
    private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
        rotate(lane &+ input &* prime2, 31) &* prime1
    }

    @inline(__always)
    private static func merge(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
        (hash ^ round(0, lane)) &* prime1 &+ prime4
    }
}

/// The checksum of records: 64-bit words folded by 128-bit products, as wyhash and rapidhash fold them.
///
/// A scan checks each record it passes, so this is most of what a filter costs; records are short, and XXH64 takes four times as
/// many instructions on a hundred bytes.
enum RecordChecksum {
    private static let first: UInt64 = 0xA076_1D64_78BD_642F
    private static let second: UInt64 = 0xE703_7ED1_A0B4_28DB
    private static let third: UInt64 = 0x8EBC_6AF0_9C88_C6E3

    /// The checksum of a record's bytes behind its own checksum, of its key and of its first four bytes as a number.
    @inline(__always)
    static func hash(_ body: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, head: UInt32) -> UInt32 {
        let seed = absorb(key, UInt64(head) ^ first)
        let hash = absorb(body, seed)
        return UInt32(truncatingIfNeeded: hash ^ hash &>> 32)
    }

    /// The version of a record: a hash of its bytes but its checksum, of which two different ones have the same by a chance of one in 2 to the 64th.
    /// Never 0.
    static func version(of record: UnsafeRawBufferPointer) -> UInt64 {
        guard record.count >= RecordLayout.headerSize else { return 1 }
        let head = UInt64(UInt32(littleEndian: record.loadUnaligned(as: UInt32.self)))
        return max(1, absorb(UnsafeRawBufferPointer(rebasing: record[RecordLayout.headerSize...]), head ^ first))
    }

    /// Folds bytes and their number into a state.
    @inline(__always)
    private static func absorb(_ buffer: UnsafeRawBufferPointer, _ state: UInt64) -> UInt64 {
        let count = buffer.count
        guard var place = buffer.baseAddress, count > 0 else { return fold(state ^ second, third) }
        var state = state
        let low, high: UInt64
        if count >= 16 {
            let last = place + (count &- 16)
            while place < last {
                state = fold(word(place) ^ second, word(place + 8) ^ state)
                place += 16
            }
            (low, high) = (word(last), word(last + 8))
        } else if count >= 8 {
            (low, high) = (word(place), word(place + (count &- 8)))
        } else if count >= 4 {
            (low, high) = (UInt64(half(place)), UInt64(half(place + (count &- 4))))
        } else {
            let middle = place.load(fromByteOffset: count / 2, as: UInt8.self)
            (low, high) = (
                UInt64(place.load(as: UInt8.self)) << 8 | UInt64(middle), UInt64(place.load(fromByteOffset: count &- 1, as: UInt8.self))
            )
        }
        return fold(low ^ second, high ^ state) ^ UInt64(truncatingIfNeeded: count) &* third
    }

    @inline(__always)
    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }

    @inline(__always)
    private static func word(_ place: UnsafeRawPointer) -> UInt64 { UInt64(littleEndian: place.loadUnaligned(as: UInt64.self)) }

    @inline(__always)
    private static func half(_ place: UnsafeRawPointer) -> UInt32 { UInt32(littleEndian: place.loadUnaligned(as: UInt32.self)) }
}

/// Values that begin with a checksum of the rest: those of blobs and of the application's metadata.
extension Checksum {
    /// How many bytes the checksum takes.
    static let size = 8

    /// The checksum of the bytes, then they.
    static func sealed(_ buffer: UnsafeRawBufferPointer, seed: UInt64) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: size + buffer.count) { bytes, count in
            let all = UnsafeMutableRawBufferPointer(bytes)
            all.storeBytes(of: hash(buffer, seed: seed).littleEndian, as: UInt64.self)
            UnsafeMutableRawBufferPointer(rebasing: all[size...]).copyMemory(from: buffer)
            count = size + buffer.count
        }
    }

    /// Calls `body` with the bytes of a sealed value; with nil when the checksum does not fit them.
    static func withBody<Result>(of value: RawSpan, seed: UInt64, _ body: (UnsafeRawBufferPointer?) throws -> Result) rethrows -> Result {
        try value.withUnsafeBytes { buffer in
            guard buffer.count >= size else { return try body(nil) }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[size...])
            let isWhole = UInt64(littleEndian: buffer.loadUnaligned(as: UInt64.self)) == hash(bytes, seed: seed)
            return try body(isWhole ? bytes : nil)
        }
    }
}
