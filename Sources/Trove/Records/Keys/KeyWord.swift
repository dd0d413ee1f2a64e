/// The numbers of keys of one width, up to 16 bytes, that lie one after the other: sorted by them, the keys are neither moved nor copied.
struct KeyNumbers: WordSource {
    private let base: UnsafeRawPointer
    private let width: Int

    /// - Parameter keys: outlive this.
    init(_ keys: UnsafeRawPointer, width: Int) {
        base = keys
        self.width = width
    }

    @inline(__always)
    func word(of number: Int) -> UInt128 {
        // Most are ids of that width.
        if width == 16 { return UInt128(bigEndian: (base + number &* 16).loadUnaligned(as: UInt128.self)) }
        return UInt128(firstBytes: UnsafeRawBufferPointer(start: base + number &* width, count: width))
    }
}

/// A key as a word, with its number in a list.
struct KeyWord: WordSorted {
    // In halves, since a whole one is aligned to 16 bytes, so that a key's word would take 32.
    private let high: UInt64
    private let low: UInt64
    let number: Int

    @inline(__always)
    var word: UInt128 { UInt128(high) << 64 | UInt128(low) }

    /// - Parameter key: At most 16 bytes. Words of keys of one width are in the order of the keys.
    @inline(__always)
    init(_ key: UnsafeRawBufferPointer, number: Int) {
        let word = UInt128(firstBytes: key)
        (high, low) = (UInt64(truncatingIfNeeded: word >> 64), UInt64(truncatingIfNeeded: word))
        self.number = number
    }
}
