import TestSupport
import Testing

@testable import Trove

/// Searches for words in documents find and rank what a plain model finds and ranks, which gathers the texts by itself.
@Suite struct DocumentWordsTests {
    private static let weights: KeyValuePairs<DocumentPath, Double> = ["title": 3, "author.name": 1, "lines.note": 0.5, "tags": 1, "pair[1]": 2]

    @Test(arguments: Engine.allCases) func randomDocuments(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: []) }
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store
        // One is built from documents, one grows with them, and one has every text.
        let late = store.documents("late"), early = store.documents("early"), whole = store.documents("whole")
        try early.setFullText(DocumentFullText(Self.weights))
        try whole.setFullText(.everyText)
        var random = RandomDocuments(seed: 11)
        var documents = (0..<30).map { _ in random.document() }
        for notes in [late, early, whole] { try notes.save(documents) }
        try late.setFullText(DocumentFullText(Self.weights))
        #expect(try late.fullText() == DocumentFullText(Self.weights) && whole.fullText() == .everyText)
        for round in 0..<2 {
            try compare(late, documents, PlainTexts.fields, &random)
            try compare(early, documents, PlainTexts.fields, &random)
            try compare(whole, documents, [("$", { PlainTexts.all(in: $0) })], &random)
            // Some get other texts, or none, some go, some are new.
            for place in documents.indices where place % 3 == round { documents[place].value = random.document().value }
            let gone = documents.suffix(5).map(\.id)
            documents.removeLast(5)
            documents += (0..<5).map { _ in random.document() }
            for notes in [late, early, whole] {
                #expect(try notes.delete(ids: gone) == 5)
                try notes.save(documents)
            }
        }
        let report = try store.verify()
        #expect(report.isSound, "\(report.problems)")
    }

    private func compare(
        _ notes: Documents<ObjectStore>, _ documents: [Document], _ fields: [(name: String, texts: (StoredValue) -> [String])],
        _ random: inout RandomDocuments
    ) throws {
        let weights = try notes.fullText().fields.map(\.weight)
        let names = FullTextFields(zip(fields.map(\.name), weights).map { ($0, weight: $1) })
        var oracle = FullTextOracle(fields: names)
        for document in documents {
            oracle.documents[document.id.keyBytes] = fields.map { field in
                let texts = field.texts(document.value)
                return texts.isEmpty ? nil : texts.joined(separator: "\n")
            }
        }
        oracle.prepare()
        let ids = Dictionary(uniqueKeysWithValues: documents.map { ($0.id.keyBytes, $0.id) })
        for _ in 0..<5 {
            let query = random.texts.query(names)
            let expected = Set(oracle.matches(query).compactMap { ids[$0] })
            let condition = notes.fetch().where(.fullText(query, nil))
            #expect(try Set(condition.ids()) == expected, "\(query)")
            #expect(try condition.count() == expected.count, "\(query)")
            // The same where the documents have to be read, and together with another condition.
            let others = Set(documents.filter { $0["n"] == 1 }.map(\.id))
            #expect(try Set(notes.fetch { $0["n"] == 1 }.where(.fullText(query, nil)).ids()) == expected.intersection(others), "\(query)")
            let either: Filter = .or([.fullText(query, nil), .isMultiple(FieldPath("n"), of: 7)])
            let sevens = Set(documents.filter { if case .int(let n)? = $0["n"] { n % 7 == 0 } else { false } }.map(\.id))
            #expect(try Set(notes.fetch().where(either).ids()) == expected.union(sevens), "\(query)")
            let best = oracle.best(.max, of: query)
            let hits = try notes.fetch().limit(7).search(query)
            #expect(hits.count == min(7, best.count), "\(query)")
            #expect(zip(hits, best).allSatisfy { abs($0.score - $1.score) < 1e-9 }, "\(query)")
            // Where scores differ by rounding only, either order is right.
            let isClear = zip(best, best.dropFirst().prefix(7)).allSatisfy { $0.score == $1.score || $0.score - $1.score > 1e-9 }
            if isClear { #expect(hits.map(\.object.id.keyBytes) == best.prefix(7).map(\.key), "\(query)") }
        }
    }
}

/// The texts of a document, gathered from its values as plainly as can be.
private enum PlainTexts {
    static var fields: [(name: String, texts: (StoredValue) -> [String])] {
        [
            ("title", { document in all(in: member("title", of: document)) }),
            ("author.name", { document in members("author", of: document).flatMap { all(in: member("name", of: $0)) } }),
            ("lines.note", { document in members("lines", of: document).flatMap { all(in: member("note", of: $0)) } }),
            ("tags", { document in all(in: member("tags", of: document)) }),
            ("pair.1", { document in
                guard case .array(let elements) = member("pair", of: document), elements.count > 1 else { return [] }
                return all(in: elements[1])
            }),
        ]
    }

    static func all(in value: StoredValue) -> [String] {
        switch value {
        case .string(let text): [text]
        case .array(let elements): elements.array.flatMap { all(in: $0) }
        case .object(let values): values.keys.sorted().flatMap { all(in: values[$0] ?? .null) }
        default: []
        }
    }

    private static func member(_ name: String, of value: StoredValue) -> StoredValue {
        if case .object(let values) = value { values[name] ?? .null } else { .null }
    }

    /// What is under a name: the elements where it is an array.
    private static func members(_ name: String, of value: StoredValue) -> [StoredValue] {
        let found = member(name, of: value)
        if case .array(let elements) = found { return elements.array }
        return [found]
    }
}

private struct RandomDocuments {
    var texts: RandomTexts

    init(seed: UInt64) { texts = RandomTexts(seed: seed) }

    mutating func document() -> Document {
        // Now and then no more than a text.
        if number(20) == 0 { return Document(.string(texts.word())) }
        var values: [String: StoredValue] = ["n": .int(Int64(number(15)))]
        if number(8) > 0 { values["title"] = text() }
        switch number(5) {
        case 0: break
        case 1: values["author"] = .array((0..<number(3)).map { _ in .object(["name": text()]) })
        case 2: values["author"] = text()
        case 3: values["author"] = .object(["name": .object(["first": text(), "last": text()]), "born": 1_900])
        default: values["author"] = .object(["name": text()])
        }
        values["lines"] = .array((0..<number(4)).map { _ in number(3) == 0 ? text() : .object(["note": text(), "other": text()]) })
        values["tags"] = number(4) == 0 ? .int(7) : .array((0..<number(4)).map { _ in text() })
        values["pair"] = .array((0..<number(3)).map { _ in text() })
        if number(4) == 0 { values["map"] = .dictionary([.int(1): "autumn"]) }
        return Document(.object(values))
    }

    private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &texts.generator) }

    private mutating func text() -> StoredValue { texts.text().map { .string($0) } ?? .null }
}
