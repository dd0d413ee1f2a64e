import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// Collections: storing, transactions, names, maintenance.
@Suite struct DocumentCollectionTests {
    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Song.self) }
    }

    private static let note: Document = ["title": "Fjord", "author": ["name": "Ane"], "tags": ["sea", "north"], "rating": 7]

    @Test(arguments: Engine.allCases) func documentsAreKept(engine: Engine) throws {
        let fixture = try fixture(engine)
        var notes = fixture.store.documents("notes")
        #expect(try notes.count() == 0)
        #expect(try notes.fetch(id: Self.note.id) == nil)
        #expect(try notes.fetch("author.name = 'Ane'").all() == [], "there is no collection yet")
        #expect(try fixture.store.collectionNames() == [])
        var note = Self.note
        note.className = "Note"
        try notes.insert(note)
        #expect { try notes.insert(note) } throws: { if case TroveError.alreadyExists = $0 { true } else { false } }
        note["author.name"] = "Ann"
        try notes.save(note)
        let other: Document = ["title": "Other"]
        try notes.save(other)
        try fixture.reopenStore()
        notes = fixture.store.documents("notes")
        #expect(try fixture.store.collectionNames() == ["notes"])
        #expect(try notes.fetch(id: note.id) == note)
        #expect(try notes.fetch(id: note.id)?.className == "Note", "no program knows the class")
        #expect(try notes.fetch(ids: [other.id, ObjectID(), note.id]) == [other, note])
        #expect(try notes.fetch("author.name = 'Ann'").all() == [note])
        #expect(try notes.fetch("author.name = 'Ane'").all() == [])
        #expect(try notes.fetch("tags.1 = 'north'").all() == [note])
        #expect(try notes.fetch { $0["tags.1"] == "north" }.all() == [note])
        #expect(try notes.fetch("$class = 'Note' and $id = objectid '\(note.id)'").all() == [note])
        #expect(try notes.fetch { $0.className == "Note" && $0.id == note.id }.count() == 1)
        #expect(try notes.delete(id: note.id))
        #expect(try !notes.delete(id: note.id))
        #expect(try notes.fetch().all() == [other])
        #expect(try notes.deleteAll() == 1)
        #expect(try fixture.store.verify().isSound)
        #expect(try entryCount(fixture.store) == 0, "no entries stay behind")
    }

    @Test(arguments: Engine.allCases) func transactionsAndSavepoints(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try store.write { transaction in
                try transaction.documents("gone").save(Self.note)
                #expect(try transaction.documents("gone").fetch("author.name = 'Ane'").count() == 1)
                throw Stop()
            }
        }
        #expect(try store.collectionNames() == [])
        #expect(try store.documents("gone").count() == 0)
        let (kept, other): (Document, Document) = (["a": 1, "kept": true], ["a": 1, "b": ["c": 2]])
        try store.write { transaction in
            let notes = transaction.documents("notes")
            #expect(throws: Stop.self) {
                try transaction.savepoint {
                    try notes.save(other)
                    try transaction.documents("second").save(other)
                    throw Stop()
                }
            }
            try notes.save(kept)
            #expect(throws: Stop.self) {
                try transaction.savepoint {
                    try notes.save(["new": ["path": 1]])
                    #expect(try notes.fetch("new.path = 1").count() == 1)
                    throw Stop()
                }
            }
            #expect(try notes.fetch("new.path = 1").count() == 0)
            try notes.save(["third": ["path": 5]])
            #expect(try notes.fetch("a = 1").all() == [kept])
        }
        #expect(try store.collectionNames() == ["notes"])
        #expect(try store.documents("notes").fetch("third.path = 5").count() == 1)
        #expect(try store.documents("notes").fetch { $0["a"] == 1 }.all() == [kept])
        #expect(try store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func namesDoNotCollide(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        func isInvalid(_ body: () throws -> Void) -> Bool {
            do {
                try body()
                return false
            } catch TroveError.invalidCollection {
                return true
            } catch {
                return false
            }
        }
        #expect(isInvalid { try store.documents("Song").save(Self.note) }, "a model without objects")
        try store.save(Song.sample(1))
        #expect(isInvalid { try store.documents("Song").save(Self.note) })
        #expect(isInvalid { _ = try store.documents("Song").count() })
        for name in ["", "$x", String(repeating: "x", count: 2_000)] { #expect(isInvalid { try store.documents(name).save(Self.note) }) }
        #expect(isInvalid { try store.save(Self.note) }, "it is of no collection")
        try store.documents("Country").save(Self.note)
        try store.documents("\u{E9}").save(Self.note)
        #expect(isInvalid { try store.documents("e\u{301}").save(Self.note) })
        #expect { try fixture.reopenStore { try ObjectStore($0, models: Country.self) } } throws: { if case TroveError.invalidModelName("Country", _) = $0 { true } else { false } }
        try fixture.reopenStore { try ObjectStore($0, models: []) }
        #expect(isInvalid { _ = try fixture.store.documents("Song").count() }, "a model that this program does not have")
    }

    /// What a later version may have made is left alone.
    @Test(arguments: Engine.allCases) func collectionsOfOtherFieldsAreRefused(engine: Engine) throws {
        let fixture = try fixture(engine)
        try fixture.store.documents("notes").save(Self.note)
        let fields = Document.schema.fields
        let others: [(name: String, type: FieldType)] = [("$", .string), ("$class", .optional(.string))]
        try fixture.store.core.backend.write { writer in
            let layout = RecordLayout(number: 77, modelName: "later", version: 1, fields: others)
            try Catalogue.write(LayoutEntry(layout, id: IDSchema(Document.ID.self), attributes: fields.map { FieldAttributes($0) }, isCollection: true), writer)
            let numbered = RecordLayout(number: 78, modelName: "numbered", version: 1, fields: fields.map { ($0.name, $0.type) })
            try Catalogue.write(LayoutEntry(numbered, id: IDSchema(Int.self), attributes: fields.map { FieldAttributes($0) }, isCollection: true), writer)
        }
        try fixture.reopenStore()
        for name in ["later", "numbered"] {
            let collection = fixture.store.documents(name)
            #expect { try collection.count() } throws: { if case TroveError.invalidCollection(name, _) = $0 { true } else { false } }
            #expect { try collection.save(Self.note) } throws: { if case TroveError.invalidCollection(name, _) = $0 { true } else { false } }
        }
        #expect(try fixture.store.documents("notes").fetch("rating = 7").count() == 1)
    }

    /// Golden literals: keys that are odd are stored, found and told apart.
    @Test(arguments: Engine.allCases) func oddDocuments(engine: Engine) throws {
        let fixture = try fixture(engine)
        let notes = fixture.store.documents("odd")
        let values: [StoredValue] = [
            [:], ["a": []], ["": 1], ["": ["": 2]], ["a.b": 1], ["a": ["b": 1]], ["a": ["0": 1]], ["a": [1, 2]], ["a": [[1], [2]]], ["$id": 1], ["$": 1], ["$class": "x"], ["id": 1],
            ["a": .null], [], [1, "x"], 5, "text", .null, ["a[0]": 1], ["order": 1], ["a": .dictionary([.int(1): .string("x")])], ["a": ["b": ["c": ["d": ["e": 1]]]]],
        ]
        let documents = values.map { Document($0) }
        try notes.save(documents)
        func found(_ fetch: Fetch<Document, ObjectStore>) throws -> [Int] {
            let ids = try fetch.ids()
            return documents.indices.filter { ids.contains(documents[$0].id) }
        }
        for document in documents { #expect(try notes.fetch(id: document.id) == document) }
        #expect(try found(notes.fetch { $0[""] == 1 }) == [2])
        #expect(try found(notes.fetch { $0[#"[""][""]"#] == 2 }) == [3])
        #expect(try found(notes.fetch { $0[#"["a.b"]"#] == 1 }) == [4])
        #expect(try found(notes.fetch("\"a.b\" = 1")) == [4])
        #expect(try found(notes.fetch { $0["a.b"] == 1 }) == [5])
        #expect(try found(notes.fetch { $0["a.0"] == 1 }) == [6, 7], "a position of an array, a key of another")
        #expect(try found(notes.fetch { $0["a[1]"] == 2 }) == [7])
        #expect(try found(notes.fetch { $0["a[0]"] == 2 }) == [])
        #expect(try found(notes.fetch { $0["a[1][0]"] == 2 }) == [8])
        #expect(try found(notes.fetch { $0["$id"] == 1 }) == [9])
        #expect(try found(notes.fetch("$.$id = 1")) == [9])
        #expect(try found(notes.fetch { $0["$"] == 1 }) == [10])
        #expect(try found(notes.fetch { $0["$class"] == "x" }) == [11])
        #expect(try found(notes.fetch { $0["id"] == 1 }) == [12])
        #expect(try found(notes.fetch("id = 1")) == [12])
        #expect(try found(notes.fetch { $0["[1]"] == "x" }) == [15])
        #expect(try found(notes.fetch { $0[#"["a[0]"]"#] == 1 }) == [19])
        #expect(try found(notes.fetch { $0["a"].exists }) == [1, 5, 6, 7, 8, 21, 22])
        #expect(try found(notes.fetch { $0["a"] == nil && $0["a.b"] == nil }) == [0, 2, 3, 4, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
        #expect(try found(notes.fetch("a = {'b': 1}")) == [5])
        #expect(try found(notes.fetch("a = []")) == [1])
        #expect(try found(notes.fetch("..e = 1")) == [22])
        #expect(try found(notes.fetch { $0.anywhere.contains("x") }) == [11, 15], "what other keys than names lead to is no attribute")
        #expect(try found(notes.fetch("any descendants of $ = 2")) == [3, 7, 8])
        #expect(try found(notes.fetch("$ = 5")) == [16])
    }

    @Test(arguments: Engine.allCases) func copiesAndOtherStoreObjects(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        try store.documents("notes").save(Self.note)
        try store.setBlob(Data([1, 2]), named: "cover")
        let copy = try TemporaryDirectory()
        let target = try engine.open(copy.file())
        try store.copy(to: target)
        let other = try ObjectStore(target, models: Song.self)
        #expect(try other.documents("notes").fetch("any tags = 'sea'").all() == [Self.note])
        try other.documents("notes").save(["brand": ["new": 1]])
        #expect(try other.documents("notes").fetch("brand.new = 1").count() == 1)
        #expect(try other.verify().isSound)
        try other.close()
    }

    /// Two open stores of one file add paths in turns, and each finds what the other has stored.
    @Test(arguments: Engine.allCases.filter { $0 != .tokyoCabinet }) func storesAddPathsInTurns(engine: Engine) throws {
        let fixture = try fixture(engine)
        let second = try ObjectStore(engine.open(fixture.directory.file()), durability: .relaxed, models: Song.self)
        defer { try? second.close() }
        for round in 0..<12 {
            let (writer, reader) = round % 2 == 0 ? (fixture.store, second) : (second, fixture.store)
            try writer.documents("notes").save(["round \(round)": ["value": .int(Int64(round))], "shared": .int(Int64(round))])
            #expect(try reader.documents("notes").fetch(.init(document: "round \(round)", "value"), equals: Int64(round)) == 1)
            #expect(try reader.documents("notes").fetch { $0["shared"] >= 0 }.count() == round + 1)
        }
        #expect(try second.documents("notes").attributes().count == 25)
        #expect(try second.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func observation(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let notes = store.documents("notes")
        var results = store.observe(notes.fetch("rating > 5")).makeAsyncIterator()
        #expect(try await results.next() == [])
        var note = Self.note
        try await notes.save(["rating": 1])
        try await notes.save(note)
        #expect(try await results.next() == [note])
        note["rating"] = 8
        try await notes.save(note)
        #expect(try await results.next() == [note])
        try await notes.delete(id: note.id)
        #expect(try await results.next() == [])
    }

    /// A task's thread waits for no engine, not even to begin.
    @Test(arguments: Engine.allCases) func observationsReadOnReaderThreads(engine: Engine) async throws {
        let (fixture, backend) = try StoreFixture.counting(engine) { try ObjectStore($0, durability: .relaxed, models: Song.self) }
        let notes = fixture.store.documents("notes")
        try await notes.save(Self.note)
        var results = fixture.store.observe(notes.fetch("rating > 5")).makeAsyncIterator()
        var counts = fixture.store.observeCount(of: notes.fetch()).makeAsyncIterator()
        let isOnATask = SharedFlag()
        backend.setBeforeRead { if withUnsafeCurrentTask(body: { $0 != nil }) { isOnATask.raise() } }
        #expect(try await results.next() == [Self.note])
        #expect(try await counts.next() == 1)
        backend.setBeforeRead(nil)
        #expect(!isOnATask.isRaised)
    }

    @Test(arguments: Engine.allCases) func changesByQueryAndPages(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let notes = store.documents("notes")
        try notes.save((0..<300).map { ["n": .int($0), "even": .bool($0 % 2 == 0)] })
        #expect(try notes.fetch("even = true").update { $0["n"] = 1_000 } == 150)
        #expect(try notes.fetch("n = 1000").count() == 150)
        #expect(try notes.fetch("n < 10").delete() == 5)
        var (token, seen): (ContinuationToken?, [Document]) = (nil, [])
        repeat {
            let page = try notes.fetch("n < 1000").sorted(by: "n", .descending).page(40, after: token)
            seen += page.objects
            token = page.next
        } while token != nil
        #expect(seen.map { $0["n"] } == stride(from: 299, to: 10, by: -2).map { .int($0) })
        let rows = try notes.fetch("n between 11 and 15").sorted(by: "n").partial("n", "even")
        #expect(rows.map { $0["n"] } == [11, 13, 15])
        #expect(try store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func asynchronousForms(engine: Engine) async throws {
        let fixture = try fixture(engine)
        let notes = fixture.store.documents("notes")
        let documents = (0..<100).map { Document(["n": .int($0)]) }
        try await notes.insert(documents[0])
        try await notes.save(Array(documents[1...]))
        #expect(try await notes.count() == 100)
        #expect(try await notes.fetch(id: documents[7].id) == documents[7])
        #expect(try await notes.fetch(ids: [documents[9].id, documents[3].id]) == [documents[9], documents[3]])
        #expect(try await notes.fetch("n < 10").all().count == 10)
        var count = 0
        for try await _ in notes.fetch("n < 90").stream(batchSize: 20) { count += 1 }
        #expect(count == 90)
        #expect(try await notes.delete(id: documents[7].id))
        #expect(try await notes.delete(documents[8]))
        #expect(try await notes.delete(ids: [documents[7].id, documents[9].id]) == 1)
        try await notes.rebuildIndex()
        #expect(try await notes.attributes().map(\.count) == [97])
        #expect(try await fixture.store.collectionNames() == ["notes"])
        #expect(try await notes.indexing() == .all)
        try await notes.setIndexing(.only("n"))
        #expect(try await notes.indexing() == .only("n"))
        try await notes.setIndexing(.all)
        let dates = DocumentDates(creation: "made")
        try await notes.setDates(dates)
        #expect(try await notes.dates() == dates)
        try await notes.setDates(.none)
        let place = try #require(GeoPoint(latitude: 52, longitude: 13))
        try await notes.insert(Document(["place": .geoPoint(place)]))
        #expect(try await notes.fetch().nearest(2, to: place, by: "place").map(\.distance) == [0])
        #expect(try await notes.deleteAll() == 98)
    }

    private func entryCount(_ store: ObjectStore) throws -> Int {
        try store.indexStatistics().filter { $0.model == "notes" }.reduce(0) { $0 + $1.entries }
    }
}

