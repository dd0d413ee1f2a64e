import Foundation
import TestSupport
import Testing

@testable import Trove

/// Paths into nested values and to positions of arrays, in whatever a query does with them, against plain Swift over an array.
@Suite struct NestedPathTests {
    private static let all = Recording.samples(80, seed: 21)

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Recording.self) }
        try fixture.store.save(Self.all)
        return fixture
    }

    private func ids(_ passes: (Recording) -> Bool) -> [ObjectID] { Self.all.filter(passes).map(\.id).sorted() }

    @Test(arguments: Engine.allCases) func conditionsOnPositions(engine: Engine) throws {
        let fixture = try fixture(engine)
        let recordings = fixture.store.fetch(Recording.self)
        func check(_ typed: (Fields<Recording>) -> Condition, _ criteria: String, _ passes: (Recording) -> Bool) throws {
            let expected = ids(passes)
            #expect(!expected.isEmpty && expected.count < Self.all.count, "\(criteria)")
            let filter = try typed(Fields()).filter()
            #expect(try Filter(criteria: criteria) == filter)
            #expect("\(filter)" == criteria)
            #expect(try Filter(json: filter.json()) == filter)
            #expect(try recordings.where(typed).ids() == expected)
            #expect(try recordings.matching(criteria).ids() == expected)
        }
        func element<Value>(_ values: [Value]?, _ position: Int) -> Value? { values.flatMap { position < $0.count ? $0[position] : nil } }
        try check({ $0.lines[1].price > 5 }, "lines[1].price > 5.0") { element($0.lines, 1).map { $0.price > 5 } ?? false }
        try check({ $0.lines[1].price == nil }, "lines[1].price is nil") { $0.lines.count < 2 }
        try check({ $0.tags[0] == "studio" }, "tags[0] = 'studio'") { $0.tags.first == "studio" }
        try check({ $0.tags[1] != "studio" }, "tags[1] != 'studio'") { element($0.tags, 1) != "studio" }
        try check({ $0.notes[1] == "yy" }, "notes[1] = 'yy'") { element($0.notes, 1) == "yy" }
        try check({ $0.lines[0].parts[1] == "b" }, "lines[0].parts[1] = 'b'") { element(element($0.lines, 0)?.parts, 1) == "b" }
        try check({ $0.lines.any { $0.parts[0] == "a" } }, "any lines (parts[0] = 'a')") { $0.lines.contains { $0.parts.first == "a" } }
        try check({ $0.home.geo.latitude > 50 }, "home.geo.latitude > 50.0") { ($0.home?.geo?.latitude ?? 0) > 50 }
        // A position may be written as a name.
        for (dotted, bracketed) in [("lines.1.price > 5", "lines[1].price > 5"), ("tags.0 = 'studio'", "tags[0] = 'studio'"), ("lines.0.parts.1 = 'b'", "lines[0].parts[1] = 'b'")] {
            #expect(try Filter(criteria: dotted) == Filter(criteria: bracketed))
            #expect(try recordings.matching(dotted).ids() == recordings.matching(bracketed).ids())
        }
        // No list has so many elements.
        for position in [999_999_999, 1_000_000_000, Int.max] {
            #expect(try recordings.where { $0.lines[position].price == nil }.count() == Self.all.count)
            #expect(try recordings.where { $0.tags[position] == "studio" }.count() == 0)
        }
        #expect(try recordings.matching("lines[1000000000000000000000].price is nil").count() == Self.all.count)
        #expect(try Filter(json: #"{"is nil": "lines[1].price"}"#) == .isNil(FieldPath(field: "lines", names: ["1", "price"])))
        #expect(FieldPath(#"labels["a.b"][2]"#) == FieldPath(field: "labels", names: ["a.b", "2"]))
        #expect(FieldPath("[0].price") == FieldPath(field: "", names: ["0", "price"]))
    }

    @Test(arguments: Engine.allCases) func selections(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let recordings = store.fetch(Recording.self)
        let all = Self.all.sorted { $0.id < $1.id }
        let rows = try recordings.select { ($0.artist, $0.place.city, $0.home.zip, $0.lines[1].price, $0.labels["genre"], $0.notes[0]) }.all()
        #expect(rows.count == all.count)
        for (row, object) in zip(rows, all) {
            #expect(row.0 == object.artist && row.1 == object.place.city && row.2 == object.home?.zip)
            #expect(row.3 == (object.lines.count > 1 ? object.lines[1].price : nil) && row.4 == object.labels["genre"] && row.5 == object.notes?.first)
        }
        #expect(try recordings.select { $0.place.geo.latitude }.all() == all.map { $0.place.geo?.latitude })
        let quantities: [Int?] = try recordings.select { $0.at("lines[0].quantity", as: Int?.self) }.all()
        #expect(quantities == all.map { $0.lines.first?.quantity })
        let values = try recordings.values(at: "title", "lines[0].price", "home.city")
        #expect(values == all.map { object in
            [.string(object.title), object.lines.first.map { .double($0.price) } ?? .null, object.home.map { .string($0.city) } ?? .null]
        })
        #expect(try recordings.partial("lines[0].price").map { try $0.value(of: "lines[0].price", as: Double?.self) } == all.map { $0.lines.first?.price })
        let prices = try recordings.sorted(using: [SortKey(FieldPath("lines[0].price"), .descending)]).values(at: "lines[0].price").map { $0[0] }
        let priced: [Double] = all.compactMap { $0.lines.first?.price }
        let unpriced = [StoredValue](repeating: .null, count: all.count - priced.count)
        #expect(prices == priced.sorted(by: >).map { StoredValue.double($0) } + unpriced)
        // A value is of another type than was asked for.
        #expect { try recordings.select { $0.at("place.city", as: Int.self) }.all() } throws: {
            if case TroveError.decodingFailed("Recording", "place.city", _, _) = $0 { true } else { false }
        }
    }

    /// In the expression of a statement a closure stands in parentheses, with its label.
    @Test(arguments: Engine.allCases) func closuresInStatements(engine: Engine) throws {
        let fixture = try fixture(engine)
        let recordings = fixture.store.fetch(Recording.self)
        var (rows, groups, cities) = (0, 0, 0)
        for (title, city, price) in try recordings.select(fields: { ($0.title, $0.place.city, $0.lines[0].price) }).all() {
            rows += Self.all.contains { $0.title == title && $0.place.city == city && $0.lines.first?.price == price } ? 1 : 0
        }
        for group in try recordings.grouped(byFields: { ($0.place.city, $0.year) }).aggregate(.count) { groups += group.values }
        for city in try recordings.distinct(of: { $0.place.city }) { cities += Self.all.contains { $0.place.city == city } ? 1 : 0 }
        #expect(rows == Self.all.count)
        #expect(groups == Self.all.count)
        #expect(cities == Set(Self.all.map(\.place.city)).count)
    }

    @Model struct Numbered {
        var id: Int
        var number: Int
    }

    /// The id of the object whose value is of another type is that of the message, as the id's type shows it.
    @Test(arguments: Engine.allCases) func theObjectOfAWrongTypeIsTold(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Numbered.self) }
        try fixture.store.save(Numbered(id: 17, number: 1))
        let fetch = fixture.store.fetch(Numbered.self)
        let reads: [() throws -> Void] = [
            { _ = try fetch.select { $0.at("number", as: String.self) }.all() }, { _ = try fetch.partial("number")[0].value(of: "number", as: String.self) },
        ]
        for read in reads {
            #expect { try read() } throws: { if case TroveError.decodingFailed("Numbered", "number", "17", _) = $0 { true } else { false } }
        }
    }

    @Test(arguments: Engine.allCases) func aggregates(engine: Engine) throws {
        let fixture = try fixture(engine)
        let recordings = fixture.store.fetch(Recording.self).where { $0.year > 1949 }
        let all = Self.all.filter { $0.year > 1949 }
        let (sum, greatest, average, different, least) = try recordings.aggregate(
            .sum { $0.lines[0].price }, .maximum { $0.place.geo.latitude }, .average { $0.home.zip }, .countDistinct { $0.lines[1].quantity }, .minimum { $0.place.city })
        #expect(sum == all.compactMap { $0.lines.first?.price }.reduce(0, +))
        #expect(greatest == all.compactMap { $0.place.geo?.latitude }.max())
        let zips = all.compactMap { $0.home?.zip }
        #expect(average == Double(zips.reduce(0, +)) / Double(zips.count))
        #expect(different == Set(all.compactMap { $0.lines.count > 1 ? $0.lines[1].quantity : nil }).count)
        #expect(least == all.map(\.place.city).min())
        let (written, count, last) = try recordings.aggregate(
            .sum { $0.at("lines[0].quantity", as: Int?.self) }, .countDistinct { $0.at("home.city", as: StoredValue.self) }, .maximum { $0.at("tags[0]", as: StoredValue.self) })
        #expect(written == all.compactMap { $0.lines.first?.quantity }.reduce(0, +))
        #expect(count == Set(all.compactMap { $0.home?.city }).count)
        #expect(last == all.compactMap(\.tags.first).max().map { .string($0) })
        // Of nothing.
        let nobody = recordings.where { $0.artist == "nobody" }
        #expect(try nobody.aggregate(.sum { $0.lines[0].price }, .maximum { $0.place.city }, .average { $0.home.zip }) == (0, nil, nil))
    }

    @Test(arguments: Engine.allCases) func groupsAndDifferentValues(engine: Engine) throws {
        let fixture = try fixture(engine)
        let recordings = fixture.store.fetch(Recording.self)
        let cities = Dictionary(grouping: Self.all) { $0.home?.city }
        let groups = try recordings.grouped { $0.home.city }.aggregate(.count, .sum { $0.lines[0].price })
        #expect(groups.map(\.key) == cities.keys.sorted { ($0 ?? "") < ($1 ?? "") })
        for group in groups {
            let members = cities[group.key] ?? []
            #expect(group.values == (members.count, members.compactMap { $0.lines.first?.price }.reduce(0, +)))
        }
        let pairs = try recordings.grouped { ($0.place.city, $0.lines[0].quantity) }.aggregate(.count)
        #expect(pairs.count == Set(Self.all.map { "\($0.place.city) \(String(describing: $0.lines.first?.quantity))" }).count)
        #expect(pairs.map(\.values).reduce(0, +) == Self.all.count)
        let written = try recordings.grouped { ($0.at("place.city", as: StoredValue.self), $0.at("lines[0].quantity", as: StoredValue.self)) }.aggregate(.count)
        #expect(written.map(\.values) == pairs.map(\.values))
        #expect(written.map(\.key.0) == pairs.map { .string($0.key.0) })
        #expect(try recordings.distinct { $0.home.city } == [nil, "New York", "Oslo", "Paris"])
        #expect(try recordings.distinct { $0.at("home.city", as: StoredValue.self) } == [.null, "New York", "Oslo", "Paris"])
        #expect(try recordings.distinct { $0.tags[0] } == [nil, "alternate take", "live", "studio"])
    }

    @Test(arguments: Engine.allCases) func indexes(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let recordings = store.fetch(Recording.self)
        let priced = recordings.where { $0.lines[0].price == 6 && $0.place.city == "Oslo" }
        let expected = ids { $0.lines.first?.price == 6 && $0.place.city == "Oslo" }
        #expect(!expected.isEmpty)
        #expect(try priced.ids() == expected)
        try store.createIndex(Index<Recording>([.path("lines[0].price"), .path("place.city")], name: "first price"))
        try store.createIndex(Index<Recording>([.path("tags[0]")], name: "first tag"))
        #expect(try priced.ids() == expected)
        #expect(try priced.explain().steps.contains { $0.index == "first price" })
        // From the index alone.
        let tags: [String?] = try recordings.where { $0.tags[0] != nil }.select { $0.tags[0] }.all()
        #expect(tags.compactMap { $0 }.sorted() == Self.all.compactMap(\.tags.first).sorted())
        #expect(try recordings.distinct { $0.tags[0] } == [nil, "alternate take", "live", "studio"])
        #expect(try recordings.grouped { $0.tags[0] }.explain().steps.contains { $0.index == "first tag" })
        #expect(try recordings.aggregate(.maximum { $0.tags[0] }) == "studio")
        var changed = Self.all[0]
        changed.tags = ["zither"]
        try store.save(changed)
        #expect(try recordings.where { $0.tags[0] == "zither" }.ids() == [changed.id])
        #expect(try store.verify().isSound)
    }

    /// One mechanism for documents and models.
    @Test(arguments: Engine.allCases) func documents(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: []) }
        let notes = fixture.store.documents("notes")
        try notes.save(
            (0..<12).map { number -> Document in
                let price: StoredValue = .double(Double(number) / 2)
                let who: StoredValue = number % 3 == 0 ? .null : ["name": .string("W\(number % 3)")]
                return ["n": .int(Int64(number)), "lines": [["price": price]], "who": who]
            })
        let fetch = notes.fetch("n < 8").sorted(by: "n")
        let rows = try fetch.select { ($0["n"], $0.at("lines[0].price", as: Double?.self)) }.all()
        #expect(rows.map(\.0) == (0..<8).map { StoredValue.int($0) })
        let halves: [Double?] = (0..<8).map { number -> Double? in Double(number) / 2 }
        #expect(rows.map(\.1) == halves)
        let names: [StoredValue] = [.null, "W1", "W2", .null, "W1", "W2", .null, "W1"]
        #expect(try fetch.select { $0["who.name"] }.all() == names)
        let (sum, greatest) = try fetch.aggregate(.sum { $0.at("lines[0].price", as: Double?.self) }, .maximum("n"))
        #expect(sum == 14 && greatest == 7)
        let groups = try fetch.grouped { $0.at("who.name", as: String?.self) }.aggregate(.count)
        #expect(groups.map(\.key) == [nil, "W1", "W2"])
        #expect(groups.map(\.values) == [3, 3, 2])
        #expect(try fetch.grouped(by: "who.name").explain(.count).steps.map(\.kind).first == .group)
        let different: [StoredValue] = try fetch.distinct { $0["who.name"] }
        #expect(different == [.null, "W1", "W2"])
    }

    /// The error that `body` throws; nil when it throws none of Trove's.
    private func error(_ body: () throws -> Void) -> TroveError? {
        do {
            try body()
        } catch {
            return error as? TroveError
        }
        return nil
    }

    @Test(arguments: Engine.allCases) func pathsThatLeadNowhere(engine: Engine) throws {
        let fixture = try fixture(engine)
        let recordings = fixture.store.fetch(Recording.self)
        func expectUnknown(_ path: DocumentPath, _ part: String, _ reason: String) {
            let text = "\(path)"
            let errors = [
                error { _ = try recordings.values(at: path) }, error { _ = try recordings.distinct { $0.at(text, as: StoredValue.self) } },
                error { _ = try recordings.grouped { ($0.title, $0.at(text, as: StoredValue.self)) }.aggregate(.count) },
                error { _ = try recordings.aggregate(.maximum { $0.at(text, as: StoredValue.self) }) },
                error { _ = try recordings.aggregate(.sum { $0.at(text, as: Int.self) }) }, error { _ = try recordings.sorted(using: [SortKey(FieldPath(text))]).ids() },
                error { _ = try recordings.matching("\(text) = 1").ids() }, error { _ = try recordings.select { $0.at(text, as: Int?.self) }.all() },
            ]
            for (number, error) in errors.enumerated() {
                guard case .unknownPath("Recording", _, let found)? = error else {
                    Issue.record("\(text), \(number): \(String(describing: error))")
                    continue
                }
                #expect(found.contains("'\(part)'") && found.contains(reason), "\(text), \(number)")
            }
        }
        expectUnknown("title.length", "length", "String, which has nothing inside")
        expectUnknown("year[0]", "0", "which has nothing inside")
        expectUnknown("tags[0].x", "x", "String, which has nothing inside")
        expectUnknown("tags.first", "first", "by its position, as in tags[0]")
        expectUnknown("scores[0]", "0", "no positions")
        expectUnknown("counts[1]", "1", "keys are of type")
        guard case .unknownField("Recording", "nothing", _)? = error({ _ = try recordings.values(at: "nothing[0]") }) else {
            Issue.record("a field that is not there")
            return
        }
        // Inside of a Codable value the value alone tells what there is.
        #expect(try recordings.values(at: "place.nothing", "place.city.length").allSatisfy { $0 == [.null, .null] })
        guard case .incomparable("Recording", "place.city", _)? = error({ _ = try recordings.aggregate(.sum { $0.at("place.city", as: Int.self) }) }) else {
            Issue.record("a sum of texts")
            return
        }
        guard case .incomparable("Recording", "tags", _)? = error({ _ = try recordings.distinct { $0.tags } }) else {
            Issue.record("different arrays")
            return
        }
        guard case .invalidQuery? = error({ _ = try recordings.where { $0.lines[-1].price > 5 }.ids() }) else {
            Issue.record("a position below 0")
            return
        }
        guard case .unsupportedKeyPath? = error({ _ = try recordings.select { $0.place.label }.all() }) else {
            Issue.record("a computed property")
            return
        }
        var member: Field<String>?
        _ = recordings.where { recording in
            recording.tags.any { tag in
                member = tag
                return tag == "x"
            }
        }
        let leaked = try #require(member)
        guard case .invalidQuery? = error({ _ = try recordings.distinct(of: { _ in leaked }) }) else {
            Issue.record("any member")
            return
        }
    }
}
