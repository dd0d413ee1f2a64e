import Testing

@testable import Trove

@Suite struct FullTextQueryTests {
    @Test(arguments: [
        ("blue", .word("blue")), ("  blue ", .word("blue")), ("blue train", .all([.word("blue"), .word("train")])),
        ("blue AND train", .all([.word("blue"), .word("train")])), ("a b OR c", .any([.all([.word("a"), .word("b")]), .word("c")])),
        ("a (b OR c)", .all([.word("a"), .any([.word("b"), .word("c")])])), ("NOT live", .not(.word("live"))),
        ("a NOT b", .all([.word("a"), .not(.word("b"))])), ("a -b", .all([.word("a"), .not(.word("b"))])), ("well-known", .word("well-known")),
        ("a - b", .all([.word("a"), .word("-"), .word("b")])), ("bill*", .prefix("bill")), ("\"autumn leaves\"", .phrase("autumn leaves")),
        ("\"autumn lea\"*", .prefix("autumn lea")), ("title:blue", .field("title", .word("blue"))),
        ("title:(a OR \"b c\") x", .all([.field("title", .any([.word("a"), .phrase("b c")])), .word("x")])),
        ("jazz title:-live", .all([.word("jazz"), .field("title", .not(.word("live")))])), ("a:-(b c)", .field("a", .not(.all([.word("b"), .word("c")])))),
        ("\"first name\":ada \"a\"", .all([.field("first name", .word("ada")), .phrase("a")])), ("\"a\"\"b\":-(c)", .field("a\"b", .not(.word("c")))),
        ("\"a\"\"b\"\"c\" \"\":d", .all([.phrase("a"), .phrase("b"), .phrase("c"), .field("", .word("d"))])),
        ("a:-b:c", .field("a", .not(.field("b", .word("c"))))), ("a:- b", .all([.field("a", .word("-")), .word("b")])),
        ("-(a b)", .not(.all([.word("a"), .word("b")]))), ("NOT NOT a", .not(.not(.word("a")))), ("or and not", .all([.word("or"), .word("and"), .word("not")])),
        ("ORANGE", .word("ORANGE")), ("a%_?[", .word("a%_?[")), ("\"AND\"", .phrase("AND")), ("NOT(a)b", .all([.not(.word("a")), .word("b")])),
        (
            "\"autumn leaves\" AND bill* NOT live title:blue",
            .all([.phrase("autumn leaves"), .prefix("bill"), .not(.word("live")), .field("title", .word("blue"))])
        ),
        // Fuzzing found that a mark after a quotation mark hid it, as the two are one character.
        ("\"\u{301}a\"", .phrase("\u{301}a")), ("(\u{301}a)", .word("\u{301}a")),
    ] as [(String, FullTextQuery)]) func texts(text: String, expected: FullTextQuery) throws {
        #expect(try FullTextQuery(text) == expected)
    }

    @Test(arguments: [
        ("", 0), ("   ", 3), ("(", 1), ("(a", 2), ("a)", 1), ("()", 1), ("\"a", 2), ("OR", 0), ("a OR", 4), ("a AND", 5), ("AND a", 0), ("NOT", 3),
        ("a OR OR b", 5), (":a", 0), ("a:", 2), ("a: b", 2), ("12:30", 0), ("*", 0), ("a*b", 2), ("a **", 2), ("-", nil), ("a OR AND b", 5),
        ("é (b", 4),
    ] as [(String, Int?)]) func badTexts(text: String, position: Int?) throws {
        var found: Int?
        do {
            _ = try FullTextQuery(text)
        } catch TroveError.invalidFullTextQuery(_, let position, let reason) {
            found = position
            #expect(!reason.isEmpty)
        }
        #expect(found == position)
    }

    /// Names that are no words are read as they are written.
    @Test func descriptionsAreRead() throws {
        for name in ["title", "first name", "a:b", "12", "-x", "", "\"", "a \"b\" c", "AND", "(x)", "*", "_", "näme.x"] {
            for part: FullTextQuery in [.word("blue"), .phrase("a b"), .not(.word("x")), .field("other one", .prefix("c")), .all([.word("a"), .word("b")])] {
                let query = FullTextQuery.all([.phrase("p q"), .field(name, part), .word("z")])
                #expect(try FullTextQuery("\(query)") == query, "\(query)")
            }
        }
        for empty in [FullTextQuery.any([]), .all([])] {
            #expect(try FullTextQuery("\(empty)") == .phrase(""))
            #expect(try FullTextQuery("\(FullTextQuery.any([.word("a"), empty, .not(empty)]))") == .any([.word("a"), .phrase(""), .not(.phrase(""))]))
        }
        // Linear, however many quotation marks there are.
        #expect(try FullTextQuery(String(repeating: "\"", count: 20_000)) == .all(Array(repeating: .phrase(""), count: 10_000)))
    }

