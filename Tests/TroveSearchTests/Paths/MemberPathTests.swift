import Foundation
import TestSupport
import Testing

@testable import Trove

/// `sum(lines.price)`: aggregates of members that lie in the object itself, in everything that a query may have.
@Suite struct MemberPathTests {
    struct Line: Codable, Equatable {
        var price: Double
        var count: Int?
        var sizes: [Int] = []
    }

    @Model struct Basket: Equatable {
        var id: Int
        var scores: [Int]
        var notes: [String]?
        var weights: [String: Double] = [:]
        var lines: [Line] = []
        var first: Line?
        var grid: [[Int]] = []
    }

    private static let baskets: [Basket] = (0..<60).map { (number: Int) -> Basket in
        let lines = (0..<number % 4).map { Line(price: Double(number * $0) / 4, count: $0 == 1 ? nil : $0 + number, sizes: Array(0..<$0)) }
        return Basket(
            id: number, scores: (0..<number % 5).map { $0 * 7 - number }, notes: number % 3 == 0 ? nil : (0..<number % 4).map { "n\($0 * number % 5)" },
            weights: Dictionary(uniqueKeysWithValues: (0..<number % 3).map { ("w\($0)", Double($0 + number)) }), lines: lines, first: lines.last)
    }

    private static let places: [(path: FieldPath, value: @Sendable (Basket) -> StoredValue)] = [
        (FieldPath("scores").aggregated(.sum), { .int(Int64($0.scores.reduce(0, +))) }),
        (FieldPath("scores").aggregated(.average), { $0.scores.isEmpty ? .null : .double(Double($0.scores.reduce(0, +)) / Double($0.scores.count)) }),
        (FieldPath("scores").aggregated(.maximum), { $0.scores.max().map { .int(Int64($0)) } ?? .null }),
        (FieldPath("notes").aggregated(.minimum), { $0.notes?.min().map { .string($0) } ?? .null }),
        (FieldPath("weights").aggregated(.sum), { .double($0.weights.values.reduce(0, +)) }),
        (FieldPath("weights.*").aggregated(.maximum), { $0.weights.values.max().map { .double($0) } ?? .null }),
        (FieldPath("lines.price").aggregated(.maximum), { $0.lines.map(\.price).max().map { .double($0) } ?? .null }),
        (FieldPath("lines.count").aggregated(.sum), { .int(Int64($0.lines.compactMap(\.count).reduce(0, +))) }),
        (FieldPath("lines.sizes").aggregated(.sum), { .int(Int64($0.lines.flatMap(\.sizes).reduce(0, +))) }),
        (FieldPath("lines[1].sizes").aggregated(.maximum), { $0.lines.dropFirst().first?.sizes.max().map { .int(Int64($0)) } ?? .null }),
        (FieldPath("first.sizes").aggregated(.average), { basket in
            basket.first.flatMap { $0.sizes.isEmpty ? nil : .double(Double($0.sizes.reduce(0, +)) / Double($0.sizes.count)) } ?? .null
        }),
    ]

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Basket.self) }
        try fixture.store.save(Self.baskets)
        return fixture
    }

    /// Digits of any number are a position in a list of a model, and a name in documents.
    @Test(arguments: Engine.allCases) func positionsThatNoListHas(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Basket.self) }
        let store = fixture.store
        try store.save(Basket(id: 1, scores: [], grid: [[1, 2], [4]]))
        for criteria in ["sum(grid[0]) = 3", "sum(grid[7]) is nil", "sum(grid[1000000000]) is nil", "maximum(grid[1000000000000000000000]) is nil"] {
            #expect(try store.fetch(Basket.self).matching(criteria).count() == 1, "\(criteria)")
            #expect(try Filter(criteria: criteria).description == criteria)
        }
        let notes = store.documents("notes")
        try notes.save(Document(.object(["days": .array([.object(["1700000000": .int(5)])])])))
        #expect(try notes.fetch("sum(days.\"1700000000\") = 5").count() == 1)
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Engine.allCases) func objectsAreSelectedFoundAndSortedByThem(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let rows = try store.fetch(Basket.self).partial(Self.places.map(\.path))
        for (basket, row) in zip(Self.baskets, rows) {
            for (place, value) in zip(Self.places, row.values) { #expect(value == place.value(basket), "\(place.path) of \(basket.id)") }
        }
        for place in Self.places {
            let sorted = try store.fetch(Basket.self).sorted(using: [SortKey(place.path, .descending)]).limit(20).ids()
            let wanted = Self.baskets.sorted { left, right in
                let (one, other) = (Self.number(place.value(left)), Self.number(place.value(right)))
                return one == other ? left.id < right.id : one > other
            }
            if case .minimum = place.path.aggregate { continue }
            #expect(sorted == wanted.prefix(20).map(\.id), "\(place.path)")
            let bound = place.value(Self.baskets[43])
            let found = try store.fetch(Basket.self).where(.comparison(.path(place.path), .greater, .value(bound))).ids()
            let passing = Self.baskets.filter { bound != .null && place.value($0) != .null && Self.number(place.value($0)) > Self.number(bound) }
            #expect(found == passing.map(\.id), "\(place.path) > \(bound)")
        }
        // Inside of the members of another list.
        #expect(try store.fetch(Basket.self).matching("any lines (sum(sizes) > 0)").ids() == Self.baskets.filter { $0.lines.contains { $0.sizes.reduce(0, +) > 0 } }.map(\.id))
        withExtendedLifetime(fixture) {}
    }

    @Test func closuresAndTextSayTheSame() throws {
        let fixture = try fixture(.memory)
        let store = fixture.store
        let typed = store.fetch(Basket.self).where { $0.scores.sum() > 0 || $0.lines.sum(\.price) > 10.5 }.sorted { $0.weights.values.average() }
        let text = try Query("Basket", criteria: "sum(scores) > 0 or sum(lines.price) > 10.5 order by avg(weights.\"*\")")
        #expect(typed.query == text && text.description == "sum(scores) > 0 or sum(lines.price) > 10.5 order by average(weights.\"*\")")
        #expect(try Query(json: text.json()) == text && Query("Basket", criteria: text.description) == text)
        let rows = try store.fetch(Basket.self).select { ($0.scores.sum(), $0.scores.maximum(), $0.lines.sum { $0.count }, $0.notes.minimum(), $0.first.price) }.all()
        #expect(rows.map { $0.0 } == Self.baskets.map { Optional($0.scores.reduce(0, +)) } && rows.map { $0.1 } == Self.baskets.map { $0.scores.max() })
        #expect(rows.map { $0.2 } == Self.baskets.map { Optional($0.lines.compactMap(\.count).reduce(0, +)) } && rows.map { $0.3 } == Self.baskets.map { $0.notes?.min() })
        #expect(try store.fetch(Basket.self).sorted(by: \.scores.count, .descending).limit(12).ids() == Self.baskets.filter { $0.scores.count == 4 }.map(\.id))
        // A path by text is equal only where its aggregate is.
        #expect(FieldPath("scores").aggregated(.sum) != FieldPath("scores") && FieldPath("scores").aggregated(.sum) != FieldPath("scores").counted)
        withExtendedLifetime(fixture) {}
    }

    @Test(arguments: Engine.allCases) func documentsHaveThem(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: []) }
        let notes = fixture.store.documents("notes")
        try notes.save((0..<40).map { (number: Int) -> Document in
            let lines: [StoredValue] = (0..<number % 4).map { .object(["price": .int(Int64(number + $0)), "sizes": .array([1, 2])]) }
            let tags: StoredValue = number % 5 == 0 ? .string("one") : .array((0..<number % 3).map { .string("t\($0)") })
            return Document(.object(["number": .int(Int64(number)), "lines": .array(lines), "tags": tags]))
        })
        func number(_ document: Document) -> Int { if case .int(let number)? = document["number"] { Int(number) } else { -1 } }
        func price(_ number: Int) -> Int { (0..<number % 4).reduce(0) { $0 + number + $1 } }
        let found = try notes.fetch { $0["lines"].sum { $0["price"] } > 60 && $0["lines"].count == 2 }.all().map(number)
        #expect(found.sorted() == (0..<40).filter { price($0) > 60 && $0 % 4 == 2 })
        let sorted = try notes.fetch("order by sum(lines.price) desc, number limit 15").all().map(number)
        #expect(sorted == (0..<40).sorted { (-price($0), $0) < (-price($1), $1) }.prefix(15).map(\.self))
        let counted = try notes.fetch().sorted { $0["tags"].count }.sorted(using: [SortKey(FieldPath("number"))]).select { $0["tags"].count }.all()
        let sizes = (0..<40).map { $0 % 5 == 0 ? nil : $0 % 3 }.sorted { ($0 ?? -1) < ($1 ?? -1) }
        #expect(counted == sizes)
        // Of a text there is no sum, and where there is no collection there is nothing to add up.
        #expect(try notes.fetch("sum(number) is nil").count() == 40)
        #expect { try notes.fetch("sum(tags) > 1").all() } throws: { if case TroveError.incomparable = $0 { true } else { false } }
        #expect { try notes.fetch("order by maximum(lines)").all() } throws: { if case TroveError.incomparable = $0 { true } else { false } }
        withExtendedLifetime(fixture) {}
    }

    @Test func mistakesAreTold() throws {
        let fixture = try fixture(.memory)
        let store = fixture.store
        for (criteria, message) in [
            ("sum(notes) > 1", "cannot be added up"), ("average(id) > 1", "it leads to"), ("sum(scores.x) = 1", "has nothing inside"),
            ("order by minimum(nothing)", "no field named 'nothing'"),
        ] {
            let error = #expect(throws: TroveError.self, "\(criteria)") { try store.fetch(Basket.self).matching(criteria).ids() }
            #expect(error.map { "\($0)".contains(message) } == true, "\(criteria): \(error.map { "\($0)" } ?? "")")
        }
        #expect {
            try store.createIndex(IndexSchema("by sum", kind: .ordered(isUnique: false), parts: [IndexPart(FieldPath("scores").aggregated(.sum))]), of: "Basket")
        } throws: { "\($0)".contains("an index has no aggregates of members") }
        #expect(throws: TroveError.self) { try Filter(json: #"{"=": [{"path": {"median": "scores"}}, {"value": 1}]}"#) }
        #expect(throws: TroveError.self) { try Filter(json: #"{"=": [{"path": {"sum": {"sum": "scores"}}}, {"value": 1}]}"#) }
        withExtendedLifetime(fixture) {}
    }

    /// nil is less than every number.
    private static func number(_ value: StoredValue) -> Double {
        switch value {
        case .int(let number): Double(number)
        case .double(let number): number
        default: -.infinity
        }
    }
}
