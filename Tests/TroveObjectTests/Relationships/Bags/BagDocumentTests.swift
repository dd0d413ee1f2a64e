import TestSupport
import Testing
import Trove

@testable import TestModels

/// Bags that contain documents of collections beside objects.
@Suite struct BagDocumentTests {
    private let songs = (0..<3).map(Song.sample)
    private let notes = (0..<6).map { Document(["title": .string("note \($0)"), "rating": .int(Int64($0)), "id": "an attribute"]) }

    @Test(arguments: Engine.allCases) func documentsBesideObjectsInOrder(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        try store.save(songs)
        try store.documents("notes").save(notes[..<2])
        let bag = Bag(named: "mixed", in: store)
        #expect(bag.add(notes[1], in: "notes"))
        bag.add(songs[0])
        bag.add(contentsOf: notes[2..<4], in: "notes")
        bag.insert(notes[0], in: "notes", at: 1)
        bag.add(AnyReference(collection: "notes", id: notes[0].id))
        #expect(!bag.add(notes[1], in: "notes") && bag.contains(notes[3], in: "notes") && !bag.contains(notes[3], in: "others"))
        #expect((bag.count, bag.unsavedCount, bag.documents("notes").count) == (5, 5, 4))
        #expect(try bag.titles() == ["note 1", "note 0", "Title 0", "note 2", "note 3"])
        #expect(try bag.documents("notes").all() == [notes[1], notes[0], notes[2], notes[3]])
        #expect(try store.documents("notes").count() == 2)
        try bag.save()
        // What was not stored was saved with it.
        #expect(try Set(store.documents("notes").fetch().all()) == Set(notes[..<4]))
        try fixture.reopenStore()
        let again = try #require(try fixture.store.bag(named: "mixed"))
        #expect(again.members == bag.members)
        #expect(try again.titles() == ["note 1", "note 0", "Title 0", "note 2", "note 3"])
        #expect(try again.documents("notes").all() == [notes[1], notes[0], notes[2], notes[3]])
        #expect(try again.documents("others").all() == [] && again.documents("others").fetch().all() == [])
        #expect(try again.objects(of: Song.self) == [songs[0]])
        #expect(try fixture.store.fetch(references: again.members).count == 5)
        // A stored document is left as it is stored.
        var changed = notes[2]
        changed["title"] = "changed"
        again.add(changed, in: "notes")
        again.remove(notes[1], in: "notes")
        try again.save()
        #expect(try again.titles() == ["note 0", "Title 0", "note 2", "note 3"])
        again.remove(contentsOf: notes[2...], in: "notes")
        #expect(again.removedCount == 2)
        again.undo()
        #expect(again.count == 4 && !again.hasUnsavedChanges)
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func documentsOfABagAreSearched(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        let collection = store.documents("notes")
        try collection.save(notes)
        let bag = Bag(in: store)
        bag.add(contentsOf: notes[..<5], in: "notes")
        bag.add(notes[5], in: "others")
        try bag.save()
        bag.remove(notes[4], in: "notes")
        let found = bag.documents("notes")
        #expect(try found.fetch().ids() == notes[..<4].map(\.id).sorted())
        #expect(try found.fetch { $0["rating"] > 1 }.sorted(by: "rating", .descending).all() == [notes[3], notes[2]])
        #expect(try found.fetch("rating >= ? order by rating limit 1", 2).all() == [notes[2]])
        #expect(try found.fetch("rating >= :least", with: ["least": 2]).count() == 2)
        #expect(try bag.documents("others").fetch().all() == [notes[5]])
        #expect(try store.read { try $0.documents("notes").fetch(in: bag).where { $0["rating"] < 2 }.count() } == 2)
        #expect(try collection.fetch(in: bag).where { $0["rating"] == 3 }.update { $0["rating"] = 30 } == 1)
        #expect(try collection.fetch(in: bag).where { $0["rating"] == 5 }.delete() == 0)
        #expect(try collection.fetch(in: bag).where { $0["rating"] == 0 }.delete() == 1)
        try bag.save()
        #expect(try bag.documents("notes").all().map { $0["rating"] } == [1, 2, 30])
        #expect(try collection.count() == 5)
    }

    @Test(arguments: Engine.allCases) func bagsAreFoundByDocuments(engine: Engine) async throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        for number in 0..<8 {
            let bag = Bag(named: "bag \(number)", in: store)
            bag.add(contentsOf: notes.enumerated().filter { ($0.offset + number) % 3 == 0 }.map(\.element), in: number % 2 == 0 ? "notes" : "others")
            try await bag.save()
        }
        let all = try await store.bags()
        for note in notes {
            let expected = all.filter { $0.contains(note, in: "notes") }.map(\.id)
            #expect(!expected.isEmpty)
            #expect(try await store.bags(containing: note, in: "notes").map(\.id) == expected)
            #expect(try await store.bags { $0.members.contains(note, in: "notes") }.map(\.id) == expected)
            #expect(try await store.read { try $0.bags(containing: note, in: "notes").map(\.id) } == expected)
        }
        #expect(try await store.bags(containing: notes[0], in: "nowhere").isEmpty)
        let bag = try #require(all.first)
        #expect(try await bag.documents("notes").all() == [notes[0], notes[3]])
        #expect(try await bag.documents("notes").fetch { $0["rating"] == 3 }.all() == [notes[3]])
    }

