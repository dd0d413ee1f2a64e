import Foundation
import TestSupport
import Testing

@testable import Trove

/// `count(tags)`: the number of elements at a path, in everything that a query may have.
@Suite struct CountedPathTests {
    @Model struct Parcel: Equatable {
        var id: Int
        @Attribute(.indexed) var tags: [String]
        var notes: [String]?
        var labels: [String: Int] = [:]
        var codes: Set<Int> = []
    }

    private static let parcels: [Parcel] = (0..<120).map { (number: Int) -> Parcel in
        let notes: [String]? = number % 4 == 0 ? nil : Array(repeating: "n", count: number % 3)
        let labels: [String: Int] = Dictionary(uniqueKeysWithValues: (0..<number % 5).map { ("l\($0)", $0) })
        return Parcel(id: number, tags: (0..<number % 7).map { "t\($0)" }, notes: notes, labels: labels, codes: Set(0..<number % 2))
    }

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Parcel.self) }
        try fixture.store.save(Self.parcels)
        return fixture
    }

    @Test(arguments: Engine.allCases) func modelsAreFoundByThem(engine: Engine) throws {
        let fixture = try fixture(engine)
        func found(_ criteria: String) throws -> [Int] { try fixture.store.fetch(Parcel.self).matching(criteria).ids().sorted() }
        func expected(_ passes: (Parcel) -> Bool) -> [Int] { Self.parcels.filter(passes).map(\.id) }
        #expect(try found("count(tags) > 4") == expected { $0.tags.count > 4 })
        #expect(try found("COUNT( tags ) in (0, 3)") == expected { [0, 3].contains($0.tags.count) })
        #expect(try found("count(labels) between 2 and 3 and not count(codes) = 0") == expected { (2...3).contains($0.labels.count) && !$0.codes.isEmpty })
        // Of nil there is no number.
        #expect(try found("count(notes) is nil") == expected { $0.notes == nil })
        #expect(try found("count(notes) < 2") == expected { $0.notes.map { $0.count < 2 } ?? false })
        #expect(try found("count(tags) = count(labels)") == expected { $0.tags.count == $0.labels.count })
        #expect(try found("any tags = 't5' and count(tags) = 6") == expected { $0.tags.count == 6 })
        // Typed, as a predicate, and as JSON.
        let typed = fixture.store.fetch(Parcel.self).where { $0.tags.count > 4 && $0.notes.count == 2 }
        #expect(try typed.ids().sorted() == expected { $0.tags.count > 4 && $0.notes?.count == 2 })
        #expect(try fixture.store.fetch(Parcel.self).where(#Predicate<Parcel> { $0.tags.count > 4 }).ids().sorted() == expected { $0.tags.count > 4 })
        let filter = try Filter(criteria: "count(tags) > 4 and count(notes) != 1")
        #expect(try Filter(json: filter.json()) == filter && "\(filter)" == "count(tags) > 4 and count(notes) != 1")
        #expect(try filter != Filter(criteria: "tags > 4 and notes != 1"))
    }

    @Test(arguments: Engine.allCases) func theyOrderGroupAndSelect(engine: Engine) throws {
        let fixture = try fixture(engine)
        let sorted = try fixture.store.fetch(Parcel.self).matching("order by count(tags) desc, count(labels), id").ids()
        #expect(sorted == Self.parcels.sorted { (-$0.tags.count, $0.labels.count, $0.id) < (-$1.tags.count, $1.labels.count, $1.id) }.map(\.id))
        // Page by page.
        var (paged, token): ([Int], ContinuationToken?) = ([], nil)
        repeat {
            let page = try fixture.store.fetch(Parcel.self).matching("order by count(tags) desc, count(labels), id").page(17, after: token)
            paged += page.objects.map(\.id)
            token = page.next
        } while token != nil
        #expect(paged == sorted)
        let records = fixture.store.fetchRecords(of: ["Parcel"])
        let groups = try records.aggregate([.count, .sum(FieldPath("labels").counted)], by: [FieldPath("tags").counted])
        let expected = Dictionary(grouping: Self.parcels, by: \.tags.count)
        #expect(groups.count == expected.count)
        for group in groups {
            guard case .int(let size) = group.key[0] else {
                Issue.record("\(group)")
                continue
            }
            let parcels = try #require(expected[Int(size)])
            #expect(group.values == [.int(Int64(parcels.count)), .int(Int64(parcels.reduce(0) { $0 + $1.labels.count }))])
        }
    }

    /// Documents have the index of all paths, which knows elements and not how many there are.
    @Test(arguments: Engine.allCases) func documentsAreFoundByThem(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: []) }
        let notes = fixture.store.documents("notes")
        let documents = (0..<90).map { (number: Int) -> Document in
            let tags: StoredValue = number % 5 == 0 ? .null : number % 5 == 1 ? .string("one") : .array((0..<number % 4).map { .string("t\($0)") })
            return Document(.object(["number": .int(Int64(number)), "tags": tags, "author": .object(["books": .array(Array(repeating: .int(1), count: number % 3))])]))
        }
        try notes.save(documents)
        func number(_ document: Document) -> Int { if case .int(let number)? = document["number"] { Int(number) } else { -1 } }
        func found(_ criteria: String) throws -> [Int] { try notes.fetch(criteria).all().map(number).sorted() }
        let lists = (0..<90).filter { $0 % 5 > 1 }
        #expect(try found("count(tags) = 3") == lists.filter { $0 % 4 == 3 })
        #expect(try found("count(tags) >= 0") == lists)
        #expect(try found("count(tags) = 0") == lists.filter { $0 % 4 == 0 })
        #expect(try found("count(author.books) = 2 and any tags = 't0'") == lists.filter { $0 % 3 == 2 && $0 % 4 > 0 })
        #expect(try found("count(nothing) = 0") == [])
        #expect(try notes.fetch("order by count(author.books) desc limit 30").all().allSatisfy { number($0) % 3 == 2 })
        #expect(try notes.fetch { $0["author.books"].count == 1 }.count() == 30)
        // Elements of lists have numbers, too.
        try notes.save(Document(.object(["lines": .array([.object(["parts": .array([1, 2, 3])]), .object(["parts": .array([])])])])))
        #expect(try notes.fetch("any lines (count(parts) = 3)").count() == 1 && notes.fetch("any lines (count(parts) = 2)").count() == 0)
        #expect(try notes.fetch("count(lines[0].parts) = 3").count() == 1)
    }

    @Test(arguments: Engine.allCases) func mistakesAreTold(engine: Engine) throws {
        let fixture = try fixture(engine)
        for (criteria, message) in [
            ("count(id) = 1", "it leads to"), ("count(tags) = 'x'", "cannot be compared"), ("count(nothing) = 1", "no field named 'nothing'"), ("count(tags = 1", "')'"), ("count() = 1", "the field of a collection"),
            ("any count(tags) = 1", "at character"), ("tags[] = 't1'", "any tags = …"),
        ] {
            #expect { try fixture.store.fetch(Parcel.self).matching(criteria).count() } throws: { "\($0)".contains(message) }
        }
        #expect {
            try fixture.store.createIndex(IndexSchema("by number", kind: .ordered(isUnique: false), parts: [IndexPart(FieldPath("tags").counted)]), of: "Parcel")
        } throws: { "\($0)".contains("an index has no numbers of elements") }
        // A property of this name stays one.
        #expect(try Filter(criteria: "count = 1") == .comparison(.path(FieldPath("count")), .equal, .value(.int(1))))
    }
}
