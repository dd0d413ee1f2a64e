import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// Filters and queries as JSON come back as they were; declarations, layouts, plans and statistics say what they say.
@Suite struct QueryJSONTests {
    @Test(arguments: 1...12 as ClosedRange<UInt64>) func randomQueries(seed: UInt64) throws {
        var filters = RandomFilters(random: SeededGenerator(seed: seed))
        for _ in 0..<100 {
            var query = filters.query()
            query.filter = .or([query.filter, .and([]), .not(.or([query.filter]))])
            let text = try query.json()
            #expect(try Query(json: text) == query, "seed \(seed): \(text)")
            #expect(try Query(json: text).json() == text)
            #expect(try Filter(json: query.filter.json(.pretty)) == query.filter, "seed \(seed): \(query.filter)")
        }
    }

    /// What criteria text writes as something else that means the same.
    @Test func whatTextTakesForTheSame() throws {
        let words: FullTextQuery = .all([
            .word("a b"), .phrase("a"), .any([]), .not(.prefix("x*")), .field("title", .all([.word("\"")])), .word("OR"),
        ])
        let filters: [Filter] = [
            .and([]), .or([]), .and([.isUnreferenced]), .or([.hasDanglingReferences]), .not(.not(.constant(true))), .fullText(words, nil), .fullText(.word(""), FieldPath("notes")),
            .isNil(FieldPath(field: "a.b", names: ["", "c"])), .isNil(.element), .isNil(FieldPath(field: "", names: ["x"])), .isNil(FieldPath(field: "x", names: [""])),
            .comparison(.value(.null), .notEqual, .path(.id), ignoringCase: true), .membership(.path(.id), []), .matches(.value(.string("x")), pattern: "[", ignoringCase: true),
            .quantified(.none, FieldPath("tags"), .values, .text(.path(.element), .hasSuffix, .value(.int(5)))),
            .comparison(.path(.id), .equal, .value(.object(["$date": .int(1), "path": .array([])]))),
        ]
        for filter in filters { #expect(try Filter(json: filter.json()) == filter, "\(filter)") }
        let nested = (0..<99).reduce(Filter.isUnreferenced) { filter, _ in .not(filter) }
        #expect(try Filter(json: nested.json()) == nested)
        let deep = (0..<100_000).reduce(Filter.isUnreferenced) { filter, _ in .not(filter) }
        #expect { try deep.json() } throws: { if case TroveError.encodingFailed = $0 { true } else { false } }
        #expect(throws: TroveError.self) { try Filter.fullText((0..<100_000).reduce(FullTextQuery.word("x")) { query, _ in .not(query) }, nil).json() }
    }

    @Test func theForms() throws {
        let query = try Query("Song", criteria: "artist = 'Bill' and year in (1, 2) and any tags = 'x' order by year desc limit 3")
        let text = #"{"limit":3,"model":"Song","sort":[{"direction":"descending","path":"year"}],"where":{"and":[{"=":[{"path":"artist"},{"value":"Bill"}]},{"in":[{"path":"year"},[1,2]]},{"any":"tags","part":"elements","where":{"=":[{"path":[""]},{"value":"x"}]}}]}}"#
        #expect(try query.json() == text)
        #expect(try Query("Song").json() == #"{"model":"Song"}"#)
        let folded = try Query("Song", criteria: "title = 'x' ignoring case and accents order by title ignoring accents")
        #expect(try folded.json() == #"{"model":"Song","sort":[{"ignoringDiacritics":true,"path":"title"}],"where":{"=":[{"path":"title"},{"value":"x"}],"ignoringCase":true,"ignoringDiacritics":true}}"#)
        #expect(try Filter(json: #"{"in":[{"path":"a"},["x"]],"ignoringCase":false,"ignoringDiacritics":true}"#) == .membership(.path(FieldPath("a")), [.string("x")], ignoring: .diacritics))
        #expect(try Query(json: #"{"where":true,"model":"Song","sort":[],"offset":0}"#) == Query("Song"))
    }

    @Test func whatIsNoQuery() throws {
        for text in [
            "1", "null", "{}", #"{"=":[]}"#, #"{"=":[{"path":"a"}]}"#, #"{"=":[{"path":"a"},{"value":1},{"value":2}]}"#, #"{"=":[1,2]}"#, #"{"=":[{"path":"a"},{"path":1}]}"#, #"{"and":{}}"#,
            #"{"and":[],"or":[]}"#, #"{"not":1}"#, #"{"is nil":[]}"#, #"{"is nil":"a","x":1}"#, #"{"any":"a"}"#, #"{"any":"a","part":"all","where":true}"#, #"{"any":"a","part":"keys","where":true,"x":1}"#,
            #"{"in":[{"path":"a"},1]}"#, #"{"matches":[{"path":"a"},1]}"#, #"{"has words":{"prefix":1}}"#, #"{"has words":{"x":"y"}}"#, #"{"has words":{}}"#, #"{"has words":5}"#,
            #"{"=":[{"path":"a"},{"value":1}],"ignoringCase":1}"#, #"{"=":[{"path":"a"},{"value":1}],"ignoringDiacritics":1}"#, #"{"matches":[{"path":"a"},"x"],"ignoringDiacritics":true}"#, #"{"=":[{"path":"a"},{"value":1}],"!=":[{"path":"a"},{"value":1}]}"#, #""is""#, #"{"like":[]}"#, #"{"=":[{"path":"a","value":1},{"value":1}]}"#,
        ] {
            #expect(throws: TroveError.self, "\(text)") { try Filter(json: text) }
        }
        for text in ["[]", "{}", #"{"model":1}"#, #"{"model":"a","limit":1.5}"#, #"{"model":"a","sort":{}}"#, #"{"model":"a","sort":[{}]}"#, #"{"model":"a","sort":[{"path":"x","direction":"up"}]}"#, #"{"model":"a","filter":true}"#, #"{"model":"a","sort":[{"path":"x","y":1}]}"#] {
            #expect(throws: TroveError.self, "\(text)") { try Query(json: text) }
        }
        #expect { try Filter(json: "{\"a\":1,\"a\":2}") } throws: { if case TroveError.invalidJSON = $0 { true } else { false } }
    }

    /// Values that a program makes have any number of levels, which no text that is read has.
    @Test(arguments: [300, 20_000]) func valuesThatNestTooDeeply(levels: Int) {
        func deep(_ leaf: StoredValue, _ wrap: (StoredValue) -> StoredValue) -> StoredValue { (0..<levels).reduce(leaf) { value, _ in wrap(value) } }
        let words = deep(.string("x")) { .object(["not": $0]) }
        let path = deep(.string("x")) { .object(["count": $0]) }
        let values = [
            deep(.bool(true)) { .object(["not": $0]) }, deep(.bool(true)) { .object(["and": .array([$0])]) },
            deep(.bool(true)) { .object(["any": .string("a"), "part": .string("elements"), "where": $0]) },
            .object(["has words": words]), .object(["has words": .object(["field": .string("a"), "words": words])]), .object(["is nil": path]),
        ]
        for value in values {
            #expect { try Filter(jsonValue: value) } throws: { if case TroveError.invalidQuery = $0 { true } else { false } }
        }
    }

    @Test func theMistakeNamesTheParts() {
        #expect { try Filter(json: #"{"any":"a","part":"members","where":true}"#) } throws: { error in
            guard case TroveError.invalidQuery(let reason) = error else { return false }
            return CollectionPart.allCases.allSatisfy { reason.contains($0.rawValue) }
        }
    }

