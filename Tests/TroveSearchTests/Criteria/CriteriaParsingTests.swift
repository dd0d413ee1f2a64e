import Foundation
import Testing
import Trove

/// What criteria text means.
@Suite struct CriteriaParsingTests {
    private func path(_ text: String) -> Operand { .path(FieldPath(text)) }

    private var element: Operand { .path(.element) }

    private func year(_ comparison: Comparison, _ value: Int64) -> Filter { .comparison(path("year"), comparison, .value(.int(value))) }

    @Test func theWholeQuery() throws {
        let query = try Query(
            "Song", criteria: "artist = 'Bill Evans' and year < ? order by year desc, title ignoring case asc limit 10 offset 20", 1965)
        #expect(query == Query(
            "Song", where: .and([.comparison(path("artist"), .equal, .value(.string("Bill Evans"))), year(.less, 1965)]),
            sort: [SortKey(FieldPath("year"), .descending), SortKey(FieldPath("title"), ignoringCase: true)], offset: 20, limit: 10))
        #expect(try Query("Song", criteria: "") == Query("Song"))
        #expect(try Query("Song", criteria: " \n") == Query("Song"))
        #expect(try Query("Song", criteria: "limit 3") == Query("Song", limit: 3))
        #expect(try Query("Song", criteria: "offset 5 limit ?", 3) == Query("Song", offset: 5, limit: 3))
        #expect(try Query("Song", criteria: "ORDER BY Year DESCENDING IGNORING CASE LIMIT :most", with: ["most": 4])
            == Query("Song", sort: [SortKey(FieldPath("Year"), .descending, ignoringCase: true)], limit: 4))
        #expect(try Query("Song", criteria: "true") == Query("Song"))
    }

    @Test(arguments: [
        ("=", Comparison.equal), ("==", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<", .less), ("<=", .lessOrEqual), (">", .greater),
        (">=", .greaterOrEqual),
    ])
    func comparisons(_ symbol: String, _ comparison: Comparison) throws {
        #expect(try Filter(criteria: "year \(symbol) 1990") == year(comparison, 1990))
        #expect(try Filter(criteria: "year\(symbol)1990") == year(comparison, 1990))
        #expect(try Filter(criteria: "1990 \(symbol) year") == .comparison(.value(.int(1990)), comparison, path("year")))
        #expect(try Filter(criteria: "year \(symbol) born ignoring case") == .comparison(path("year"), comparison, path("born"), ignoringCase: true))
    }

    /// After a dot digits are a name, as ``DocumentPath`` reads them; one that is a number without zeros before it is a position too.
    @Test(arguments: [
        ("lines.0.price", "lines[0].price"), ("a.1.2", "a[1][2]"), ("a . 1", "a[1]"), ("a[1].2.b", "a[1][2].b"), ("a.01", "a.\"01\""), ("a.1_0", "a.\"1_0\""), ("a.5x", "a.\"5x\""),
        ("a.1e5.b", "a.\"1e5\".b"), ("\"a\".1", "a[1]"), ("count(a.1)", "count(a[1])"), ("any a.1.b", "any a[1].b"),
    ])
    func namesOfDigits(_ dotted: String, _ other: String) throws {
        #expect(try Filter(criteria: dotted + " = 1.5") == Filter(criteria: other + " = 1.5"))
        #expect(try Query("Song", criteria: "order by a.1 desc, b.2.c") == Query("Song", criteria: "order by a[1] desc, b[2].c"))
        #expect(try Filter(criteria: "1.5 = a.1.5") == .comparison(.value(.double(1.5)), .equal, .path(FieldPath("a[1][5]"))))
    }

    @Test func logicBindsAndBeforeOr() throws {
        let (a, b, c) = (year(.equal, 1), year(.equal, 2), year(.equal, 3))
        #expect(try Filter(criteria: "year = 1 or year = 2 and year = 3") == .or([a, .and([b, c])]))
        #expect(try Filter(criteria: "(year = 1 or year = 2) and year = 3") == .and([.or([a, b]), c]))
        #expect(try Filter(criteria: "year = 1 and year = 2 and year = 3") == .and([a, b, c]))
        #expect(try Filter(criteria: "year = 1 and (year = 2 and year = 3)") == .and([a, .and([b, c])]))
        #expect(try Filter(criteria: "not year = 1 and year = 2") == .and([.not(a), b]))
        #expect(try Filter(criteria: "not (year = 1 and year = 2)") == .not(.and([a, b])))
        #expect(try Filter(criteria: "NOT not year = 1") == .not(.not(a)))
        #expect(try Filter(criteria: "true or false") == .or([.constant(true), .constant(false)]))
        #expect(try Filter(criteria: "true = isLive") == .comparison(.value(.bool(true)), .equal, path("isLive")))
    }

    @Test func tests() throws {
        #expect(try Filter(criteria: "year between 1950 and 1959 and year != 1955")
            == .and([.and([year(.greaterOrEqual, 1950), year(.lessOrEqual, 1959)]), year(.notEqual, 1955)]))
        #expect(try Filter(criteria: "year not between 1950 and 1959") == .not(.and([year(.greaterOrEqual, 1950), year(.lessOrEqual, 1959)])))
        #expect(try Filter(criteria: "artist in ('a', 'b', ?, nil)", "c")
            == .membership(path("artist"), [.string("a"), .string("b"), .string("c"), .null]))
        #expect(try Filter(criteria: "artist not in () ignoring case") == .not(.membership(path("artist"), [], ignoringCase: true)))
        #expect(try Filter(criteria: "artist in ?", ["a", "b"]) == .membership(path("artist"), [.string("a"), .string("b")]))
        #expect(try Filter(criteria: "artist in [1]") == .membership(path("artist"), [.int(1)]))
        for text in ["ignoring case and accents", "ignoring accents AND case", "ignoring diacritics and case"] {
            #expect(try Filter(criteria: "title contains 'x' \(text)") == .text(path("title"), .contains, .value(.string("x")), ignoring: [.case, .diacritics]))
        }
        #expect(try Filter(criteria: "title in ('x', 'y') ignoring accents") == .membership(path("title"), [.string("x"), .string("y")], ignoring: .diacritics))
        // A field may have such a name.
        for (text, second) in [("accents = 1", FieldPath("accents")), ("accents.x = 1", FieldPath("accents.x")), ("accents[0] = 1", FieldPath("accents[0]"))] {
            #expect(
                try Filter(criteria: "title = 'x' ignoring case and \(text)")
                    == .and([
                        .comparison(path("title"), .equal, .value(.string("x")), ignoring: .case), .comparison(.path(second), .equal, .value(.int(1))),
                    ]), "\(text)")
        }
        #expect(
            try Filter(criteria: "title = 'x' ignoring accents and case is nil")
                == .and([.comparison(path("title"), .equal, .value(.string("x")), ignoring: .diacritics), .isNil(FieldPath("case"))]))
        #expect(
            try Query("Song", criteria: "order by title ignoring case and accents desc, artist desc ignoring accents").sort
                == [SortKey(FieldPath("title"), .descending, ignoring: [.case, .diacritics]), SortKey(FieldPath("artist"), .descending, ignoring: .diacritics)])
        #expect(try Filter(criteria: "title begins with '50%' ignoring case")
            == .text(path("title"), .hasPrefix, .value(.string("50%")), ignoringCase: true))
        #expect(try Filter(criteria: "title ends with artist") == .text(path("title"), .hasSuffix, path("artist")))
        #expect(try Filter(criteria: "title not contains ?", "x*") == .not(.text(path("title"), .contains, .value(.string("x*")))))
        #expect(try Filter(criteria: "title matches '^a''b$'") == .matches(path("title"), pattern: "^a'b$"))
        for word in ["nil", "NULL"] {
            #expect(try Filter(criteria: "rating is \(word)") == .isNil(FieldPath("rating")))
            #expect(try Filter(criteria: "rating is not \(word)") == .not(.isNil(FieldPath("rating"))))
            #expect(try Filter(criteria: "rating = \(word)") == .comparison(path("rating"), .equal, .value(.null)))
        }
    }

    @Test func collections() throws {
        let tags = FieldPath("tags")
        #expect(try Filter(criteria: "any tags = 'x'") == .quantified(.any, tags, .elements, .comparison(element, .equal, .value(.string("x")))))
        #expect(try Filter(criteria: "all scores between 1 and 5 and year = 1") == .and([
            .quantified(.all, FieldPath("scores"), .elements, .and([
                .comparison(element, .greaterOrEqual, .value(.int(1))), .comparison(element, .lessOrEqual, .value(.int(5))),
            ])), year(.equal, 1),
        ]))
        #expect(try Filter(criteria: "none tags begins with artist")
            == .quantified(.none, tags, .elements, .text(element, .hasPrefix, path("artist"))))
        #expect(try Filter(criteria: "any keys of labels in ('a')") == .quantified(.any, FieldPath("labels"), .keys, .membership(element, [.string("a")])))
        #expect(try Filter(criteria: "all values of shop.prices > 5")
            == .quantified(.all, FieldPath("shop.prices"), .values, .comparison(element, .greater, .value(.int(5)))))
        #expect(try Filter(criteria: "any keys = 5") == .quantified(.any, FieldPath("keys"), .elements, .comparison(element, .equal, .value(.int(5)))))
        #expect(try Filter(criteria: "'x' in tags") == .quantified(.any, tags, .elements, .comparison(element, .equal, .value(.string("x")))))
        #expect(try Filter(criteria: "artist not in tags") == .not(.quantified(.any, tags, .elements, .comparison(element, .equal, path("artist")))))
        #expect(try Filter(criteria: "none tags (true)") == .quantified(.none, tags, .elements, .constant(true)))
        #expect(try Filter(criteria: "any notes is nil") == .quantified(.any, FieldPath("notes"), .elements, .isNil(.element)))
    }

    @Test func namesInParenthesesAreThoseOfTheElement() throws {
        func inner(_ names: String...) -> Operand { .path(FieldPath(field: "", names: names)) }
        let price = Filter.comparison(inner("price"), .greater, .value(.int(5)))
        #expect(try Filter(criteria: "any lines (price > 5 and element.quantity > object.least)")
            == .quantified(.any, FieldPath("lines"), .elements, .and([price, .comparison(inner("quantity"), .greater, path("least"))])))
        #expect(try Filter(criteria: "any lines (any parts = object.code and price > 5) and price = 1") == .and([
            .quantified(.any, FieldPath("lines"), .elements, .and([
                .quantified(.any, FieldPath(field: "", names: ["parts"]), .elements, .comparison(element, .equal, path("code"))), price,
            ])), .comparison(path("price"), .equal, .value(.int(1))),
        ]))
        #expect(try Filter(criteria: "any tags (element begins with 'a' or \"element\" = 1)") == .quantified(
            .any, FieldPath("tags"), .elements,
            .or([.text(element, .hasPrefix, .value(.string("a"))), .comparison(inner("element"), .equal, .value(.int(1)))])))
        #expect(try Filter(criteria: "any tags (Element = 1 or OBJECT.x = 2)") == .quantified(
            .any, FieldPath("tags"), .elements,
            .or([
                .comparison(inner("Element"), .equal, .value(.int(1))),
                .comparison(inner("OBJECT", "x"), .equal, .value(.int(2))),
            ])))
        #expect(try Filter(criteria: "element = 1 and object.x = 2")
            == .and([.comparison(path("element"), .equal, .value(.int(1))), .comparison(path("object.x"), .equal, .value(.int(2)))]))
    }

    @Test func names() throws {
        #expect(try Filter(criteria: "\"order\" = 1") == .comparison(path("order"), .equal, .value(.int(1))))
        #expect(try Filter(criteria: "\"a \"\"b\"\".c\".d = 1") == .comparison(.path(FieldPath(field: "a \"b\".c", names: ["d"])), .equal, .value(.int(1))))
        #expect(try Filter(criteria: "labels.order.\"x y\" = 1") == .comparison(path("labels.order.x y"), .equal, .value(.int(1))))
        #expect(try Filter(criteria: "größe_2 = 1 or 年 = 2 or date = 3 or keys = 4")
            == .or(["größe_2", "年", "date", "keys"].enumerated().map { .comparison(path($1), .equal, .value(.int(Int64($0) + 1))) }))
    }

    @Test(arguments: [
        ("1", StoredValue.int(1)), ("-1", .int(-1)), ("- 1", .int(-1)), ("1_000_000", .int(1_000_000)),
        ("-9223372036854775808", .int(.min)), ("9223372036854775807", .int(.max)), ("18446744073709551615", .uint(.max)),
        ("1.5", .double(1.5)), ("-2.5e-3", .double(-0.0025)), ("1e300", .double(1e300)), ("double 'inf'", .double(.infinity)),
        ("double '-inf'", .double(-.infinity)), ("double 5", .double(5)), ("double '-2.5'", .double(-2.5)), ("float '1.5'", .float(1.5)), ("float 1.5", .float(1.5)),
        ("decimal 0.1", .decimal(Decimal(sign: .plus, exponent: -1, significand: 1))),
        ("decimal -12345678901234567890123456789012345678", .decimal(-Decimal(string: "12345678901234567890123456789012345678")!)),
        ("decimal '-0.25'", .decimal(Decimal(sign: .minus, exponent: -2, significand: 25))),
        ("decimal '.5'", .decimal(Decimal(sign: .plus, exponent: -1, significand: 5))),
        ("decimal 1e127", .decimal(Decimal(sign: .plus, exponent: 127, significand: 1))),
        ("'it''s'", .string("it's")), ("''", .string("")), ("'a\nb'", .string("a\nb")), ("true", .bool(true)), ("FALSE", .bool(false)), ("nil", .null),
        ("date '2001-01-01'", .date(Date(timeIntervalSinceReferenceDate: 0))),
        ("date '2001-01-01T00:00:01Z'", .date(Date(timeIntervalSinceReferenceDate: 1))),
        ("date '2001-01-01 01:00+01:00'", .date(Date(timeIntervalSinceReferenceDate: 0))),
        ("date '2000-02-29T23:59:59.25'", .date(Date(timeIntervalSinceReferenceDate: -307 * 86_400 + 86_399.25))),
        ("date '1970-01-01T00:00:00-0030'", .date(Date(timeIntervalSince1970: 1_800))),
        ("date '1970-01-01t00:00:00,5z'", .date(Date(timeIntervalSince1970: 0.5))),
        ("date '1998-12-31T23:59:60Z'", .date(Date(timeIntervalSinceReferenceDate: -731 * 86_400))),
        ("date '0001-01-01'", .date(Date(timeIntervalSinceReferenceDate: -730_485 * 86_400))),
        ("date '9999-12-31'", .date(Date(timeIntervalSinceReferenceDate: 2_921_573 * 86_400))),
        ("date 12.5", .date(Date(timeIntervalSinceReferenceDate: 12.5))),
        ("uuid '00112233-4455-6677-8899-AABBCCDDEEFF'", .uuid(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!)),
        ("objectid '00112233-4455-6677-8899-aabbccddeeff'", .objectID(ObjectID("00112233-4455-6677-8899-aabbccddeeff")!)),
        ("data '00fF'", .data(Data([0, 255]))), ("url 'https://example.org/a'", .url(URL(string: "https://example.org/a")!)),
        ("[1, 'a', [nil]]", .array([.int(1), .string("a"), .array([.null])])), ("[]", .array([])),
        ("{'a': 1, 'b c': {}}", .object(["a": .int(1), "b c": .object([:])])), ("dictionary {1: 'a'}", .dictionary([.int(1): .string("a")])),
    ])
    func values(_ text: String, _ value: StoredValue) throws {
        #expect(try Filter(criteria: "x = \(text)") == .comparison(path("x"), .equal, .value(value)))
    }

    @Test func parameters() throws {
        enum Format: String { case vinyl }
        let none: Int? = nil
        #expect(try Filter(criteria: "a = ? and b = ? and c = ? and d = ? and e = ?", 1, "it's ' or true", Format.vinyl, none, nil) == .and([
            .comparison(path("a"), .equal, .value(.int(1))), .comparison(path("b"), .equal, .value(.string("it's ' or true"))),
            .comparison(path("c"), .equal, .value(.string("vinyl"))), .comparison(path("d"), .equal, .value(.null)),
            .comparison(path("e"), .equal, .value(.null)),
        ]))
        #expect(try Filter(criteria: "a = :x and b = :y and c = :x", with: ["x": 1.5, "y": Date(timeIntervalSinceReferenceDate: 5)]) == .and([
            .comparison(path("a"), .equal, .value(.double(1.5))),
            .comparison(path("b"), .equal, .value(.date(Date(timeIntervalSinceReferenceDate: 5)))),
            .comparison(path("c"), .equal, .value(.double(1.5))),
        ]))
    }
}
