import Foundation
import Testing
import Trove

/// Bad criteria text is told with its position and what was expected there.
@Suite struct CriteriaErrorTests {
    private func fault(_ text: String, _ arguments: [Any?] = []) -> (position: Int, expected: String)? {
        let result = Result { () throws(TroveError) in
            switch arguments.count {
            case 0: try Query("Song", criteria: text)
            case 1: try Query("Song", criteria: text, arguments[0])
            default: try Query("Song", criteria: text, arguments[0], arguments[1])
            }
        }
        guard case .failure(.invalidCriteria(let told, let position, let expected)) = result, told == text else { return nil }
        return (position, expected)
    }

    @Test(arguments: [
        ("year", 4, "an operator"),
        ("year = ", 7, "a field, a value or a parameter"),
        ("year = 5 6", 9, "'and', 'or', 'order by', 'limit', 'offset' or the end"),
        ("= 5", 0, "a field, a value or a parameter"),
        ("year > 5 and", 12, "a field, a value or a parameter"),
        ("(year > 5", 9, "')'"),
        ("year > 5)", 8, "the end"),
        ("artist like 'B%'", 7, "begins with, ends with or contains"),
        ("artist not like 'B%'", 11, "begins with"),
        ("artist begins 'B'", 14, "'with'"),
        ("artist = 'Bill", 9, "a ' that ends the text"),
        ("\"artist = 5", 0, "a \" that ends the name"),
        ("artist = ‘Bill’", 9, "straight quotes"),
        ("year = 5 && x = 1", 9, "'and'"),
        ("year = 5 || x = 1", 9, "'or'"),
        ("!x = 1", 0, "'not'"),
        ("year between 1 or 5", 15, "'and'"),
        ("year in 5", 8, "a list in parentheses"),
        ("year in (5", 10, "',' or ')'"),
        ("year in (5, x)", 12, "a value or a parameter"),
        ("year is 5", 8, "'nil' or 'not nil'"),
        ("5 is nil", 5, "a field before"),
        ("year not = 5", 9, "'in'"),
        ("x = 1e", 4, "digits after its 'e'"),
        ("x = 5a", 4, "double quotes"),
        ("place within 500m of geopoint '52.5,13.4'", 13, "a space between the number and its unit: 500 m"),
        ("place within 1.5km of geopoint '52.5,13.4'", 13, "a space between the number and its unit: 1.5 km"),
        ("x = 1.", 5, "'and'"),
        ("x = 999999999999999999999999999999999999999", 4, "an integer from -\(Int128.min.magnitude) to \(UInt128.max)"),
        ("x = 1e999", 4, "a number that a Double can hold"),
        ("x = date '2021-02-29'", 9, "a date as in"),
        ("x = date '2021-02-28T24:00'", 9, "a date as in"),
        ("x = uuid '5'", 9, "a UUID"),
        ("x = data '5'", 9, "hexadecimal"),
        ("x = decimal 123456789012345678901234567890123456789012345", 12, "38 digits"),
        ("x = decimal '-'", 12, "38 digits"), ("x = decimal '1.2.3'", 12, "38 digits"), ("x = double 'one'", 11, "finite number"),
        ("x = decimal '5e'", 12, "38 digits"), ("x = decimal 'e5'", 12, "38 digits"), ("x = decimal '-+5'", 12, "38 digits"),
        ("x = decimal '.'", 12, "38 digits"), ("x = decimal ''", 12, "38 digits"), ("x = decimal '--5'", 12, "38 digits"),
        ("artist 'Bill'", 7, "an operator after 'artist'"),
        ("x.= 5", 2, "a name after the dot"),
        ("any ..1 = 5", 6, "the field of a collection"),
        ("limit -1", 6, "a whole number, 0 or more"),
        ("limit 1.5", 6, "a whole number, 0 or more"),
        ("limit 1 limit 2", 8, "'offset' or the end"),
        ("order by", 8, "a field to sort by"),
        ("order by limit", 9, "\"limit\""),
        ("limit = 5", 6, "a whole number"),
        ("and = 5", 0, "\"and\""),
        ("order year", 0, "\"order\""),
        ("any tags", 8, "a condition in parentheses"),
        ("any 'x' = tags", 4, "the field of a collection"),
        ("any lines (any parts = price)", 23, "a member compares with no other collection's members"),
        ("title matches pattern", 14, "a regular expression in single quotes"),
        ("title = 'x' ignoring", 20, "'case' or 'accents'"), ("title = 'x' ignoring marks", 21, "'case' or 'accents'"),
        ("title matches 'x' ignoring accents", 18, "'ignoring case' at most: a regular expression heeds accents"),
        ("x = {5: 1}", 5, "a key in single quotes"),
        ("x = ?", 4, "an argument for each ?; 0 were given"),
        ("x = :name", 4, "no named ones were given"),
        ("x = :", 5, "the parameter's name"),
        ("select * from Song where year > 1990", 0, "the condition alone, without 'select'"),
        ("SELECT title FROM Song", 0, "without 'SELECT'"), ("where year > 1990", 0, "without 'where'"), ("from Song", 0, "without 'from'"),
        ("select > 'x' and", 16, "a field, a value or a parameter"), ("where.x", 7, "an operator"),
        ("title contains[cd] 'x'", 14, "ignoring case and accents"), ("title = [c] 'x'", 8, "what a text ignores stands behind it"),
        ("year = %@", 7, "a ?, which stands for the next argument"),
        ("größe = 'é' ;", 12, "a field, a value or an operator"),
    ])
    func positionAndExpectation(_ text: String, _ position: Int, _ expected: String) {
        let fault = fault(text)
        #expect(fault?.position == position, "\(text)")
        #expect(fault?.expected.contains(expected) == true, "\(text): \(fault?.expected ?? "no error")")
    }

