/// Taking the marks off letters: é, ё and ø become e, е and o.
///
/// Only marks that writers of many languages leave out are dropped: those of the Latin, Greek and Cyrillic scripts, Hebrew
/// points and Arabic vowel signs. The vowel signs of Indic scripts and the voicing marks of kana stay.
enum DiacriticFolding {
    private static let marks: [ClosedRange<UInt32>] = [
        0x300...0x36F, 0x591...0x5BD, 0x5BF...0x5BF, 0x5C1...0x5C2, 0x5C4...0x5C5, 0x5C7...0x5C7, 0x610...0x61A, 0x64B...0x65F,
        0x670...0x670, 0x6D6...0x6DC, 0x6DF...0x6E4, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20F0, 0xFE20...0xFE2F,
    ]

    /// Stands for a mark in the table.
    static let dropped: UInt32 = 0xFFFF_FFFF

    private static let table = ScalarTable<UInt32>(common: 0, limit: 0x1_0000) { table in
        for range in marks { for mark in range { table[Int(mark)] = dropped } }
        for (base, marked) in letters { for letter in marked { table[Int(letter)] = UInt32(base) } }
    }

    /// The folded scalar without marks, or ``dropped`` when it is itself a mark.
    @inline(__always)
    static func base(of scalar: UInt32) -> UInt32 {
        let base = table[scalar]
        return base == 0 ? scalar : base
    }
}
