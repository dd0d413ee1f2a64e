import TestSupport
import Testing

@testable import Trove

/// The matcher of `matches`, held against Swift's own, and the time that it takes.
@Suite struct RegularExpressionTests {
    private static func matches(_ pattern: String, _ text: String, ignoringCase: Bool = false, check: () throws -> Void = {}) throws -> Bool {
        let expression = try RegularExpression(pattern, ignoringCase: ignoringCase)
        return try Array(text.utf8).withUnsafeBytes { try expression.matches($0, check: check) }
    }

    @Test(arguments: 0..<4) func randomExpressionsSayWhatSwiftSays(_ number: Int) throws {
        var random = SeededGenerator(seed: 700 + UInt64(number))
        var (found, asked) = (0, 0)
        for round in 0..<400 {
            let pattern = Self.pattern(&random, depth: 4)
            let ignoringCase = Int.random(in: 0..<4, using: &random) == 0
            let own = try RegularExpression(pattern, ignoringCase: ignoringCase)
            let swift = try Regex(pattern).matchingSemantics(.unicodeScalar).ignoresCase(ignoringCase)
            for _ in 0..<8 {
                let text = Self.text(&random)
                let answer = try Array(text.utf8).withUnsafeBytes { try own.matches($0) }
                let expected = try swift.firstMatch(in: text) != nil
                #expect(answer == expected, "round \(round): \(pattern.debugDescription) in \(text.debugDescription), ignoring case \(ignoringCase)")
                asked += 1
                found += answer ? 1 : 0
            }
        }
        #expect(found > asked / 5 && found < asked * 19 / 20)
    }

    private static func pick(_ texts: [String], _ random: inout SeededGenerator) -> String { texts.randomElement(using: &random) ?? "" }

