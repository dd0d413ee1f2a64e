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

    private static let limit: UInt32 = 0x1_0000

    private static let table = ScalarTable<UInt32>(common: 0, limit: limit) { table in
        for range in marks { for mark in range { table[Int(mark)] = dropped } }
        for (base, marked) in letters { for letter in marked { table[Int(letter)] = UInt32(base) } }
    }

    /// The folded scalar without marks, or ``dropped`` when it is itself a mark.
    @inline(__always)
    static func base(of scalar: UInt32) -> UInt32 {
        let base = table[scalar]
        return base == 0 ? scalar : base
    }

    /// Calls `body` with each scalar of the case folding of one scalar, without marks.
    @inline(__always)
    static func forEachScalar(ofFolding scalar: UInt32, _ body: (UInt32) -> Void) {
        CaseFolding.forEachScalar(ofFolding: scalar) { folded in
            let base = base(of: folded)
            if base != dropped { body(base) }
        }
    }
}

/// Letters that keep their case. The table above is of folded ones, and these follow from it: É is the capital of é, which is e without its mark.
/// What is a capital, Swift tells: of these letters it has been the same since long before the oldest Swift.
extension DiacriticFolding {
    /// The small iota below a Greek vowel, which case folding makes a letter of its own, and that letter.
    private static let iota: UInt32 = 0x3B9
    /// Marks a scalar that an iota follows.
    private static let iotaMark: UInt32 = 0x4000_0000

    /// What a scalar is without marks, in its case; 0 when it stays as it is.
    private static let casedTable = ScalarTable<UInt32>(common: 0, limit: limit) { cased in
        for scalar in 0..<limit where scalar >> 11 != 0x1B {
            var folding: [UInt32] = []
            CaseFolding.forEachScalar(ofFolding: scalar) { folding.append($0) }
            let bases = folding.map(base(of:)).filter { $0 != dropped }
            let hasIota = folding.count > 1 && folding.last == iota
            guard bases != folding || hasIota || scalar == 0x345, let first = bases.first else {
                if bases.isEmpty { cased[Int(scalar)] = dropped }
                continue
            }
            let isCapital = Unicode.Scalar(scalar)?.properties.changesWhenLowercased ?? false
            cased[Int(scalar)] = (isCapital ? capital(of: first) : first) | (hasIota ? iotaMark : 0)
        }
    }

    /// The capital of a letter without marks.
    private static func capital(of letter: UInt32) -> UInt32 {
        let capital = Unicode.Scalar(letter)?.properties.uppercaseMapping.unicodeScalars
        return capital?.count == 1 ? capital?.first?.value ?? letter : letter
    }

    /// Calls `body` with each scalar that is left of one scalar without marks, in its case.
    @inline(__always)
    static func forEachScalar(of scalar: UInt32, _ body: (UInt32) -> Void) {
        let base = casedTable[scalar]
        if base == 0 {
            body(scalar)
        } else if base != dropped {
            body(base & ~iotaMark)
            if base & iotaMark != 0 { body(iota) }
        }
    }
}
