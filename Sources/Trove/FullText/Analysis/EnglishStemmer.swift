/// Takes the endings off English words: Martin Porter's second algorithm, as the Snowball project defines "english".
///
/// It works on a word in place, in lower case. The names of the steps are those of the algorithm's description.
struct EnglishStemmer {
    /// The caller's word, used during ``stem()`` only; stems are never longer than their words.
    private let word: UnsafeMutablePointer<UInt8>
    private var count: Int
    /// Where the region after the first consonant that follows a vowel begins, and the same again inside it.
    private var (region1, region2) = (0, 0)

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
    private static let y = UInt8(ascii: "y")
    /// A y that acts as a consonant.
    private static let consonantY = UInt8(ascii: "Y")

    /// Words of which the rules would make something else; those whose stem is nil stay as they are.
    private static let exceptions: [(StaticString, StaticString?)] = [
        ("skis", "ski"), ("skies", "sky"), ("dying", "die"), ("lying", "lie"), ("tying", "tie"), ("idly", "idl"), ("gently", "gentl"),
        ("ugly", "ugli"), ("early", "earli"), ("only", "onli"), ("singly", "singl"), ("sky", nil), ("news", nil), ("howe", nil),
        ("atlas", nil), ("cosmos", nil), ("bias", nil), ("andes", nil),
    ]

    private static let regionPrefixes: [StaticString] = ["gener", "commun", "arsen"]
    private static let possessives: [StaticString] = ["'s'", "'s", "'"]
    private static let invariantAfterPlural: [StaticString] = [
        "inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed",
    ]
    private static let eedEndings: [StaticString] = ["eedly", "eed"]
    private static let pastEndings: [StaticString] = ["ingly", "edly", "ing", "ed"]

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

    // MARK: Steps 0 and 1

    private mutating func removePossessive() {
        for suffix in Self.possessives where hasSuffix(suffix) {
            count -= suffix.utf8CodeUnitCount
            return
        }
    }

    private mutating func removePlural() {
        if hasSuffix("sses") {
            count -= 2
        } else if hasSuffix("ied") || hasSuffix("ies") {
            count -= count > 4 ? 2 : 1
        } else if hasSuffix("s"), !hasSuffix("us"), !hasSuffix("ss"), count > 2, (0..<count - 2).contains(where: isVowel) {
            count -= 1
        }
    }

    private var isInvariantAfterPlural: Bool {
        Self.invariantAfterPlural.contains(where: isWhole)
    }

    private mutating func removePastAndParticiple() {
        for suffix in Self.eedEndings where hasSuffix(suffix) {
            let start = count - suffix.utf8CodeUnitCount
            if start >= region1 { count = start + 2 }
            return
        }
        for suffix in Self.pastEndings where hasSuffix(suffix) {
            let start = count - suffix.utf8CodeUnitCount
            guard (0..<start).contains(where: isVowel) else { return }
            count = start
            if hasSuffix("at") || hasSuffix("bl") || hasSuffix("iz") {
                appendE()
            } else if endsInDouble {
                count -= 1
            } else if region1 >= count, endsInShortSyllable {
                appendE()
            }
            return
        }
    }

    private mutating func appendE() {
        word[count] = UInt8(ascii: "e")
        count += 1
    }

