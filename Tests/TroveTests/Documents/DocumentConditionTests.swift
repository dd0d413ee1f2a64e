import Foundation
import Testing

@testable import Trove

/// Conditions in Swift are the filters that criteria text makes.
@Suite struct DocumentConditionTests {
    private func filter(_ condition: (Fields<Document>) -> some ConditionConvertible) throws -> Filter {
        try condition(Fields()).condition.filter()
    }

    @Test func conditionsInSwift() throws {
        let (name, year, id) = ("Ann", 1_970, ObjectID())
        #expect(try filter { $0["author.name"] == "Ann" } == Filter(criteria: "author.name = 'Ann'"))
        #expect(try filter { $0["author.name"] == name && $0["author.born"] >= year } == Filter(criteria: "author.name = 'Ann' and author.born >= 1970"))
        #expect(try filter { $0["a"] == nil || $0["b"] != nil } == Filter(criteria: "a is nil or b is not nil"))
        #expect(try filter { $0["a"] == .null } == Filter(criteria: "a is nil"))
        #expect(try filter { $0["a"].exists } == Filter(criteria: "a is not nil"))
        #expect(try filter { $0["a"] != 1.5 } == Filter(criteria: "a != 1.5"))
        #expect(try filter { $0["a"] == ["b": 1] } == Filter(criteria: "a = {'b': 1}"))
        #expect(try filter { $0["a"].isIn([1, 2]) } == Filter(criteria: "a in (1, 2)"))
        #expect(try filter { $0["a"].isIn(1...2) } == Filter(criteria: "a between 1 and 2"))
        #expect(try filter { $0["a"].isIn(1..<2.5) } == Filter(criteria: "a >= 1.0 and a < 2.5"))
        #expect(try filter { $0["a"].isIn(1...) } == Filter(criteria: "a >= 1"))
        #expect(try filter { $0["a"].isIn(...2) } == Filter(criteria: "a <= 2"))
        #expect(try filter { $0["a"].isIn(..<2) } == Filter(criteria: "a < 2"))
        let mixed: [StoredValue] = [1, "x", .null]
        #expect(try filter { $0["a"].isIn(mixed) } == .membership(.path(FieldPath("a")), mixed))
        #expect(try filter { $0["a"].isIn([year, 1_971]) } == Filter(criteria: "a in (1970, 1971)"))
        #expect(try filter { $0["a"].isBetween(1, and: 5) } == Filter(criteria: "a >= 1 and a <= 5"))
        #expect(try filter { $0["a"].hasPrefix("x", ignoringCase: true) } == Filter(criteria: "a begins with 'x' ignoring case"))
        #expect(try filter { $0["a"].contains(text: "x") } == Filter(criteria: "a contains 'x'"))
        #expect(try filter { $0["a"].equals("x", ignoringCase: true) } == Filter(criteria: "a = 'x' ignoring case"))
        #expect(try filter { $0["a"].hasPrefix("x", ignoring: [.case, .diacritics]) } == Filter(criteria: "a begins with 'x' ignoring case and accents"))
        #expect(try filter { $0["a"].hasSuffix("x", ignoring: .diacritics) } == Filter(criteria: "a ends with 'x' ignoring accents"))
        #expect(try filter { $0["a"].contains(text: "x", ignoring: .diacritics) } == Filter(criteria: "a contains 'x' ignoring accents"))
        #expect(try filter { $0["a"].equals("x", ignoring: .case) } == Filter(criteria: "a = 'x' ignoring case"))
        #expect(try filter { $0["a"].isIn(["x", name], ignoring: .diacritics) } == Filter(criteria: "a in ('x', 'Ann') ignoring accents"))
        #expect(try filter { $0["a"].matches("x+") } == Filter(criteria: "a matches 'x+'"))
        #expect(try filter { $0["tags"].contains(name) } == Filter(criteria: "any tags = 'Ann'"))
        #expect(try filter { $0["tags[1]"] == "x" } == Filter(criteria: "tags[1] = 'x'"))
        #expect(try filter { $0["lines"].any { $0["price"] > 5 && $0["count"] > 1 } } == Filter(criteria: "any lines (price > 5 and count > 1)"))
        #expect(try filter { $0["lines"].none { $0["tags"].any { $0 == "x" } } } == Filter(criteria: "none lines (any tags = 'x')"))
        #expect(try filter { $0["lines"].all { $0["price"].exists } } == Filter(criteria: "all lines (price is not nil)"))
        #expect(try filter { $0.anywhere("name").contains(name) } == Filter(criteria: "any depth of $.name = 'Ann'"))
        #expect(try filter { $0.anywhere.any { $0 > 5 } } == Filter(criteria: "any descendants of $ > 5"))
        #expect(try filter { $0.id == id } == Filter(criteria: "$id = objectid '\(id)'"))
        #expect(try filter { $0.className == "Note" } == Filter(criteria: "$class = 'Note'"))
        #expect(try filter { $0["id"] == 5 && $0["$id"] == 5 } == Filter(criteria: "id = 5 and $.$id = 5"))
    }

    @Test(arguments: [
        ("..name = 'x'", "any depth of name = 'x'"), ("any ..name (a = 1)", "any depth of name (a = 1)"), ("none ..a.name = 1", "none depth of a.name = 1"), ("tags[12] = 1", "tags[12] = 1"),
        ("any descendants of a.b = 1", "any descendants of a.b = 1"), ("any depth = 1", "any depth = 1"), ("$ = 1", "$ = 1"),
    ])
    func textIsReadAndWritten(text: String, written: String) throws {
        #expect(try Filter(criteria: text).description == written)
        #expect(try Filter(criteria: written) == Filter(criteria: text))
    }

    @Test(arguments: ["tags[] = 1", "tags[x] = 1", "tags[1.5] = 1", "tags[1 = 1", ".. = 1", "..name", ". = 1", "any depth of = 1"]) func badTextIsRefused(text: String) {
        #expect { try Filter(criteria: text) } throws: { if case TroveError.invalidCriteria = $0 { true } else { false } }
    }
}
