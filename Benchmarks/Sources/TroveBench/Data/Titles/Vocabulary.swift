/// Words as a language has them: few are frequent, most are rare, and the frequent ones are short.
///
/// Words are made of syllables of a consonant and a vowel, so every one ends with a vowel.
struct Vocabulary: Sendable {
    private static let consonants = Array("bcdfghjklmnprstvwxyz")
    private static let vowels = Array("aeiou")

    /// From the most frequent to the rarest, and the same with a capital letter.
    let words: [String]
    let capitalized: [String]

    init(size: Int) {
        words = (0..<size).map(Self.word)
        capitalized = words.map(\.capitalized)
    }

    /// The hundred syllables are digits; 37 has no factor in common with 100, so neighbours do not look alike.
    private static func word(_ rank: Int) -> String {
        var (rest, letters) = (rank + 1, "")
        while rest > 0 {
            let syllable = (rest - 1) * 37 % 100
            letters.append(consonants[syllable / 5])
            letters.append(vowels[syllable % 5])
            rest = (rest - 1) / 100
        }
        return letters
    }
}