    private static func pattern(_ random: inout SeededGenerator, depth: Int) -> String {
        func inner() -> String { pattern(&random, depth: depth - 1) }
        switch Int.random(in: 0..<(depth > 0 ? 14 : 6), using: &random) {
        case 0, 1, 2: return pick(["a", "b", "c", "é", "1", "-", " ", "\\n", "\\.", "ab", "ca", "日"], &random)
        case 3: return pick(["\\d", "\\s", "\\D", "\\S", ".", "\\p{L}", "\\P{Lu}", "\\p{Nd}", "\\x61", "\\u{e9}", "\\h"], &random)
        case 4:
            return pick(
                ["[a-c]", "[^a]", "[ab1]", "[\\d-]", "[\\p{L}&&[^a]]", "[a-z--b]", "[^\\s]", "[[:alpha:]]", "[[a][b]]", "[A-C]", "[-a]", "[a-]"], &random)
        case 5: return pick(["^", "$", "\\A", "\\z"], &random)
        case 6: return "(" + inner() + ")"
        case 7: return "(?:" + inner() + ")"
        case 8: return "(?:" + inner() + "|" + inner() + ")"
        case 9: return "(?:" + inner() + ")" + pick(["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,}", "{2,3}?", "{,2}"], &random)
        case 10: return pick(["(?i)", "(?s)", "(?m)"], &random) + inner()
        case 11: return pick(["(?i:", "(?s:", "(?m:", "(?-i:"], &random) + inner() + ")"
        default: return inner() + inner()
        }
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...10, using: &random)).map { _ in
            pick(["a", "b", "c", "A", "B", "é", "1", "2", "-", " ", "\n", "\r\n", ".", "😀", "日", "\u{2028}"], &random)
        }.joined()
    }

    @Test(arguments: ["(a+)+$", "(a|aa)+$", "(a*)*b", "(.*)(.*)(.*)(.*)c", "^(([a-z])+.)+[A-Z]([a-z])+$", "(?:a?){40}a{40}b"])
    func workGrowsAsTheTextDoes(_ pattern: String) throws {
        func looks(_ count: Int) throws -> Int {
            var looks = 0
            #expect(try !Self.matches(pattern, String(repeating: "a", count: count) + "!") { looks += 1 })
            return looks
        }
        let (once, twice) = (try looks(60_000), try looks(120_000))
        #expect(once > 0)
        #expect(twice <= 2 * once + 2)
    }

    /// Steps that take nothing of the text are work, too, and many short texts are as much as a long one.
    @Test func emptyStepsAreWork() throws {
        let expression = try RegularExpression(String(repeating: "(?:|){1000}", count: 4) + "z", ignoringCase: false)
        var looks = 0
        for _ in 0..<100 {
            let isFound = try Array("ééé".utf8).withUnsafeBytes { try expression.matches($0, check: { looks += 1 }) }
            #expect(!isFound)
        }
        #expect(looks >= 10)
    }

    @Test(arguments: [
        ("(a)\\1", "refers back"), ("a(?=b)", "ahead"), ("(?<!a)b", "behind"), ("(?>a)", "atomic"), ("a++", "possessive"), ("(", "')'"), ("a)", "')'"),
        ("[a", "']'"), ("*a", "nothing before"), ("a{3,2}", "smaller"), ("a{5000}", "1000"), ("((a{1000}){1000})", "steps"), ("(((){1000}){1000}){1000}", "steps"),
        ("\\", "at its end"), ("\\y", "docs/search.md"), ("\\p{Nothing}", "category"), ("[z-a]", "before it begins"), ("(?x)a", "option"), ("\\x1", "digits"),
        (String(repeating: "(", count: 100_000), "deeper"), (String(repeating: "[", count: 100_000), "deeper"),
        ("a{2}{3}", "after a quantifier"), ("a{2,}{,3}", "after a quantifier"), ("a*{2}", "after a quantifier"), ("\\Q\\E+", "nothing before"),
        ("\\x{}", "digits"), ("[\\u{}]", "digits"),
        ("(?#\\", "')'"), ("(?#a\\", "')'"),
        ("[" + String(repeating: "a", count: 1_000) + "]{1000}", "classes"),
    ])
    func whatCannotBeCarriedOutIsRefused(_ pattern: String, _ part: String) throws {
        #expect { try RegularExpression(pattern, ignoringCase: false) } throws: { error in
            guard case TroveError.invalidRegularExpression(_, let reason) = error else { return false }
            return reason.contains(part)
        }
    }

    @Test(arguments: [
        ("\\bcat\\b", "a cat sat", true), ("\\bcat\\b", "concatenate", false), ("(?i)straẞe", "STRAßE", true), ("[[:upper:]]{2}", "aBCd", true),
        ("\\p{Greek}?\\p{Lu}", "", false), ("\\QA.B\\E", "xA.By", true), ("\\QA.B\\E", "xAxBy", false), ("^\\Qab\\E+$", "abb", true), ("^\\Qab\\E+$", "abab", false), ("^\\Qa.\\E{2}c$", "a..c", true), ("^a{2}{x$", "aa{x", true), ("é", "e\u{301}", false), ("e.", "e\u{301}", true),
        ("a{,}", "a{,}", true), ("a{x", "a{x", true), ("(?<year>\\d{4})-(?#month)\\d\\d", "in 1959-03", true), ("^b$", "a\nb\nc", false), ("(?m)^b$", "a\nb\nc", true),
        ("a.c", "a\nc", false), ("(?s)a.c", "a\nc", true), ("\\R", "\r\n", true), ("^\\w+$", "a1_é", true), ("\\W", "a1_é", false), ("(?i)\\p{Lu}", "a", false), ("a\\Z", "a\r\n", true), ("a\\Z", "a\n\n", false), ("^\\N$", "\n", false), ("k", "\u{212A}", false), ("(?i)k", "\u{212A}", true), ("(?i)\u{212A}", "k", true),
        ("(?i)^i$", "\u{131}", false), ("(?i)^[I]$", "\u{131}", false), ("(?i)^\u{131}$", "I", false), ("(?i)^\u{131}$", "\u{131}", true), ("(?i)[A-Z]", "\u{212A}", true), ("(?i)[J-L]", "\u{212A}", true), ("(?i)[^A-Z]", "\u{212A}", false),
        ("(?i)Ω", "\u{2126}", true), ("(?i)[Α-Ω]", "\u{2126}", true), ("(?i)σ", "ς", true), ("(?i)[Σ]", "ς", true), ("(?i)[@\\[`{]", "p", false),
        ("(?i)[µn]", "μ", true), ("(?i)[μn]", "µ", true), ("(?i)[ſt]", "s", true), ("(?i)[st]", "ſ", true), ("(?i)[\u{212A}]", "k", true), ("(?i)[ςx]", "σ", true),
        ("(?i)[^ςx]", "σ", false), ("(?i)[¡-¿]", "μ", true), ("(?i)[θ-κ]", "ϑ", true), ("(?i)ϴ", "ϑ", true), ("(?i)[\u{1E9E}]", "ß", true), ("(?i)[ǅ]", "Ǆ", true),
        ("(?i)[\\p{Lu}]", "a", false), ("(?i)[^\\p{Lu}]", "a", true), ("(?i)[\\p{Lu}a]", "A", true), ("(?i)[\\p{Lu}&&[^x]]", "X", false), ("(?i)[[:lower:]]", "A", false),
        ("(?i)^" + String(repeating: "[^", count: 100) + "x" + String(repeating: "]", count: 100) + "$", "X", true),
    ])
    func whatExpressionsMean(_ pattern: String, _ text: String, _ expected: Bool) throws {
        if pattern.contains("Greek") {
            #expect(throws: TroveError.self) { try RegularExpression(pattern, ignoringCase: false) }
        } else {
            #expect(try Self.matches(pattern, text) == expected)
        }
    }
}
