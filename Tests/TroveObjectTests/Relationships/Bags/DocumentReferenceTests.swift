import Foundation
import TestSupport
import Testing
import TroveTesting

@testable import TestModels
@testable import Trove

/// References to documents, where they are kept and what becomes of them.
@Suite struct DocumentReferenceTests {
    @Model fileprivate struct Pin: Equatable {
        var id: Int
        var about: AnyReference?
    }

    /// References in each shape, and some that would have the document's deletion delete it, or deny that.
    @Model fileprivate struct Board: Equatable {
        var id: Int
        var pinned: Set<AnyReference> = []
        var order: [AnyReference] = []
        var corners: [String: AnyReference] = [:]
        @Relationship(whenTargetDeleted: .cascade) var owner: AnyReference?
        @Relationship(whenTargetDeleted: .deny) var kept: AnyReference?
    }

    @Model("notes") fileprivate struct Note: Equatable {
        var id = ObjectID()
        var title: String
        var rating: Int
    }

    private let notes = (0..<4).map { Document(["title": .string("note \($0)"), "rating": .int(Int64($0))]) }

    private func fixture(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Pin.self, Song.self) }
    }

    @Test func aReferenceNamesCollectionAndID() throws {
        let note = notes[0]
        let reference = AnyReference(note, in: "notes")
        #expect(reference == AnyReference(collection: "notes", id: note.id) && reference != AnyReference(note, in: "others"))
        #expect(try reference.documentID(in: "notes") == note.id && reference.documentID(in: "others") == nil)
        #expect { try AnyReference(modelName: "notes", keyBytes: [1]).documentID(in: "notes") } throws: { error in
            if case TroveError.corruptKey = error { true } else { false }
        }
    }

    @Test(arguments: Engine.allCases) func aPropertyPointsAtADocument(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let target = AnyReference(notes[0], in: "notes")
        try store.documents("notes").save(notes)
        try store.save([Pin(id: 1, about: target), Pin(id: 2, about: AnyReference(notes[1], in: "notes"))])
        #expect(try store.referencing(target).map(\.reference) == [AnyReference(Pin.self, id: 1)])
        #expect(try store.fetch(references: [target]).first as? Document == notes[0])
        try store.documents("notes").delete(notes[0])
        #expect(try store.fetch(Pin.self).all() == [Pin(id: 1, about: nil), Pin(id: 2, about: AnyReference(notes[1], in: "notes"))])
        #expect(try store.danglingReferences().isEmpty && store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func aValueOfADocumentIsAReference(engine: Engine) throws {
        let fixture = try fixture(engine)
        let collection = fixture.store.documents("notes")
        let song = Song.sample(1)
        var (first, second) = (notes[0], notes[1])
        try first.set("about", to: AnyReference(song))
        try second.set("deep.links", to: [AnyReference(Song.sample(2)), AnyReference(song), AnyReference(first, in: "notes")])
        try collection.save([first, second, notes[2]])
        #expect(try collection.fetch { $0["about"] == AnyReference(song) }.all() == [first])
        #expect(try collection.fetch { $0["deep.links"].contains(AnyReference(first, in: "notes")) }.all() == [second])
        #expect(try collection.fetch { $0.anywhere.contains(AnyReference(song)) }.ids() == [first.id, second.id].sorted())
        #expect(try collection.fetch { $0.anywhere.contains(AnyReference(Song.sample(3))) }.count() == 0)
        #expect(try collection.fetch(id: first.id)?.value(at: "about", as: AnyReference.self) == AnyReference(song))
    }

    /// A type of the collection's documents leaves what points at them; what does not fit and is moved is pointed at where it is then.
    @Test(arguments: Engine.allCases) func adoptionLeavesMembers(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let (misfit, other): (Document, Document) = (["title": "no rating"], ["rating": 5])
        let bag = Bag(named: "bag", in: store)
        bag.add(contentsOf: [notes[0], misfit, notes[1], other], in: "notes")
        bag.add(notes[2], in: "others")
        try bag.save()
        try store.save(Pin(id: 1, about: AnyReference(misfit, in: "notes")))
        let report = try store.adopt(Note.self, from: "notes", misfits: .move(to: "to mend"))
        #expect(report.isAdopted && report.misfitCount == 2)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Pin.self, Song.self, Note.self) }
        let again = try #require(try fixture.store.bag(named: "bag"))
        let adopted = notes[..<2].map { AnyReference(Note.self, id: $0.id) }
        let moved = [misfit, other].map { AnyReference($0, in: "to mend") }
        #expect(again.members == [adopted[0], moved[0], adopted[1], moved[1], AnyReference(notes[2], in: "others")])
        #expect(try again.objects(of: Note.self).map(\.title) == ["note 0", "note 1"])
        #expect(try again.documents("to mend").all() == [misfit, other])
        #expect(try fixture.store.fetch(Pin.self, id: 1)?.about == AnyReference(misfit, in: "to mend"))
        #expect(try fixture.store.bags(containing: misfit, in: "to mend").map(\.id) == [bag.id])
        #expect(refusal { _ = try again.documents("notes").all() } == "no collection notes")
        #expect(try fixture.store.danglingReferences().isEmpty && fixture.store.verify().isSound)
    }

    /// A record may point at several of the documents that are moved, and their deletion in the old collection concerns none.
    @Test(arguments: Engine.allCases) func adoptionRedirectsEachShape(engine: Engine) throws {
        func open(_ backend: any StorageBackend) throws -> ObjectStore { try ObjectStore(backend, durability: .relaxed, models: Board.self) }
        let fixture = try StoreFixture(engine, open)
        let store = fixture.store
        let misfits: [Document] = [["title": "no rating"], ["rating": 5], ["title": 1]]
        try store.documents("notes").save(misfits + [notes[0]])
        let (old, new) = (misfits.map { AnyReference($0, in: "notes") }, misfits.map { AnyReference($0, in: "to mend") })
        let fit = AnyReference(notes[0], in: "notes")
        // The first is pinned where it will be already.
        try store.save([
            Board(
                id: 1, pinned: [old[0], old[1], fit, new[0]], order: [old[1], fit, old[0], old[1]], corners: ["a": old[0], "b": fit, "c": old[2]],
                owner: old[0], kept: old[1]),
            Board(id: 2, pinned: [old[2]], order: [fit], corners: ["a": fit], owner: fit, kept: old[1]),
        ])
        #expect(try store.adopt(Note.self, from: "notes", misfits: .move(to: "to mend")).misfitCount == 3)
        #expect(
            try store.fetch(Board.self).all() == [
                Board(
                    id: 1, pinned: [new[0], new[1], fit], order: [new[1], fit, new[0], new[1]], corners: ["a": new[0], "b": fit, "c": new[2]],
                    owner: new[0], kept: new[1]),
                Board(id: 2, pinned: [new[2]], order: [fit], corners: ["a": fit], owner: fit, kept: new[1]),
            ])
        #expect(try store.danglingReferences().isEmpty && store.verify().isSound)
        #expect { try store.documents("to mend").delete(misfits[1]) } throws: { if case TroveError.deletionDenied = $0 { true } else { false } }
    }

    /// While the indexes of references are missing the records are looked at once for all that is moved, and not once for each.
    @Test func manyMovesAreFoundInOneScan() throws {
        let backend = CountingBackend(MemoryBackend())
        let store = try ObjectStore(backend, durability: .relaxed, models: Pin.self, Board.self)
        let moved = (0..<10).map { Document(["number": .int(Int64($0))]) }
        try store.save(moved.enumerated().map { Pin(id: $0.offset, about: AnyReference($0.element, in: "notes")) })
        try store.write { transaction in
            try transaction.restartIndexes(try transaction.indexTable.entries.map(\.number), .asked)
            func scans(_ documents: ArraySlice<Document>) throws -> Int {
                let moves = documents.map { RecordMove(old: AnyReference($0, in: "notes"), new: AnyReference($0, in: "others")) }
                return try backend.trips { try transaction.redirect(moves) }[.scan]
            }
            // What is looked up once in a transaction.
            _ = try scans(moved[..<1])
            let one = try scans(moved[1..<2])
            #expect(one > 0)
            #expect(try scans(moved[2...]) == one)
        }
        #expect(try store.fetch(Pin.self).all().map(\.about) == moved.map { AnyReference($0, in: "others") })
        try store.close()
    }

    @Test(arguments: Engine.allCases) func bagsOfDocumentsGoToOtherStores(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let bag = Bag(named: "bag", in: store)
        bag.add(contentsOf: notes.reversed(), in: "notes")
        bag.insert(Song.sample(1), at: 1)
        bag.add(notes[0], in: "others")
        try bag.save()
        func expectBag(_ other: ObjectStore) throws {
            let found = try #require(try other.bag(named: "bag"))
            #expect(found.members == bag.members)
            #expect(try found.documents("notes").all() == notes.reversed() && found.documents("others").all() == [notes[0]])
            try other.documents("notes").delete(notes[0])
            #expect(try other.bags(containing: notes[0], in: "notes").isEmpty && other.bags(containing: notes[0], in: "others").count == 1)
            #expect(try other.verify().isSound)
        }
        let exported = try store.exportedText()
        let imported = try self.fixture(engine == .memory ? .sqlite : .memory)
        try imported.store.importJSON(Data(exported.utf8))
        #expect(try imported.store.exportedText() == exported)
        try expectBag(imported.store)
        let backend = MemoryBackend(name: fixture.directory.file("copy"))
        try store.copy(to: backend)
        let copy = try ObjectStore(backend, models: Pin.self, Song.self)
        try expectBag(copy)
        try copy.close()
        #expect(try store.exportedText() == exported)
    }

    @Test(arguments: Engine.allCases) func aBagOfAContext(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Team.self, Player.self) }
        let context = ObjectContext(fixture.store)
        let bag = Bag(named: "bag", in: context)
        let team = Team(name: "one")
        bag.add(notes[0], in: "notes")
        bag.add(team)
        bag.add(notes[1], in: "notes")
        try bag.save()
        #expect(!context.hasChanges && !bag.hasUnsavedChanges)
        let found = try #require(try context.bag(named: "bag"))
        #expect(try found.objects().map { $0 is Document } == [true, false, true])
        #expect(try found.objects(of: Team.self).first === team && found.documents("notes").all() == Array(notes[..<2]))
        #expect(try found.documents("notes").fetch { $0["rating"] == 1 }.all() == [notes[1]])
        #expect(try context.bags(containing: notes[1], in: "notes").map(\.id) == [bag.id])
        // A pending change of the context is saved with the bag, or neither is.
        team.players = [Player(name: "p")]
        let other = Bag(named: "bag", in: context)
        other.add(notes[2], in: "others")
        #expect(refusal { try other.save() } == "taken bag")
        #expect(try fixture.store.collectionNames() == ["notes"] && context.hasChanges)
        other.name = "other"
        try other.save()
        #expect(try fixture.store.documents("others").fetch().all() == [notes[2]] && fixture.store.fetch(Player.self).count() == 1)
        try fixture.store.documents("notes").delete(notes[0])
        try found.refresh()
        #expect(found.members == [AnyReference(team), AnyReference(notes[1], in: "notes")])
        withExtendedLifetime(context) {}
    }
}
