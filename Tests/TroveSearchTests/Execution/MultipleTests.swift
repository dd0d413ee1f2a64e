import Foundation
import TestSupport
import Testing

@testable import Trove

/// Multiples of whole numbers, in every form that a condition has, compared with Swift's own.
@Suite struct MultipleTests {
    @Model struct Issue: Equatable {
        var id: Int
        @Attribute(.indexed) var year: Int
        var small: Int8
        var large: UInt64
        var optional: Int?
        var amount: Double
        var price: Decimal
        var huge: Int128
        var pages: [Int]
        var label: String
    }

    private static let factors: [Int128] = [0, 1, -1, 2, 3, 4, 7, 100, -400, Int128(Int64.min), 1 << 64, 1 << 100, .max, .min]

    private static func issues() -> [Issue] {
        let years = [0, 1, -1, -4, 1900, 1904, 2000, .min, .max, 1 << 53 + 1]
        return years.enumerated().map { number, year in
            Issue(
                id: number, year: year, small: Int8(truncatingIfNeeded: year), large: UInt64(bitPattern: Int64(year)), optional: number % 3 == 0 ? nil : year,
                amount: [0, -0.0, 4, 4.5, 0x1p64, 0x1p200, -1e300, .nan, .infinity, 3][number],
                price: [0, 4, 4.5, Decimal(string: "1e20")!, Decimal(string: "7e-1")!, Decimal(string: "700e-2")!, .nan, -400, Decimal(string: "3e100")!, 1][number],
                huge: Int128(year) << 60, pages: [year, number], label: "4")
        }
    }

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Issue.self) }
        try fixture.store.save(Self.issues())
        return fixture
    }

    private static func isMultiple(_ value: Int128, _ factor: Int128) -> Bool { value.isMultiple(of: factor) }

    @Test(arguments: Engine.allCases) func everyFormFindsWhatSwiftDoes(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        defer { withExtendedLifetime(fixture) {} }
        let issues = Self.issues()
        func expect(_ filter: Filter, _ comment: Comment, _ passes: (Issue) -> Bool) throws {
            let expected = issues.filter(passes).map(\.id)
            for same in [filter, try Filter(criteria: filter.description), try Filter(json: filter.json()), .not(.not(filter))] {
                #expect(try store.fetch(Issue.self).where(same).all().map(\.id) == expected, comment)
                #expect(try store.fetch(Issue.self).where(same).count() == expected.count, comment)
            }
            #expect(try store.fetch(Issue.self).where(!filter).all().map(\.id) == issues.map(\.id).filter { !expected.contains($0) }, "not \(comment)")
            #expect(try Filter(criteria: filter.description) == filter && Filter(json: filter.json()) == filter && Filter(criteria: (!filter).description) == !filter)
        }
        for factor in Self.factors {
            try expect(.isMultiple("year", of: factor), "year of \(factor)") { Self.isMultiple(Int128($0.year), factor) }
            try expect(.isMultiple("small", of: factor), "small of \(factor)") { Self.isMultiple(Int128($0.small), factor) }
            try expect(.isMultiple("large", of: factor), "large of \(factor)") { Self.isMultiple(Int128($0.large), factor) }
            try expect(.isMultiple("huge", of: factor), "huge of \(factor)") { Self.isMultiple($0.huge, factor) }
            try expect(.isMultiple("id", of: factor), "id of \(factor)") { Self.isMultiple(Int128($0.id), factor) }
            try expect(.isMultiple("optional", of: factor), "optional of \(factor)") { $0.optional.map { Self.isMultiple(Int128($0), factor) } ?? false }
            try expect(.quantified(.any, "pages", .elements, .isMultiple(.element, of: factor)), "any page of \(factor)") {
                $0.pages.contains { Self.isMultiple(Int128($0), factor) }
            }
        }
    }

    @Test func numbersOfOtherTypesCountByTheirValue() throws {
        let fixture = try fixture(.memory)
        let store = fixture.store
        defer { withExtendedLifetime(fixture) {} }
        func ids(_ path: FieldPath, _ factor: Int128) throws -> [Int] { try store.fetch(Issue.self).where(.isMultiple(path, of: factor)).all().map(\.id) }
        #expect(try ids("amount", 2) == [0, 1, 2, 4, 5, 6])
        #expect(try ids("amount", 3) == [0, 1, 6, 9], "-1e300 as a Double is a multiple of 3")
        #expect(try ids("amount", 0) == [0, 1])
        #expect(try ids("amount", 1 << 126) == [0, 1, 5, 6])
        #expect(try ids("price", 7) == [0, 5])
        #expect(try ids("price", 4) == [0, 1, 3, 7, 8])
        #expect(try ids("price", 3) == [0, 8])
        #expect(try ids("price", 0) == [0])
        #expect(throws: TroveError.self) { try ids("label", 4) }
        #expect(throws: TroveError.self) { try ids("nothing", 4) }
    }

    @Test(arguments: Engine.allCases) func swiftPredicatesAndDocuments(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        defer { withExtendedLifetime(fixture) {} }
        let issues = Self.issues()
        let ids = { (fetch: Fetch<Issue, ObjectStore>) in try fetch.all().map(\.id) }
        let leap = issues.filter { $0.year.isMultiple(of: 4) }.map(\.id)
        #expect(try ids(store.fetch(Issue.self).where { $0.year.isMultiple(of: 4) }) == leap)
        #expect(try ids(store.fetch(Issue.self).where { $0.small.isMultiple(of: 4) && !$0.year.isMultiple(of: 100) }) == issues.filter { $0.small.isMultiple(of: 4) && !$0.year.isMultiple(of: 100) }.map(\.id))
        #expect(try ids(store.fetch(Issue.self).where { $0.optional.isMultiple(of: 4) }) == issues.filter { $0.optional?.isMultiple(of: 4) ?? false }.map(\.id))
        #expect(try ids(store.fetch(Issue.self).where { $0.pages.any { $0.isMultiple(of: 4) } }) == issues.filter { $0.pages.contains { $0.isMultiple(of: 4) } }.map(\.id))
        #expect(try ids(store.fetch(Issue.self).where(#Predicate { $0.year % 4 == 0 })) == leap)
        #expect(try ids(store.fetch(Issue.self).where(#Predicate { $0.year % 4 != 0 })) == issues.map(\.id).filter { !leap.contains($0) })
        let four = 4
        #expect(try ids(store.fetch(Issue.self).where(#Predicate { ($0.optional ?? 8) % four == 0 })) == issues.filter { ($0.optional ?? 8).isMultiple(of: 4) }.map(\.id))
        let (lowest, minusOne) = (Int128.min, Int128(-1))
        #expect(try ids(store.fetch(Issue.self).where(#Predicate { ($0.year == 0 ? lowest : $0.huge) % minusOne == 0 })) == issues.map(\.id))
        for refused in [#Predicate<Issue> { $0.year % 4 == 1 }, #Predicate<Issue> { $0.year % 0 == 0 }, #Predicate<Issue> { $0.year % $0.year == 0 }] {
            #expect(throws: TroveError.self) { try store.fetch(Issue.self).where(refused).all() }
        }
        #expect(try ids(store.fetch(Issue.self).matching("year is multiple of ? and year > 0", 4)) == issues.filter { $0.year.isMultiple(of: 4) && $0.year > 0 }.map(\.id))
        #expect(try ids(store.fetch(Issue.self).matching("not (year IS NOT MULTIPLE OF 4)")) == leap)
        #expect(try ids(store.fetch(Issue.self).matching("any pages is multiple of 4 order by $id")) == issues.filter { $0.pages.contains { $0.isMultiple(of: 4) } }.map(\.id))
        for text in ["year is multiple", "year is multiple of", "year is multiple of 1.5", "year is multiple of 'a'", "4 is multiple of 4", "year is multiple 4", "year is multiple of small"] {
            #expect(throws: TroveError.self, "\(text)") { try Filter(criteria: text) }
        }
        for text in [#"{"is multiple":"year"}"#, #"{"is multiple":"year","of":1.5}"#, #"{"is multiple":"year","of":4,"x":1}"#] {
            #expect(throws: TroveError.self, "\(text)") { try Filter(json: text) }
        }
        let explanation = try store.fetch(Issue.self).where { $0.year > 1_000 && $0.year.isMultiple(of: 4) }.explain()
        #expect("\(explanation)".contains("check year is multiple of 4") && "\(explanation)".contains("index"))

        let documents = store.documents("issues")
        try documents.save(issues.map { ["number": .int(Int64($0.id)), "at": ["year": .int(Int64($0.year)), "amount": .double($0.amount)], "label": "x"] as Document })
        func numbers(_ found: [Document]) -> [StoredValue] { found.compactMap { $0["number"] }.sorted { "\($0)" < "\($1)" } }
        let expected = leap.map { StoredValue.int(Int64($0)) }
        #expect(try numbers(documents.fetch { $0["at.year"].isMultiple(of: 4) }.all()) == expected)
        #expect(try numbers(documents.fetch("at.year is multiple of 4").all()) == expected)
        #expect(try numbers(documents.fetch("at.amount is multiple of 2").all()) == [0, 1, 2, 4, 5, 6].map { .int($0) })
        #expect(try documents.fetch("label is multiple of 4").count() == 0)
        #expect(try documents.fetch("..year is multiple of 4").count() == leap.count)
    }

    /// A page's token belongs to its filter.
    @Test func tokensTellFactorsApart() throws {
        let fixture = try fixture(.memory)
        let store = fixture.store
        defer { withExtendedLifetime(fixture) {} }
        let page = try store.fetch(Issue.self).where { $0.year.isMultiple(of: 4) }.sorted(by: \.year).page(2)
        let token = try #require(page.next)
        #expect(try store.fetch(Issue.self).where { $0.year.isMultiple(of: 4) }.sorted(by: \.year).page(2, after: token).objects.count == 2)
        #expect(throws: TroveError.self) { try store.fetch(Issue.self).where { $0.year.isMultiple(of: 8) }.sorted(by: \.year).page(2, after: token) }
    }
}
