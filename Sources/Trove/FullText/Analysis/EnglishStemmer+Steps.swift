/// The steps of the algorithm, and their endings.
extension EnglishStemmer {
    // MARK: Steps 0 and 1

    private static let possessives: [StaticString] = ["'s'", "'s", "'"]
    private static let invariantAfterPlural: [StaticString] = [
        "inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed",
    ]
    private static let eedEndings: [StaticString] = ["eedly", "eed"]
    private static let pastEndings: [StaticString] = ["ingly", "edly", "ing", "ed"]

    mutating func removePossessive() {
        for suffix in Self.possessives where hasSuffix(suffix) {
            count -= suffix.utf8CodeUnitCount
            return
        }
    }

    mutating func removePlural() {
        if hasSuffix("sses") {
            count -= 2
        } else if hasSuffix("ied") || hasSuffix("ies") {
            count -= count > 4 ? 2 : 1
        } else if hasSuffix("s"), !hasSuffix("us"), !hasSuffix("ss"), count > 2, (0..<count - 2).contains(where: isVowel) {
            count -= 1
        }
    }

    var isInvariantAfterPlural: Bool {
        Self.invariantAfterPlural.contains(where: isWhole)
    }

    mutating func removePastAndParticiple() {
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

    mutating func replaceFinalY() {
        guard count > 2, word[count - 1] | 0x20 == Self.y, !isVowel(count - 2) else { return }
        word[count - 1] = UInt8(ascii: "i")
    }

    // MARK: Steps 2 and 3

    enum Condition { case none, afterL, afterLiEnding, inRegion2 }

    typealias Rule = (suffix: StaticString, replacement: StaticString, condition: Condition)

    /// The longest first.
    static let step2: [Rule] = [
        ("ational", "ate", .none), ("fulness", "ful", .none), ("iveness", "ive", .none), ("ization", "ize", .none),
        ("ousness", "ous", .none), ("biliti", "ble", .none), ("lessli", "less", .none), ("tional", "tion", .none), ("alism", "al", .none),
        ("aliti", "al", .none), ("ation", "ate", .none), ("entli", "ent", .none), ("fulli", "ful", .none), ("iviti", "ive", .none),
        ("ousli", "ous", .none), ("abli", "able", .none), ("alli", "al", .none), ("anci", "ance", .none), ("ator", "ate", .none),
        ("enci", "ence", .none), ("izer", "ize", .none), ("bli", "ble", .none), ("ogi", "og", .afterL), ("li", "", .afterLiEnding),
    ]

    static let step3: [Rule] = [
        ("ational", "ate", .none), ("tional", "tion", .none), ("alize", "al", .none), ("ative", "", .inRegion2), ("icate", "ic", .none),
        ("iciti", "ic", .none), ("ical", "ic", .none), ("ness", "", .none), ("ful", "", .none),
    ]

    /// Applies the first rule whose suffix the word has, where it lies in the first region and the condition holds.
    mutating func applyRules(_ rules: [Rule]) {
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

    mutating func removeSuffix4() {
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

    mutating func removeFinalLetter() {
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
}