    private var endsInDouble: Bool {
        guard count >= 2, word[count - 1] == word[count - 2] else { return false }
        switch word[count - 1] {
        case UInt8(ascii: "b"), UInt8(ascii: "d"), UInt8(ascii: "f"), UInt8(ascii: "g"), UInt8(ascii: "m"), UInt8(ascii: "n"),
            UInt8(ascii: "p"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return true
        default:
            return false
        }
    }

    private mutating func replaceFinalY() {
        guard count > 2, word[count - 1] | 0x20 == Self.y, !isVowel(count - 2) else { return }
        word[count - 1] = UInt8(ascii: "i")
    }

    // MARK: Steps 2 and 3

    private enum Condition { case none, afterL, afterLiEnding, inRegion2 }

    private typealias Rule = (suffix: StaticString, replacement: StaticString, condition: Condition)

    /// The longest first.
    private static let step2: [Rule] = [
        ("ational", "ate", .none), ("fulness", "ful", .none), ("iveness", "ive", .none), ("ization", "ize", .none),
        ("ousness", "ous", .none), ("biliti", "ble", .none), ("lessli", "less", .none), ("tional", "tion", .none), ("alism", "al", .none),
        ("aliti", "al", .none), ("ation", "ate", .none), ("entli", "ent", .none), ("fulli", "ful", .none), ("iviti", "ive", .none),
        ("ousli", "ous", .none), ("abli", "able", .none), ("alli", "al", .none), ("anci", "ance", .none), ("ator", "ate", .none),
        ("enci", "ence", .none), ("izer", "ize", .none), ("bli", "ble", .none), ("ogi", "og", .afterL), ("li", "", .afterLiEnding),
    ]

    private static let step3: [Rule] = [
        ("ational", "ate", .none), ("tional", "tion", .none), ("alize", "al", .none), ("ative", "", .inRegion2), ("icate", "ic", .none),
        ("iciti", "ic", .none), ("ical", "ic", .none), ("ness", "", .none), ("ful", "", .none),
    ]

    /// Applies the first rule whose suffix the word has, where it lies in the first region and the condition holds.
    private mutating func applyRules(_ rules: [Rule]) {
        for rule in rules where hasSuffix(rule.suffix) {
            let start = count - rule.suffix.utf8CodeUnitCount
            guard start >= region1 else { return }
            switch rule.condition {
            case .none: break
            case .afterL: guard start > 0, word[start - 1] == UInt8(ascii: "l") else { return }
            case .afterLiEnding: guard start > 0, isLiEnding(word[start - 1]) else { return }
            case .inRegion2: guard start >= region2 else { return }
            }
            count = start + rule.replacement.utf8CodeUnitCount
            (word + start).update(from: rule.replacement.utf8Start, count: rule.replacement.utf8CodeUnitCount)
            return
        }
    }

    private func isLiEnding(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "c"), UInt8(ascii: "d"), UInt8(ascii: "e"), UInt8(ascii: "g"), UInt8(ascii: "h"), UInt8(ascii: "k"),
            UInt8(ascii: "m"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return true
        default:
            return false
        }
    }

    // MARK: Steps 4 and 5

    private static let step4: [StaticString] = [
        "ement", "able", "ance", "ence", "ible", "ment", "ant", "ate", "ent", "ion", "ism", "iti", "ive", "ize", "ous", "al", "er", "ic",
    ]

    private mutating func removeSuffix4() {
        for suffix in Self.step4 where hasSuffix(suffix) {
            let start = count - suffix.utf8CodeUnitCount
            guard start >= region2 else { return }
            if suffix.utf8CodeUnitCount == 3, word[start + 1] == UInt8(ascii: "o"), word[start] == UInt8(ascii: "i") {
                guard start > 0, word[start - 1] == UInt8(ascii: "s") || word[start - 1] == UInt8(ascii: "t") else { return }
            }
            count = start
            return
        }
    }

    private mutating func removeFinalLetter() {
        guard count > 0 else { return }
        let last = count - 1
        if word[last] == UInt8(ascii: "e") {
            if last >= region2 {
                count = last
            } else if last >= region1 {
                count = last
                if endsInShortSyllable { count = last + 1 }
            }
        } else if word[last] == UInt8(ascii: "l"), last >= region2, last > 0, word[last - 1] == UInt8(ascii: "l") {
            count = last
        }
    }

    // MARK: Tests

    private func isVowel(_ index: Int) -> Bool {
        switch word[index] {
        case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"), UInt8(ascii: "u"), Self.y: true
        default: false
        }
    }

    /// Whether the word ends in consonant, vowel, consonant other than w, x and consonantal y, or is a vowel and a consonant.
    private var endsInShortSyllable: Bool {
        guard count >= 2, isVowel(count - 2), !isVowel(count - 1) else { return false }
        if count == 2 { return true }
        let last = word[count - 1]
        return !isVowel(count - 3) && last != UInt8(ascii: "w") && last != UInt8(ascii: "x") && last != Self.consonantY
    }

    private func hasPrefix(_ prefix: StaticString) -> Bool {
        count >= prefix.utf8CodeUnitCount && matches(prefix, at: 0)
    }

    private func hasSuffix(_ suffix: StaticString) -> Bool {
        count >= suffix.utf8CodeUnitCount && matches(suffix, at: count - suffix.utf8CodeUnitCount)
    }

    private func isWhole(_ other: StaticString) -> Bool {
        count == other.utf8CodeUnitCount && matches(other, at: 0)
    }

    @inline(__always)
    private func matches(_ other: StaticString, at start: Int) -> Bool {
        let bytes = other.utf8Start
        for index in 0..<other.utf8CodeUnitCount where word[start + index] != bytes[index] { return false }
        return true
    }
}
