/// What a scalar does in a word.
enum WordClass: UInt8, Sendable {
    /// Belongs to no word and ends one.
    case other
    /// A letter.
    case letter
    /// A digit.
    case number
    /// Katakana, which run together into words of their own.
    case katakana
    /// A word by itself: an ideograph, hiragana, a letter of a script that writes no spaces (Thai, Lao, Khmer, Burmese, …).
    case single
    /// A combining mark: belongs to what is before it.
    case mark
    /// A format character, such as the soft hyphen: as if it were not there.
    case ignored
    /// Holds two letters together: the apostrophes.
    case apostrophe
    /// Holds two letters together: the middle dot of Catalan, the gershayim.
    case midLetter
    /// Holds two digits together: full stop and comma.
    case midNumber

    /// Set beside the class for scalars whose words are normalized.
    private static let normalized: UInt8 = 0x80

    private static let table = ScalarTable<UInt8>(common: 0, limit: 0xE_0200) { table in
        for run in stride(from: 0, to: runs.count, by: 2) {
            for scalar in runs[run]..<runs[run] + runs[run + 1] >> 4 { table[Int(scalar)] = UInt8(runs[run + 1] & 15) }
        }
        for run in stride(from: 0, to: normalizedRuns.count, by: 2) {
            for scalar in normalizedRuns[run]..<normalizedRuns[run] + normalizedRuns[run + 1] { table[Int(scalar)] |= normalized }
        }
    }

    /// The class of a scalar, and whether a word with it has to be normalized.
    @inline(__always)
    static func of(_ scalar: UInt32) -> (WordClass, isNormalized: Bool) {
        let value = table[scalar]
        return (WordClass(rawValue: value & ~normalized) ?? .other, value & normalized != 0)
    }
}
