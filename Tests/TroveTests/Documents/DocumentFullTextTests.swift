import Foundation
import TestSupport
import Testing
import TroveMemory

@testable import Trove

/// The full text of collections: how it is set, searched and shown. What it finds is compared with a plain model in `DocumentWordsTests`.
@Suite struct DocumentFullTextTests {
    private static let notes: [Document] = [
        ["title": "A fjord in the north", "author": ["name": "Ane"], "tags": ["sea", "cold water"], "rating": 7],
        ["title": "Summer", "author": ["name": "Ole"], "tags": ["fjord"], "rating": 3, "lines": [["note": "northern lights"], ["note": "a fjord, seen from above"]]],
        ["title": 5, "author": "nobody", "rating": 9], ["body": "fjord"],
    ]

    private func fixture(_ engine: Engine, _ documents: [Document] = notes) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: []) }
        try fixture.store.documents("notes").save(documents)
        return fixture
    }

    @Test(arguments: Engine.allCases) func settingAndSearching(engine: Engine) throws {
        let fixture = try fixture(engine)
        let notes = fixture.store.documents("notes"), all = Self.notes
        #expect(try notes.fullText() == .none)
        let setting: DocumentFullText = ["title": 3, "author.name": 1, "tags": 1, "lines.note": 0.5]
        try notes.setFullText(setting)
        let hits = try notes.fetch().search("fjord")
        #expect(hits.map(\.object) == [all[0], all[1]] && hits.allSatisfy { $0.score > 0 })
        #expect(try notes.fetch("rating < 5").search("fjord OR ane").map(\.object) == [all[1]])
        #expect(try notes.fetch().limit(1).offset(1).search("fjord").map(\.object) == [all[1]])
        #expect(try notes.fetch().search("\"cold water\"").map(\.object) == [all[0]] && notes.fetch().search("north* NOT lines.note:fjord").map(\.object) == [all[0]])
        #expect(try notes.fetch().search("fjord", in: "tags").map(\.object) == [all[1]])
        // As conditions, in Swift and as text, with others and in another order.
        #expect(try notes.fetch { $0.hasWords("fjord") && $0["rating"] > 1 }.sorted(by: "rating").all() == [all[1], all[0]])
        #expect(try notes.fetch { $0["title"].hasWords("fjord") }.all() == [all[0]] && notes.fetch("author.name has words 'ol*'").all() == [all[1]])
        #expect(try notes.fetch("has words 'fjord' or rating = 9").count() == 3 && notes.fetch("not has words 'fjord'").count() == 2)
        #expect(try notes.fetch { $0.hasWords(" ", ifBlank: .findsAll) }.count() == 4)
        let (page, next) = try notes.fetch("has words 'fjord'").sorted(by: "rating").page(1)
        #expect(try page == [all[1]] && notes.fetch("has words 'fjord'").sorted(by: "rating").page(1, after: next).objects == [all[0]])

        // The store keeps it, and each save keeps it in step.
        try fixture.reopenStore()
        let again = fixture.store.documents("notes")
        #expect(try again.fullText() == setting)
        var note = all[0]
        note["title"] = "A lake"
        note["tags[0]"] = ["deep": "fjord"]
        try again.save(note)
        try again.delete(all[1])
        #expect(try again.fetch().search("fjord").map(\.object) == [note] && again.fetch().search("sea OR summer").isEmpty)
        #expect(try again.fetch("title has words 'lake'").update { $0["title"] = "A pond" } == 1 && again.fetch("has words 'pond'").count() == 1)
        try again.setFullText(.only("body", options: FullTextOptions(stemming: .english)))
        #expect(try again.fetch().search("fjords").map(\.object) == [all[3]] && again.fetch("has words 'pond'").count() == 0)
        #expect(throws: TroveError.self) { try again.fetch("title has words 'lake'").count() }
        try again.setFullText(.none)
        #expect(try again.fullText() == .none && fixture.store.indexes(of: "notes").count == 1)
        #expect(throws: TroveError.self) { try again.fetch("has words 'fjord'").count() }
        #expect(throws: TroveError.self) { try again.fetch().search("fjord") }
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func wordsAreShown(engine: Engine) throws {
        let fixture = try fixture(engine)
        let notes = fixture.store.documents("notes")
        try notes.setFullText(["title": 3, "lines.note": 1])
        let hits = try notes.fetch().search("fjord OR north*")
        let (first, second) = (try #require(hits.first), try #require(hits.last))
        #expect(first.highlighted("title") == "A [fjord] in the [north]" && first.highlighted("tags") == "sea\ncold water", "tags were not searched")
        #expect(second.highlighted("lines.note", before: "<", after: ">") == "<northern> lights\na <fjord>, seen from above")
        #expect(second.highlighted("lines[1].note") == "a [fjord], seen from above" && second.ranges(in: "title").isEmpty)
        #expect(first.snippet(of: "title", words: 2) == "…[fjord] in…")
        #expect(first.ranges(in: "title").map { String(first.text(at: "title")[$0]) } == ["fjord", "north"] && first.text(at: "rating").isEmpty)

        try notes.setFullText(.everyText)
        let every = try notes.fetch().search("water")
        #expect(every.map(\.object) == [Self.notes[0]] && every[0].highlighted("tags[1]") == "cold [water]")
        #expect(every[0].snippet(of: .document, words: 100) == "Ane\nsea\ncold [water]\nA fjord in the north")
        #expect(try notes.fetch().search("nobody").count == 1 && notes.fetch().search("rating").isEmpty, "names are no texts")
        #expect(try notes.fetch().limit(3).search("fjord").count == 3)
        // What is searched as a whole and by one path counts twice.
        try notes.setFullText([.document: 1, "title": 9])
        #expect(try notes.fetch().search("fjord").first?.object == Self.notes[0] && notes.fetch("title has words 'fjord'").count() == 1)
        #expect(try fixture.store.verify().isSound)
    }

    @Test(.timeLimit(.minutes(2)), arguments: Engine.allCases) func asynchronousCallsAndObservation(engine: Engine) async throws {
        let fixture = try fixture(engine, [])
        let notes = fixture.store.documents("notes")
        try await notes.setFullText(["title": 1])
        #expect(try await notes.fullText() == ["title": 1])
        var results = fixture.store.observe(notes.fetch("has words 'fjord'")).makeAsyncIterator()
        #expect(try await results.next() == [])
        try await notes.save(Self.notes)
        #expect(try await results.next() == [Self.notes[0]])
        #expect(try await notes.fetch().search("fjord").map(\.object) == [Self.notes[0]])
        #expect(try await notes.fetch().search("fjord", in: "title").count == 1)
        try await notes.rebuildIndex()
        #expect(try await notes.fetch().search("fjord").count == 1)
        // Another setting finds others, though no document changes, and what is observed goes by it from then on.
        var changes = fixture.store.observeChanges(of: notes.fetch("has words 'fjord'")).makeAsyncIterator()
        #expect(try await changes.next()?.inserted.map(\.object) == [Self.notes[0]])
        var lakes = fixture.store.observe(notes.fetch("has words 'lake'")).makeAsyncIterator()
        #expect(try await lakes.next() == [])
        try await notes.setFullText(["body": 1])
        #expect(try await results.next() == [Self.notes[3]])
        let change = try await changes.next()
        #expect(change?.inserted.map(\.object) == [Self.notes[3]] && change?.removed.map(\.id) == [Self.notes[0].id])
        let lake: Document = ["body": "lake"]
        try await notes.save(lake)
        #expect(try await lakes.next() == [lake])
        withExtendedLifetime(fixture) {}
    }

    /// Who hears of every change has something to tell only where the result is another one, or could not be read.
    @Test func whatMayConcernIsToldByTheResult() {
        let observer = Observer(filters: [:], isExact: false)
        #expect(observer.takeConcern() && observer.wakeUp.take())
        observer.signal()
        #expect(!observer.takeConcern() && observer.wakeUp.take())
        observer.signalConcern()
        #expect(observer.takeConcern() && observer.wakeUp.take())
    }

    @Test(arguments: Engine.allCases) func conditionsUseTheIndex(engine: Engine) throws {
        let fixture = try fixture(engine, (0..<600).map { ["title": .string("note \($0)"), "n": .int($0 % 50)] })
        let notes = fixture.store.documents("notes")
        try notes.setFullText(["title": 1])
        for (criteria, count) in [("title has words '177'", 1), ("has words '17*' and n < 40", 11), ("has words '177' or n = 3", 13)] {
            let plan = try notes.fetch(criteria).explain()
            #expect(plan.indexes.contains("words of documents") && plan.recordsRead <= 100, "\(criteria)\n\(plan)")
            #expect(try notes.fetch(criteria).count() == count, "\(criteria)")
        }
        #expect(try fixture.store.verify().isSound)
    }

    /// Texts of any length, depth and place.
    @Test(arguments: Engine.allCases) func extremeTexts(engine: Engine) throws {
        let long = (0..<3_000).map { "word\($0)" }.joined(separator: " ")
        var deep: StoredValue = "abyss"
        for _ in 0..<30 { deep = .array([.object(["in": deep])]) }
        let documents = [Document(.object(["long": .string(long)])), Document(deep), Document("text alone"), Document(5), Document([:]), Document(["": "nameless", "$id": "odd"])]
        let fixture = try fixture(engine, documents)
        let notes = fixture.store.documents("notes")
        try notes.setFullText(.everyText)
        for (word, place) in [("word2999", 0), ("abyss", 1), ("alone", 2), ("nameless", 5), ("odd", 5)] {
            #expect(try notes.fetch().search(word).map(\.object) == [documents[place]], "\(word)")
        }
        try notes.setFullText(["": 1, "$id": 2, "in.in": 1])
        #expect(try notes.fetch().search("nameless odd").count == 1 && notes.fetch().search("abyss").count == 1)
        #expect(try notes.delete(ids: documents.map(\.id)) == 6 && notes.fetch().search("abyss").isEmpty)
        #expect(try fixture.store.verify().isSound)
    }
}

/// How the setting is kept: refused, rolled back, changed by others, copied, damaged, and given up.
@Suite struct DocumentFullTextKeepingTests {
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: []) }
        try fixture.store.documents("notes").save((0..<20).map { ["title": .string("note \($0)"), "n": .int($0)] })
        return fixture
    }

    @Test(arguments: Engine.allCases) func whatCannotBeSetIsRefused(engine: Engine) throws {
        let fixture = try fixture(engine)
        let notes = fixture.store.documents("notes")
        try notes.setFullText(["title": 1])
        let many = DocumentFullText((0...FullTextFields.limit).map { .init(DocumentPath([.name("path \($0)")])) })
        let refused: [DocumentFullText] = [
            many, ["title": 1, "n": 1, #"["title"]"#: 2], ["title": -1], ["title": .nan],
            ["a": 1, "a.b": 1, "a[0].b": 1, "a.b.c": 1, "a.b.c.d": 1],
            // Ten digits are no position, so that this name leads through the array.
            [.document: 1, "a": 1, "a[0]": 1, #"a["1234567890"]"#: 1, #"a[0]["1234567890"]"#: 1], .everyText(FullTextOptions(minimumWordLength: 0)),
        ]
        for setting in refused {
            #expect { try notes.setFullText(setting) } throws: { if case TroveError.invalidIndex("notes", _, _) = $0 { true } else { false } }
        }
        #expect(try notes.fullText() == ["title": 1])
        try notes.setFullText([.document: 1, "title": 3, "a.b": 1, "a.b.c": 1, "p[0]": 1, "p[1]": 1, "p[2]": 1, "p[3]": 1, "p[4]": 1])
        #expect(try notes.fullText().fields.count == 9)
        #expect { try fixture.store.dropIndex(named: "words of documents", of: "notes") } throws: { if case TroveError.undroppableIndex = $0 { true } else { false } }
        let schema = IndexSchema("mine", kind: .fullText(FullTextOptions(), weights: [1]), parts: [IndexPart(FieldPath("title"))])
        #expect { try fixture.store.createIndex(schema, of: "notes") } throws: { if case TroveError.invalidIndex = $0 { true } else { false } }
        #expect { try fixture.store.documents("$x").setFullText(.everyText) } throws: { if case TroveError.invalidCollection = $0 { true } else { false } }
        // What there is not has no full text, and is not made for that.
        try fixture.store.documents("none").setFullText(.none)
        #expect(try fixture.store.collectionNames() == ["notes"])
        try notes.setFullText(.none)
        for name in ["words of documents", "every path"] {
            #expect { try notes.createIndex(name, on: "n") } throws: { if case TroveError.invalidIndex("notes", name, _) = $0 { true } else { false } }
        }
        try notes.setFullText(.everyText)
        #expect(try notes.fetch().search("7").count == 1)
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func rolledBackSettings(engine: Engine) throws {
        let fixture = try fixture(engine)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store, notes = store.documents("notes")
        #expect(throws: CancellationError.self) {
            try store.write { transaction in
                try transaction.setFullText(["title": 1], ofCollection: "notes")
                try transaction.setFullText(["title": 1], ofCollection: "new")
                try transaction.documents("new").save(["title": "fjord"])
                #expect(try transaction.documents("new").fetch().search("fjord").count == 1)
                throw CancellationError()
            }
        }
        #expect(try notes.fullText() == .none && store.collectionNames() == ["notes"])
        #expect(throws: TroveError.self) { try notes.fetch("has words 'note'").count() }
        try store.write { transaction in
            try transaction.setFullText(["title": 1], ofCollection: "new")
            try transaction.documents("new").save(["title": "fjord", "body": "lake"])
            do {
                try transaction.savepoint {
                    try transaction.setFullText(["body": 1], ofCollection: "new")
                    try transaction.documents("new").save(["body": "lake"])
                    throw CancellationError()
                }
            } catch is CancellationError {}
            #expect(try transaction.documents("new").fetch().search("fjord").count == 1 && transaction.documents("new").fetch().search("lake").isEmpty)
        }
        #expect(try store.documents("new").fullText() == ["title": 1] && store.documents("new").fetch("has words 'fjord'").count() == 1)
        #expect(try store.verify().isSound)
    }

    /// Until the words are gathered, conditions read the documents.
    @Test(arguments: Engine.allCases) func searchesBeforeItIsBuilt(engine: Engine) throws {
        let fixture = try fixture(engine)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store, notes = store.documents("notes")
        try store.write { try $0.setFullText(["title": 1], ofCollection: "notes") }
        #expect(try notes.fetch("has words '7'").count() == 1)
        try notes.save(["title": "late note"])
        #expect(try notes.fetch("title has words 'late'").count() == 1)
        #expect { try notes.fetch().search("7") } throws: { if case TroveError.invalidQuery(let reason) = $0 { reason.contains("not ready") } else { false } }
        // What stops the building is told, and the next one goes on.
        var told = 0
        #expect(throws: CancellationError.self) {
            try notes.setFullText(["n": 1, "title": 2]) { _ in
                told += 1
                throw CancellationError()
            }
        }
        try store.buildIndexes()
        #expect(try told == 1 && notes.fetch().search("7").count == 1 && notes.fetch().search("late").count == 1)
        #expect(try store.verify().isSound)
    }

    /// Another store open on the same engine sees a change with its next transaction, and keeps the words from then on.
    @Test(arguments: [Engine.sqlite, .lmdb]) func changesOfAnotherStore(engine: Engine) throws {
        let fixture = try fixture(engine)
        let notes = fixture.store.documents("notes")
        let other = try ObjectStore(engine.open(fixture.directory.file()), models: [])
        defer { try? other.close() }
        let others = other.documents("notes")
        try others.setFullText(["title": 1])
        try notes.save(["title": "fjord", "body": "lake"])
        #expect(try others.fetch().search("fjord").count == 1 && notes.fetch().search("7").count == 1)
        try notes.setFullText(["body": 1])
        try others.save(["body": "another lake"])
        #expect(try notes.fetch().search("lake").count == 2 && others.fetch().search("lake").count == 2)
        try others.setFullText(.none)
        try notes.save(["body": "third lake"])
        #expect(throws: TroveError.self) { try notes.fetch().search("lake") }
        #expect(try fixture.store.verify().isSound && other.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func copiesAndImports(engine: Engine) throws {
        let fixture = try fixture(engine)
        let notes = fixture.store.documents("notes")
        try notes.setFullText(.everyText(FullTextOptions(stemming: .english)))
        let backend = MemoryBackend()
        try fixture.store.copy(to: backend)
        let copy = try ObjectStore(backend, models: [])
        #expect(try copy.documents("notes").fullText() == notes.fullText() && copy.documents("notes").fetch().search("notes 7").count == 1)
        #expect(try copy.verify().isSound)
        try copy.close()
        // An export has no indexes; what is imported is kept by those that the store has.
        var lines = Data()
        try fixture.store.exportJSON(into: { lines.append(contentsOf: $0) })
        let imported = try ObjectStore(MemoryBackend(), models: [])
        try imported.documents("notes").setFullText(["title": 1])
        try imported.importJSON(lines)
        #expect(try imported.documents("notes").fullText() == ["title": 1] && imported.documents("notes").fetch().search("7").count == 1)
        #expect(try imported.verify().isSound)
        try imported.close()
    }

    @Test(arguments: Engine.allCases) func damageIsFoundAndMended(engine: Engine) throws {
        let fixture = try fixture(engine)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store, notes = store.documents("notes")
        try notes.setFullText(["title": 1])
        let number = try #require(try store.read { try $0.indexTable.entries.first { $0.schema.kind.isFullText }?.number })
        try store.core.backend.write { writer in
            let keyspace = try #require(try writer.keyspace(named: IndexCatalogueEntry.keyspaceName(number)))
            try writer.deleteRange(.prefix(Array("7".utf8)), in: keyspace)
        }
        let report = try store.verify()
        #expect(report.indexDamage.map(\.index) == ["words of documents"], "\(report.problems)")
        #expect(report.problems.contains { "\($0.error)".contains(#"store.documents("notes").rebuildIndex()"#) })
        try notes.rebuildIndex()
        #expect(try store.verify().isSound && notes.fetch().search("7").count == 1)
    }

    /// An index whose texts are read by other rules is not taken for one of these: a program that knows only the others does not keep this one either.
    @Test(arguments: Engine.allCases) func indexesByOtherRules(engine: Engine) throws {
        let fixture = try fixture(engine)
        defer { withExtendedLifetime(fixture) {} }
        let store = fixture.store, notes = store.documents("notes")
        try notes.setFullText(["title": 1])
        let entry = try #require(try store.read { try $0.indexTable.entries.first { $0.schema.kind.isFullText } })
        #expect(entry.types == ["texts below ?"] && entry.isDeclared && entry.state == .ready)
        try store.write { transaction in
            try IndexDirectory.change(transaction.writer) { _, entries in
                for place in entries.indices where entries[place].number == entry.number {
                    entries[place] = IndexCatalogueEntry(
                        number: entry.number, modelName: entry.modelName, version: 1, schema: entry.schema, types: ["?"], state: .ready)
                }
            }
            transaction.forgetIndexes()
        }
        #expect { try notes.fetch().search("7") } throws: { if case TroveError.invalidQuery = $0 { true } else { false } }
        #expect(try notes.fetch("has words '7'").count() == 1, "by reading the documents")
        try notes.save(["title": "fjord"])
        try notes.setFullText(["title": 1])
        #expect(try notes.fetch().search("fjord OR 7").count == 2 && store.verify().isSound)
    }

    @Model("notes") fileprivate struct Note {
        var id = ObjectID()
        @Attribute(.fullText) var title: String
        var n: Int
    }

    /// A type that adopts the collection has the full text that it declares.
    @Test(arguments: Engine.allCases) func adoptionEndsIt(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.store.documents("notes").setFullText(.everyText)
        #expect(try fixture.store.adopt(Note.self, from: "notes").isAdopted)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Note.self) }
        #expect(try fixture.store.indexes(of: "notes").map(\.schema.name) == ["text of title"])
        #expect(try fixture.store.fetch(Note.self).search("7").map(\.object.n) == [7] && fixture.store.verify().isSound)
    }
}
