import Foundation
import Testing

@testable import Trove

/// The grammar of criteria text in `docs/search.md` has the words that the parser has.
@Suite struct CriteriaGrammarTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docs/search.md")

    private let text: String
    private let rules: [String: [Substring]]

    init() throws {
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        let start = try #require(page.range(of: "```ebnf\n")?.upperBound)
        let end = try #require(page.range(of: "```", range: start..<page.endIndex)?.lowerBound)
        text = page
        rules = Dictionary(uniqueKeysWithValues: page[start..<end].components(separatedBy: " ;\n").filter { !$0.isEmpty }.map { rule in
            let parts = Self.symbols(of: rule)
            return (String(parts[0]), Array(parts.dropFirst(2)))
        })
    }

    /// Names, brackets, bars, and terminals with the quotation marks around them.
    private static func symbols(of rule: String) -> [Substring] { rule.matches(of: #/"[^"]*"|'"'|\w+|[^\s]/#).map(\.output) }

    private func rule(_ name: String) throws -> [Substring] { try #require(rules[name], "no rule '\(name)' in the grammar") }

    /// The terminals among symbols, without their marks.
    private static func terminals(_ symbols: some Sequence<Substring>) -> [String] {
        symbols.filter { $0.hasPrefix("\"") && $0.count > 2 }.map { String($0.dropFirst().dropLast()) }
    }

    /// The terminals that what a rule stands for may begin with, where the rule begins with terminals alone.
    private static func beginnings(_ symbols: [Substring]) -> Set<String> {
        var found: Set<String> = []
        var depth = 0
        // Of an alternative, what comes after its beginning is passed over; what is in square brackets may be missing.
        var isAtBeginning = true
        for symbol in symbols {
            switch symbol {
            case "|" where depth == 0: isAtBeginning = true
            case "[", "(", "{": depth += 1
            case "]": depth -= 1
            case ")", "}":
                depth -= 1
                if depth == 0 { isAtBeginning = false }
            case "|": break
            default:
                guard isAtBeginning else { continue }
                found.formUnion(terminals(CollectionOfOne(symbol)))
                if depth == 0 { isAtBeginning = false }
            }
        }
        return found
    }

    @Test func valuesHaveTheTypesOfTheTable() throws {
        let typed = try rule("typed")
        let words = Self.terminals(typed.prefix { $0 != ")" })
        #expect(words.count == Set(words).count)
        // Not by a key path, which crashes the compiler of Swift 6.3 for a property of a type that is only known as a protocol's.
        #expect(Set(words) == Set(ScalarTypes.all.compactMap { $0.literalWord }))
    }

    @Test func testsBeginAsTheParserKnows() throws {
        let beginnings = Self.beginnings(try rule("test"))
        let words = beginnings.filter { $0.allSatisfy { $0.isLetter || $0 == " " } }
        #expect(beginnings.subtracting(words) == Set(CriteriaParser.comparisons.keys))
        let first = Set(words.compactMap { word -> String? in word.split(separator: " ").first.map { String($0) } })
        #expect(first == CriteriaParser.testWords.subtracting(["like"]))
        // The message that lists them says all of them but the negation.
        for word in words where word != "not" { #expect(CriteriaParser.operators.contains(" \(word)"), "\(word)") }
        for test in TextTest.allCases { #expect(words.contains(test.rawValue), "\(test)") }
    }

    @Test func quantifiersHaveTheirParts() throws {
        let words = Self.terminals(try rule("quantified")).filter { $0.allSatisfy(\.isLetter) }
        let known = Quantifier.allCases.map(\.rawValue) + CollectionPart.allCases.filter { $0 != .elements }.map(\.rawValue) + ["of"]
        #expect(Set(words) == Set(known))
    }

    /// A limit and an offset come once, in either order.
    @Test func windowsAreNotRepeated() throws {
        var depth = 0
        for symbol in try rule("criteria") {
            if symbol == "{" { depth += 1 } else if symbol == "}" { depth -= 1 }
            #expect(depth == 0 || symbol != "\"limit\"" && symbol != "\"offset\"")
        }
        for text in ["true limit 3 offset 5", "true offset 5 limit 3"] {
            let query = try Query("Song", criteria: text)
            #expect(query.limit == 3 && query.offset == 5)
        }
        for text in ["true limit 3 limit 5", "offset 1 limit 3 offset 5"] { #expect(throws: TroveError.self) { try Query("Song", criteria: text) } }
    }

    @Test func pathsBeginWithNoReservedWord() throws {
        let start = try #require(text.range(of: "a path begins with one of the words *")?.upperBound)
        let end = try #require(text.range(of: "*", range: start..<text.endIndex)?.lowerBound)
        #expect(Set(text[start..<end].split(whereSeparator: \.isWhitespace).map(String.init)) == CriteriaParser.reserved)
    }

    /// A grammar that lacks a word does not pass.
    @Test func aBeginningIsFound() {
        let rule = #"test = ( "=" | "<>" ) operand [ "x" ] | [ "not" ] "in" "(" a ")" | [ "not" ] ( "begins with" | "ends with" ) b | "is" [ "not" ] ( "nil" | "null" )"#
        #expect(Self.beginnings(Array(Self.symbols(of: rule).dropFirst(2))) == ["=", "<>", "not", "in", "begins with", "ends with", "is"])
    }
}