extension Documents where Source == ObjectStore {
    /// How many documents have a value at a path of names, each as it is.
    fileprivate func fetch(_ path: DocumentPath, equals value: Int64) throws -> Int { try fetch { $0[path] == value }.count() }
}

extension DocumentPath {
    fileprivate init(document names: String...) { self.init(names.map { .name($0) }) }
}

@Suite struct DocumentAggregateTests {
    @Test(arguments: Engine.allCases) func aggregatesGroupsAndValues(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: []) }
        let notes = fixture.store.documents("notes")
        var documents: [Document] = []
        for number in 0..<20 {
            var document: Document = ["n": .int(Int64(number)), "who": .string("name \(number % 3)"), "half": .null]
            if number % 2 == 0 { document["half"] = .double(Double(number) / 2) }
            documents.append(document)
        }
        try notes.save(documents)
        let (count, sum, least, greatest) = try notes.fetch().aggregate(.count, .sum("n", as: Int.self), .minimum("half"), .maximum("who"))
        #expect(count == 20 && sum == 190 && least == 0.0 && greatest == "name 2")
        #expect(try notes.fetch("n >= 10").aggregate(.average("n")) == 14.5)
        #expect(try notes.fetch().aggregate(.sum("half")) == .double(45))
        #expect(try notes.fetch().aggregate(.countDistinct("who")) == 3)
        #expect { try notes.fetch().aggregate(.sum("n", as: Int8.self), .count) } throws: { if case TroveError.sumOverflow("notes", "n") = $0 { true } else { false } }
        #expect { try notes.fetch().aggregate(.sum("n", as: Int8.self)) } throws: { if case TroveError.sumOverflow("notes", "n") = $0 { true } else { false } }
        #expect { try notes.fetch().aggregate(.sum("who")) } throws: { if case TroveError.incomparable = $0 { true } else { false } }
        let groups = try notes.fetch("n < 10").grouped(by: "who").aggregate(.count, .maximum("n"))
        #expect(groups.map(\.key) == [["name 0"], ["name 1"], ["name 2"]])
        #expect(groups.map(\.values.0) == [4, 3, 3])
        #expect(groups.map(\.values.1) == [9, 7, 8])
        #expect(try notes.fetch("n < 4").distinct("half") == [.null, 0.0, 1.0])
        #expect(try notes.fetch("n in (3, 4)").sorted(by: "n", .descending).values(at: "n", "half", "nowhere") == [[4, 2.0, .null], [3, .null, .null]])
    }
}
