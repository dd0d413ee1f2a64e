import Foundation
import TestSupport
import Testing
import Trove

@testable import TestModels

/// References to documents, where they are kept and what becomes of them.
@Suite struct DocumentReferenceTests {
    @Model fileprivate struct Pin: Equatable {
        var id: Int
        var about: AnyReference?
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
        #expect(throws: TroveError.self) { try AnyReference(modelName: "notes", keyBytes: [1]).documentID(in: "notes") }
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
        #expect(again.members == [adopted[0], AnyReference(misfit, in: "to mend"), adopted[1], AnyReference(other, in: "to mend"), AnyReference(notes[2], in: "others")])
        #expect(try again.objects(of: Note.self).map(\.title) == ["note 0", "note 1"])
        #expect(try again.documents("to mend").all() == [misfit, other])
        #expect(try fixture.store.fetch(Pin.self, id: 1)?.about == AnyReference(misfit, in: "to mend"))
        #expect(try fixture.store.bags(containing: misfit, in: "to mend").map(\.id) == [bag.id])
        #expect(throws: TroveError.self) { try again.documents("notes").all() }
        #expect(try fixture.store.danglingReferences().isEmpty && fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func bagsOfDocumentsGoToOtherStores(engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = fixture.store
        let bag = Bag(named: "bag", in: store)
        bag.add(contentsOf: notes.reversed(), in: "notes")
        bag.insert(Song.sample(1), at: 1)
        bag.add(notes[0], in: "others")
        try bag.save()
        func text(_ store: ObjectStore) throws -> String {
            var bytes: [UInt8] = []
            try store.exportJSON(into: { bytes.append(contentsOf: $0) })
            return String(decoding: bytes, as: UTF8.self)
        }
        func expectBag(_ other: ObjectStore) throws {
            let found = try #require(try other.bag(named: "bag"))
            #expect(found.members == bag.members)
            #expect(try found.documents("notes").all() == notes.reversed() && found.documents("others").all() == [notes[0]])
            try other.documents("notes").delete(notes[0])
            #expect(try other.bags(containing: notes[0], in: "notes").isEmpty && other.bags(containing: notes[0], in: "others").count == 1)
            #expect(try other.verify().isSound)
        }
        let exported = try text(store)
        let imported = try self.fixture(engine == .memory ? .sqlite : .memory)
        try imported.store.importJSON(Data(exported.utf8))
        #expect(try text(imported.store) == exported)
        try expectBag(imported.store)
        let backend = MemoryBackend(name: fixture.directory.file("copy"))
        try store.copy(to: backend)
        let copy = try ObjectStore(backend, models: Pin.self, Song.self)
        try expectBag(copy)
        try copy.close()
        #expect(try text(store) == exported)
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
