/// XXH64 by Yann Collet (xxHash specification 0.1.1): a fast 64-bit hash of bytes, for checksums.
enum Checksum {
    /// The hash's multipliers.
    ///
    /// Where they are constants LLVM makes two products of each rotated one, and half as many again in all, with one multiplier unit
    /// to make them. So who hashes a million records has them in memory, where the compiler cannot know them.
    struct Multipliers: Sendable {
        // Variables: the compiler puts the value of a constant wherever it is read.
        private(set) var first: UInt64 = 0x9E37_79B1_85EB_CA87
        private(set) var second: UInt64 = 0xC2B2_AE3D_27D4_EB4F
        private(set) var third: UInt64 = 0x1656_67B1_9E37_79F9
        private(set) var fourth: UInt64 = 0x85EB_CA77_C2B2_AE63
        private(set) var fifth: UInt64 = 0x27D4_EB2F_1656_67C5
    }

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
        hash(buffer, seed: seed, Multipliers())
    }

    /// The hash of the bytes of `buffer`, which are read during the call only.
    @inline(__always)
    static func hash(_ buffer: UnsafeRawBufferPointer, seed: UInt64, _ primes: Multipliers) -> UInt64 {
        // Records and keys are short, so each instruction outside of the loops counts: no bounds are checked twice.
        var rest = buffer.count
        guard var place = buffer.baseAddress else { return finish(seed &+ primes.fifth, primes) }
        var hash: UInt64
        if rest >= 32 {
            var lane1 = seed &+ primes.first &+ primes.second
            var lane2 = seed &+ primes.second
            var lane3 = seed
            var lane4 = seed &- primes.first
            repeat {
                lane1 = round(lane1, word(place), primes)
                lane2 = round(lane2, word(place + 8), primes)
                lane3 = round(lane3, word(place + 16), primes)
                lane4 = round(lane4, word(place + 24), primes)
                place += 32
                rest &-= 32
            } while rest >= 32
            hash = rotate(lane1, 1) &+ rotate(lane2, 7) &+ rotate(lane3, 12) &+ rotate(lane4, 18)
            hash = merge(merge(merge(merge(hash, lane1, primes), lane2, primes), lane3, primes), lane4, primes)
        } else {
            hash = seed &+ primes.fifth
        }
        hash &+= UInt64(truncatingIfNeeded: buffer.count)
        while rest >= 8 {
            hash = step(hash, word(place), primes)
            place += 8
            rest &-= 8
        }
        if rest >= 4 {
            let half = UInt64(UInt32(littleEndian: place.loadUnaligned(as: UInt32.self)))
            hash = rotate(hash ^ (half &* primes.first), 23) &* primes.second &+ primes.third
            place += 4
            rest &-= 4
        }
        while rest > 0 {
            hash = rotate(hash ^ (UInt64(place.load(as: UInt8.self)) &* primes.fifth), 11) &* primes.first
            place += 1
            rest &-= 1
        }
        return finish(hash, primes)
    }

    /// The hash of sixteen bytes, as the keys of most records are, without a loop.
    @inline(__always)
    static func hash16(_ place: UnsafeRawPointer, seed: UInt64, _ primes: Multipliers) -> UInt64 {
        let half = step(seed &+ primes.fifth &+ 16, word(place), primes)
        return finish(step(half, word(place + 8), primes), primes)
    }

    @inline(__always)
    private static func finish(_ hash: UInt64, _ primes: Multipliers) -> UInt64 {
        var hash = hash
        hash = (hash ^ (hash &>> 33)) &* primes.second
        hash = (hash ^ (hash &>> 29)) &* primes.third
        return hash ^ (hash &>> 32)
    }

    @inline(__always)
    private static func word(_ place: UnsafeRawPointer) -> UInt64 {
        UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))
    }

    @inline(__always)
    private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
        value &<< bits | value &>> (64 &- bits)
    }

    @inline(__always)
    private static func round(_ lane: UInt64, _ input: UInt64, _ primes: Multipliers) -> UInt64 {
        rotate(lane &+ input &* primes.second, 31) &* primes.first
    }

    @inline(__always)
    private static func step(_ hash: UInt64, _ input: UInt64, _ primes: Multipliers) -> UInt64 {
        rotate(hash ^ round(0, input, primes), 27) &* primes.first &+ primes.fourth
    }

    @inline(__always)
    private static func merge(_ hash: UInt64, _ lane: UInt64, _ primes: Multipliers) -> UInt64 {
        (hash ^ round(0, lane, primes)) &* primes.first &+ primes.fourth
    }
}
