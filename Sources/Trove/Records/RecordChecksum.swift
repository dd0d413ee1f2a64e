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