    @Test(arguments: Engine.allCases) func deletedDocumentsLeaveTheirBags(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        let collection = store.documents("notes")
        let bag = Bag(named: "bag", in: store)
        bag.add(contentsOf: notes, in: "notes")
        bag.add(contentsOf: notes, in: "others")
        bag.add(songs[0])
        try bag.save()
        func left() throws -> [AnyReference] { try #require(try store.bag(named: "bag")).members }
        let rest = notes.map { AnyReference($0, in: "others") } + [AnyReference(songs[0])]
        try collection.delete(notes[0])
        #expect(try left() == notes[1...].map { AnyReference($0, in: "notes") } + rest)
        try collection.delete(ids: [notes[1].id])
        try collection.fetch { $0["rating"] == 2 }.delete()
        try store.write { transaction in
            try transaction.documents("notes").delete(id: notes[3].id)
            // An update is no deletion.
            try transaction.documents("notes").save(notes[4])
        }
        #expect(try left() == notes[4...].map { AnyReference($0, in: "notes") } + rest)
        try collection.deleteAll()
        #expect(try left() == rest)
        #expect(try bag.titles() == notes.indices.map { "note \($0)" } + ["Title 0"])
        try bag.refresh()
        #expect(bag.members == rest)
        #expect(try store.documents("others").count() == 6 && store.danglingReferences().isEmpty && store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func aBagMakesCollections(engine: Engine) async throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        try await Bag(named: "taken", in: store).save()
        let bag = Bag(named: "taken", in: store)
        bag.add(notes[0], in: "notes")
        bag.add(notes[1], in: "others")
        // Nothing of them is stored yet.
        try await bag.inflate()
        #expect(try bag.titles() == ["note 0", "note 1"])
        #expect(refusal { try bag.save() } == "taken taken")
        #expect(try await store.collectionNames() == [] && bag.unsavedCount == 2)
        try await store.write { [notes] transaction in
            #expect(refusal { try transaction.save(bag) } == "taken taken")
            #expect(try transaction.collectionNames() == [])
            try transaction.documents("notes").save(notes[2])
            bag.name = "free"
            try transaction.save(bag)
        }
        #expect(try await store.collectionNames() == ["notes", "others"] && bag.isInflated && !bag.hasUnsavedChanges)
        #expect(try await bag.documents("others").all() == [notes[1]])
        // Queued saves of one commit.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, note) in notes.enumerated() {
                let bag = Bag(named: "queued \(number)", in: store)
                bag.add(note, in: "queued")
                group.addTask { try await bag.save() }
            }
            try await group.waitForAll()
        }
        #expect(try await store.documents("queued").fetch().ids() == notes.map(\.id).sorted())
        #expect(try await store.verify().isSound)
    }

    /// A document does not tell its collection, so it was in none, also one that the bag itself had given.
    @Test(arguments: Engine.allCases) func documentsAreFoundWithoutTheirCollection(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let bag = Bag(named: "bag", in: fixture.store)
        bag.add(contentsOf: notes[0..<3], in: "notes")
        bag.add(notes[1], in: "others")
        bag.add(songs[0])
        #expect(bag.contains(notes[0]) && bag.contains(songs[0]) && !bag.contains(notes[3]) && !bag.contains(songs[1]))
        try bag.save()
        let areFound = try bag.objects().map { bag.contains($0) }
        #expect(areFound == [true, true, true, true, true])
        #expect(bag.remove(notes[1]) && !bag.remove(notes[1]) && !bag.remove(notes[3]))
        #expect(bag.count == 3 && bag.removedCount == 2 && !bag.contains(notes[1], in: "others"))
        bag.remove(contentsOf: [notes[0], songs[0], notes[4]] as [any Model])
        #expect(bag.members == [AnyReference(notes[2], in: "notes")])
    }

    @Test(arguments: Engine.allCases) func whatCannotBeAMember(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        func refusalOfSaving(_ change: (Bag) -> Void) -> String {
            let bag = Bag(in: store)
            change(bag)
            return refusal { try bag.save() }
        }
        #expect(refusalOfSaving { $0.add(AnyReference(collection: "notes", id: ObjectID())) } == "dangling notes")
        #expect(refusalOfSaving { $0.add(notes[0], in: "Song") } == "no collection Song")
        #expect(refusalOfSaving { $0.add(notes[0], in: "$bags") } == "no collection $bags")
        #expect(refusalOfSaving { $0.add(notes[0], in: "") } == "no collection ")
        // Without its collection a document is of none.
        #expect(refusalOfSaving { $0.add(notes[0]) } == "no collection Document")
        var impossible = notes[0]
        impossible["title.first"] = "x"
        #expect {
            let bag = Bag(in: store)
            bag.add(impossible, in: "notes")
            try bag.save()
        } throws: { if case TroveError.invalidDocumentPath = $0 { true } else { false } }
        #expect(try store.bags().isEmpty && store.collectionNames() == [])
        let bag = Bag(in: store)
        #expect(refusal { _ = try bag.objects(of: Document.self) } == "no collection Document")
        #expect(refusal { _ = try bag.documents("Song").fetch().all() } == "no collection Song")
        // Also where the members are objects, whose ids are no documents', and all are in memory.
        bag.add(songs[0])
        bag.add(Country(code: "no", name: "Norway"))
        try bag.save()
        for _ in 0..<2 {
            for name in ["Song", "Country", "$bags", ""] {
                #expect(refusal { _ = try bag.documents(name).all() } == "no collection \(name)")
                #expect(refusal { _ = try bag.documents(name).fetch().all() } == "no collection \(name)")
            }
            #expect(bag.documents("Country").count == 0)
            try bag.inflate()
        }
        #expect(try bag.documents("notes").all() == [] && bag.titles() == ["Title 0", "no"])
    }

    @Test(arguments: Engine.allCases) func changesOfBothAreMerged(engine: Engine) throws {
        let fixture = try BagFixture.make(engine)
        let store = fixture.store
        let one = Bag(named: "bag", in: store)
        one.add(contentsOf: notes[..<3], in: "notes")
        try one.save()
        let other = try #require(try store.bag(named: "bag"))
        one.add(notes[3], in: "notes")
        one.remove(notes[0], in: "notes")
        try other.inflate()
        other.add(notes[4], in: "notes")
        other.add(songs[0])
        try one.save()
        try other.save()
        #expect(try other.titles() == ["note 1", "note 2", "note 3", "note 4", "Title 0"])
        try one.refresh()
        #expect(one.members == other.members)
        try store.documents("notes").delete(notes[1])
        // In memory it is there until it is read again.
        #expect(try other.documents("notes").all().map(\.id) == notes[1..<5].map(\.id))
        try other.refresh()
        #expect(try other.documents("notes").all() == Array(notes[2..<5]))
    }
}