    @Test(arguments: Engine.allCases) func whatAStoreTellsOfItself(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Transferred.Track.self, Transferred.Album.self, Transferred.Seat.self) }
        let store = fixture.store
        try store.save((0..<50).map { Transferred.Track(artist: "A\($0 % 5)", title: "T\($0)", album: nil) })
        let plan = try StoredValue(json: store.fetch(Transferred.Track.self).where { $0.artist == "A1" && $0.seconds > 5 }.explain().json(.pretty))
        #expect(plan.value(at: "step.kind") == .string("check") && plan.value(at: "step.actualRows") == .int(10))
        #expect(plan.value(at: "step.steps.0.steps.0.index") == .string("artist"))
        let statistics = try store.indexStatistics().map { try StoredValue(json: $0.json()) }
        #expect(statistics.contains { $0.value(at: "index.kind") == .string("unique") && $0.value(at: "entries") == .int(50) && $0.value(at: "state") == .string("ready") })
        let figures = try StoredValue(json: store.statistics().json())
        #expect(figures.value(at: "keyspaceCount") == .int(Int64(try store.statistics().keyspaceCount)))
        let layouts = try store.layouts()
        #expect(layouts.map(\.modelName).sorted() == ["Album", "Seat", "Track"])
        let seat = try #require(layouts.first { $0.modelName == "Seat" })
        #expect("\(seat)" == "Seat, version 1, id (row: String, number: Int64): row String, number Int64, guest String?")
        #expect(try StoredValue(json: seat.json()).value(at: "fields.1.type") == .string("Int64"))
        #expect(try StoredValue(json: seat.json()).value(at: "parts.0.0") == .string("row"))
    }

    /// Names of the schema's own language are no tags, so a reader of plain JSON looks at it.
    @Test func schemasDescribeObjects() throws {
        let store = try ObjectStore(MemoryBackend(), models: Transferred.Track.self, Transferred.Album.self, Transferred.Seat.self, EveryType.self)
        for layout in try store.layouts() {
            let schema = try #require(JSONSerialization.jsonObject(with: Data(layout.jsonSchema(.pretty).utf8)) as? [String: Any])
            #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema" && schema["title"] as? String == layout.modelName)
            let properties = try #require(schema["properties"] as? [String: Any])
            #expect(Set(properties.keys) == Set(layout.fields.map(\.name) + ["$id", "$model"]))
            let definitions = try #require(schema["$defs"] as? [String: Any])
            #expect(definitions.count == JSONTag.allCases.count - 1)
        }
        let track = try #require(try store.layouts().first { $0.modelName == "Track" })
        let schema = try #require(JSONSerialization.jsonObject(with: Data(track.jsonSchema().utf8)) as? [String: Any])
        #expect(Set(schema["required"] as? [String] ?? []) == ["$id", "artist", "title"])
        let properties = try #require(schema["properties"] as? [String: [String: Any]])
        #expect(properties["artist"]?["type"] as? String == "string" && properties["tags"]?["uniqueItems"] as? Bool == true)
    }

    @Test func indexDeclarations() throws {
        let index = IndexSchema(
            "x", kind: .ordered(isUnique: false), parts: [IndexPart(FieldPath("a.b"), .descending, ignoringCase: true), IndexPart(FieldPath("labels"), indexesValues: true)],
            covered: [FieldPath(field: "c.d")], aggregates: [.count, .sum(FieldPath("n"))], derivedVersion: 3)
        #expect(try index.json() == #"{"aggregates":["count",{"sum":"n"}],"covered":[["c.d"]],"derivedVersion":3,"kind":"ordered","name":"x","parts":[{"direction":"descending","ignoringCase":true,"path":"a.b"},{"direction":"ascending","path":"labels","values":true}]}"#)
        #expect(try IndexPart(FieldPath("a"), ignoring: [.case, .diacritics]).ignoringCase && IndexSchema(parts: [IndexPart(FieldPath("a"), ignoring: .diacritics)]).json()
            == #"{"kind":"ordered","name":"a ignoring accents","parts":[{"direction":"ascending","ignoringDiacritics":true,"path":"a"}]}"#)
        let words = IndexSchema(kind: .fullText(FullTextOptions(stemming: .english), weights: [2]), parts: [IndexPart(FieldPath("title"))])
        #expect(try StoredValue(json: words.json()).value(at: "words.stemming") == .string("english"))
        #expect(try IndexSchema(kind: .substring, parts: [IndexPart(FieldPath("t"))]).json().contains("substring"))
    }
}