    @Test func depthIsBounded() {
        for text in [
            String(repeating: "(", count: 100_000), String(repeating: "NOT ", count: 100_000) + "a", String(repeating: "a:", count: 100_000) + "b",
            String(repeating: "a:-", count: 100_000) + "b",
        ] {
            #expect(throws: TroveError.self) { try FullTextQuery(text) }
        }
    }

    /// What code makes is bounded as text is, and whatever can be read from text is within the bound.
    @Test func depthInCodeIsBounded() throws {
        let index = try FullTextIndex(name: "songs", fields: FullTextFields("title"), options: .init())
        let wrappers: [(FullTextQuery) -> FullTextQuery] = [
            { .not($0) }, { .all([.word("b"), $0]) }, { .any([.word("b"), $0]) }, { .field("title", $0) }, { .any([.all([.word("c"), .any([$0])])]) },
        ]
        for wrap in wrappers {
            var query = FullTextQuery.word("a")
            for _ in 0..<50 { query = wrap(query) }
            #expect(throws: Never.self) { try AnalyzedQuery(query, index) }
            for _ in 0..<1_000 { query = wrap(query) }
            #expect {
                try AnalyzedQuery(query, index)
            } throws: { error in
                guard case TroveError.unsupportedFullTextQuery("songs", let reason) = error else { return false }
                return reason.contains("100 levels")
            }
        }
        for text in [
            String(repeating: "(x a OR ", count: 100) + "b" + String(repeating: ")", count: 100), String(repeating: "NOT ", count: 100) + "a",
            String(repeating: "title:", count: 100) + "a", String(repeating: "-(a b OR ", count: 50) + "c" + String(repeating: ")", count: 50),
        ] {
            let query = try FullTextQuery(text)
            #expect(throws: Never.self) { try AnalyzedQuery(query, index) }
            #expect(throws: Never.self) { try AnalyzedQuery(query.restricted(to: FieldPath("title")), index) }
        }
    }

    /// Positions count characters from 1 wherever a person reads them.
    @Test func positionsForPeople() {
        #expect {
            try FullTextQuery("(a")
        } throws: { error in
            let text = "\(error)"
            return text.contains("at character 3 ") && text.contains("'(' at 1 is open")
        }
    }

    @Test func fieldsAndPhrasesThatTheIndexDoesNotHave() throws {
        let index = try FullTextIndex(name: "songs", fields: FullTextFields("title"), options: FullTextOptions(keepsPositions: false))
        #expect(throws: TroveError.self) { try AnalyzedQuery(.field("artist", .word("a")), index) }
        #expect(throws: TroveError.self) { try AnalyzedQuery(.phrase("autumn leaves"), index) }
        // A word of several parts has to have them all where their order is not known.
        #expect(try AnalyzedQuery(.word("well-known"), index) == AnalyzedQuery(.all([.word("well"), .word("known")]), index))
        #expect(try AnalyzedQuery(.phrase("leaves"), index) == AnalyzedQuery(.word("leaves"), index))
    }

    @Test func wordsThatAreNoneAreLeftOut() throws {
        let index = try FullTextIndex(name: "songs", fields: FullTextFields("title"), options: .init())
        #expect(try AnalyzedQuery(.word("&"), index) == .nothing)
        #expect(try AnalyzedQuery(.all([.word("&"), .word("a")]), index) == .all([AnalyzedQuery(.word("a"), index)]))
        #expect(try AnalyzedQuery(.not(.word("&")), index) == .nothing)
    }

    @Test(arguments: [
        FullTextFields([FullTextFields.Field]()), FullTextFields("a", "a"), FullTextFields([("a", weight: -1)]), FullTextFields([("a", weight: .nan)]),
        FullTextFields((0...32).map { FullTextFields.Field("f\($0)") }),
    ]) func badFields(fields: FullTextFields) {
        #expect(throws: TroveError.self) { try fields.validate() }
    }
}