    @Test func argumentsHaveToFit() throws {
        struct Odd {}
        #expect(fault("x = ? and y = ?", [1])?.position == 14)
        #expect(fault("x = ?", [1, 2])?.expected == "a ? for each of the 2 arguments; there are 1")
        #expect(fault("x = ?", [Odd()])?.expected.contains("Odd") == true)
        #expect(fault("limit ?", [-1])?.expected == "an argument that is a whole number, 0 or more")
        #expect(fault("limit ?", ["x"])?.position == 6)
        #expect(throws: TroveError.self) { try Filter(criteria: "x = :a", with: ["a": 1, "b": 2]) }
        #expect(throws: TroveError.self) { try Filter(criteria: "x = :b", with: ["a": 1]) }
        #expect(throws: TroveError.self) { try Filter(criteria: "x = 5 limit 3") }
    }

    @Test func theMessageTellsAll() {
        let error = #expect(throws: TroveError.self) { try Filter(criteria: "year is 5") }
        #expect(error.map { "\($0)" } == "at character 9 of 'year is 5': expected 'nil' or 'not nil'")
        let long = String(repeating: "year = 1 or ", count: 10_000) + "year is 5"
        let longError = #expect(throws: TroveError.self) { try Filter(criteria: long) }
        #expect(longError.map { "\($0)" }?.count ?? 0 < 300)
        #expect(longError.map { "\($0)" }?.hasSuffix("or year is 5': expected 'nil' or 'not nil'") == true)
    }

    @Test(arguments: [("", "("), ("", "not "), ("", "any x ("), ("x = ", "["), ("x in (", "["), ("x = ", "{'a': ")])
    func nestingIsBounded(_ beginning: String, _ opening: String) {
        #expect(fault(beginning + String(repeating: opening, count: opening == "(" ? 100_000 : 5_000))?.expected.contains("100 levels") == true)
    }

    @Test func aHundredLevelsAreRead() throws {
        let text = String(repeating: "(", count: 100) + "x = 1" + String(repeating: ")", count: 100)
        #expect(try Filter(criteria: text) == .comparison(.path(FieldPath("x")), .equal, .value(.int(1))))
        let wide = (0..<10_000).map { "x = \($0)" }.joined(separator: " or ")
        guard case .or(let filters) = try Filter(criteria: wide) else {
            Issue.record("not a list of alternatives")
            return
        }
        #expect(filters.count == 10_000)
    }
}
