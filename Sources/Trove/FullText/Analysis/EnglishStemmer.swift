/// Takes the endings off English words: Martin Porter's second algorithm, as the Snowball project defines "english".
///
/// It works on a word in place, in lower case. The names of the steps are those of the algorithm's description.
struct EnglishStemmer {
    /// The caller's word, used during ``stem()`` only; stems are never longer than their words.
    let word: UnsafeMutablePointer<UInt8>
    var count: Int
    /// Where the region after the first consonant that follows a vowel begins, and the same again inside it.
    var (region1, region2) = (0, 0)

    init(_ word: UnsafeMutablePointer<UInt8>, count: Int) {
        self.word = word
        self.count = count
    }

    /// Stems the word and returns the number of bytes left.
    mutating func stem() -> Int {
        if count <= 2 || replaceException() { return count }
        if word[0] == Self.apostrophe { removeFirst() }
        markConsonantY()
        findRegions()
        removePossessive()
        removePlural()
        if !isInvariantAfterPlural {
            removePastAndParticiple()
            replaceFinalY()
            applyRules(Self.step2)
            applyRules(Self.step3)
            removeSuffix4()
            removeFinalLetter()
        }
        for index in 0..<count where word[index] == Self.consonantY { word[index] = Self.y }
        return count
    }

    // MARK: Preparation

    private static let apostrophe = UInt8(ascii: "'")
    static let y = UInt8(ascii: "y")
    /// A y that acts as a consonant.
    private static let consonantY = UInt8(ascii: "Y")

    /// Words of which the rules would make something else; those whose stem is nil stay as they are.
    private static let exceptions: [(StaticString, StaticString?)] = [
        ("skis", "ski"), ("skies", "sky"), ("dying", "die"), ("lying", "lie"), ("tying", "tie"), ("idly", "idl"), ("gently", "gentl"),
        ("ugly", "ugli"), ("early", "earli"), ("only", "onli"), ("singly", "singl"), ("sky", nil), ("news", nil), ("howe", nil),
        ("atlas", nil), ("cosmos", nil), ("bias", nil), ("andes", nil),
    ]

    private static let regionPrefixes: [StaticString] = ["gener", "commun", "arsen"]

    private mutating func replaceException() -> Bool {
        guard count <= 6 else { return false }
        for (exception, stem) in Self.exceptions where isWhole(exception) {
            if let stem {
                count = stem.utf8CodeUnitCount
                word.update(from: stem.utf8Start, count: count)
            }
            return true
        }
        return false
    }

    private mutating func removeFirst() {
        count -= 1
        word.update(from: word + 1, count: count)
    }

    private mutating func markConsonantY() {
        for index in 0..<count where word[index] == Self.y && (index == 0 || isVowel(index - 1)) { word[index] = Self.consonantY }
    }

    private mutating func findRegions() {
        var start: Int?
        for prefix in Self.regionPrefixes where hasPrefix(prefix) { start = prefix.utf8CodeUnitCount }
        region1 = start ?? afterVowelAndConsonant(from: 0)
        region2 = afterVowelAndConsonant(from: region1)
    }

    private func afterVowelAndConsonant(from start: Int) -> Int {
        var index = start
        while index < count, !isVowel(index) { index += 1 }
        while index < count, isVowel(index) { index += 1 }
        return min(index + 1, count)
    }

    // MARK: Tests

    func isVowel(_ index: Int) -> Bool {
        switch word[index] {
        case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"), UInt8(ascii: "u"), Self.y: true
        default: false
        }
    }

    /// Whether the word ends in consonant, vowel, consonant other than w, x and consonantal y, or is a vowel and a consonant.
    var endsInShortSyllable: Bool {
        guard count >= 2, isVowel(count - 2), !isVowel(count - 1) else { return false }
        if count == 2 { return true }
        let last = word[count - 1]
        return !isVowel(count - 3) && last != UInt8(ascii: "w") && last != UInt8(ascii: "x") && last != Self.consonantY
    }

    private func hasPrefix(_ prefix: StaticString) -> Bool {
        count >= prefix.utf8CodeUnitCount && matches(prefix, at: 0)
    }

    func hasSuffix(_ suffix: StaticString) -> Bool {
        count >= suffix.utf8CodeUnitCount && matches(suffix, at: count - suffix.utf8CodeUnitCount)
    }

    func isWhole(_ other: StaticString) -> Bool {
        count == other.utf8CodeUnitCount && matches(other, at: 0)
    }

    @inline(__always)
    private func matches(_ other: StaticString, at start: Int) -> Bool {
        let bytes = other.utf8Start
        for index in 0..<other.utf8CodeUnitCount where word[start + index] != bytes[index] { return false }
        return true
    }
}
