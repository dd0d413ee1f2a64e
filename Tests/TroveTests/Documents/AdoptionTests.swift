import Foundation
import TestSupport
import Testing

@testable import Trove

/// Collections that get a Swift type.
@Suite struct AdoptionTests {
    @Model("notes") fileprivate struct Note: Equatable {
        var id = ObjectID()
        @Attribute(.indexed) var title: String
        var rating: Double?
        @Attribute(.indexed) var tags: [String] = ["none"]
        var written: Date?
        var author: Author?
        var seconds: Int = 7
        var sleeve: Lazy<Data?>
    }

    fileprivate struct Author: Codable, Hashable { var name: String }

    @Model("notes") fileprivate final class LiveNote {
        var title: String
        var rating: Double?
        init(title: String) { self.title = title }
    }

    @Model("notes") fileprivate struct KeyedNote {
        let id: Int
        var title: String
    }

    private func fixture(_ engine: Engine, _ documents: [Document]) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: []) }
        try fixture.store.documents("notes").save(documents)
        return fixture
    }

    private static let documents: [Document] = [
        ["title": "Fjord", "rating": 7, "tags": ["sea"], "written": .date(Date(timeIntervalSinceReferenceDate: 5)), "author": ["name": "Ane"], "seconds": .null, "sleeve": .data(Data([1, 2]))],
        ["title": "Reef"], ["title": "", "tags": [], "rating": .null],
    ]

    private static let expected: [Note] = [
        Note(id: documents[0].id, title: "Fjord", rating: 7, tags: ["sea"], written: Date(timeIntervalSinceReferenceDate: 5), author: Author(name: "Ane"), seconds: 7, sleeve: Lazy(Data([1, 2]))),
        Note(id: documents[1].id, title: "Reef", sleeve: Lazy(nil)), Note(id: documents[2].id, title: "", tags: [], sleeve: Lazy(nil)),
    ]

    fileprivate enum Renamed {
        @Model("notes") struct Note: Equatable {
            var id = ObjectID()
            @Attribute(.indexed, originalName: "title") var name: String?
            @Attribute(originalName: "rating") var stars: Int = 3
        }
    }

    fileprivate static let renamed: [Renamed.Note] = [
        .init(id: documents[0].id, name: "Fjord", stars: 7), .init(id: documents[1].id, name: "Reef"), .init(id: documents[2].id, name: ""),
    ]

    private func expectRenamed(_ fixture: StoreFixture) throws {
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Renamed.Note.self) }
        let store = fixture.store
        #expect(try store.fetch(Renamed.Note.self).all() == Self.renamed)
        #expect(try store.fetch(Renamed.Note.self).where { $0.name == "Fjord" }.all() == [Self.renamed[0]])
        #expect(try store.documents(of: "notes").fetch("stars = 7 and name = 'Fjord'").count() == 1)
        #expect(try store.verify().isSound)
        #expect(try store.upgrade(Renamed.Note.self) == 3)
        #expect(try store.fetch(Renamed.Note.self).all() == Self.renamed)
        #expect(try store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func aTypeAdoptsByOriginalNames(engine: Engine) throws {
        let fixture = try fixture(engine, Self.documents)
        #expect(try fixture.store.adopt(Renamed.Note.self, from: "notes", unknownProperties: .ignored).isAdopted)
        try expectRenamed(fixture)
    }

    // One of the values would be lost.
    @Test(arguments: Engine.allCases) func aDocumentHasNotBothNames(engine: Engine) throws {
        let fixture = try fixture(engine, [["title": "Fjord"], ["title": "Reef", "name": "Sound"]])
        let report = try fixture.store.adopt(Renamed.Note.self, from: "notes")
        #expect(!report.isAdopted && report.misfits.map(\.property) == ["title"])
    }

    fileprivate enum Accented {
        @Model("notes") struct Note: Equatable {
            var id = ObjectID()
            var café: String?
        }
    }

    // Swift takes both names for equal, and the value would not be read.
    @Test(arguments: Engine.allCases) func aNameInOtherScalarsIsAnother(engine: Engine) throws {
        let fixture = try fixture(engine, [["caf\u{E9}": "Strand"], ["cafe\u{301}": "Hav"]])
        let report = try fixture.store.adopt(Accented.Note.self, from: "notes")
        #expect(!report.isAdopted && report.misfits.map { Array($0.property.utf8) } == [Array("cafe\u{301}".utf8)])
    }

    @Test(arguments: Engine.allCases) func propertiesAreRenamedAfterAnAdoption(engine: Engine) throws {
        let fixture = try fixture(engine, Self.documents)
        #expect(try fixture.store.adopt(Note.self, from: "notes").isAdopted)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Note.self) }
        try expectRenamed(fixture)
    }

    // What is set goes where it is read.
    @Test(arguments: Engine.allCases) func aRenamedPropertyOfADocumentIsSet(engine: Engine) throws {
        let fixture = try fixture(engine, Self.documents)
        #expect(try fixture.store.adopt(Renamed.Note.self, from: "notes", unknownProperties: .ignored).isAdopted)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Renamed.Note.self) }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) }
        let documents = fixture.store.documents(of: "notes")
        var document = try #require(try documents.fetch(id: .objectID(Self.documents[0].id)))
        document["name"] = "Sound"
        try documents.save(document)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Renamed.Note.self) }
        #expect(try fixture.store.fetch(Renamed.Note.self, id: Self.documents[0].id) == Renamed.Note(id: Self.documents[0].id, name: "Sound", stars: 7))
        #expect(try fixture.store.fetch(Renamed.Note.self).where { $0.name == "Sound" }.count() == 1)
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func documentsAreObjectsFromThenOn(engine: Engine) throws {
        let fixture = try fixture(engine, Self.documents)
        try fixture.store.documents("notes").createIndex("by title", on: "title")
        let before = try fixture.store.write { try $0.storedRecord(of: "notes", key: Self.documents[0].id.keyBytes) }
        let report = try fixture.store.adopt(Note.self, from: "notes")
        #expect(report == AdoptionReport(isAdopted: true, fitting: 3, misfitCount: 0, misfits: []))
        #expect(try fixture.store.write { try $0.storedRecord(of: "notes", key: Self.documents[0].id.keyBytes) } == before, "nothing is rewritten")
        #expect(try fixture.store.collectionNames() == [])
        #expect(throws: TroveError.self) { try fixture.store.documents("notes").count() }
        #expect(try fixture.store.verify().isSound)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Note.self) }
        let store = fixture.store
        #expect(try store.fetch(Note.self).sorted(by: \.id).all().map(\.title) == Self.expected.map(\.title))
        for note in Self.expected {
            let found = try #require(try store.fetch(Note.self, id: note.id))
            #expect(try found.sleeve.load() == note.sleeve.load())
            #expect(found == note)
        }
        #expect(try store.fetch(Note.self).where { $0.title == "Reef" && $0.tags.contains("none") }.ids() == [Self.documents[1].id])
        #expect(try store.fetch(Note.self).where { $0.author.name == "Ane" }.count() == 1)
        try store.fetch(Note.self).where { $0.title == "Reef" }.update { $0.rating = 1 }
        #expect(try store.verify().isSound)
        #expect(try store.upgrade(Note.self) == 2)
        #expect(try store.verify().isSound)
        #expect(try store.fetch(Note.self, id: Self.documents[0].id) == Self.expected[0])
        // Another program sees a model like others.
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) }
        #expect(try fixture.store.documents(of: "notes").fetch("rating = 1").count() == 1)
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func liveObjectsToo(engine: Engine) throws {
        let fixture = try fixture(engine, [["title": "Fjord", "rating": 7], ["title": "Reef"]])
        #expect(try fixture.store.adopt(LiveNote.self, from: "notes").isAdopted)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: LiveNote.self) }
        let context = ObjectContext(fixture.store)
        let notes = try context.fetch(LiveNote.self).sorted(by: \.title).all()
        #expect(notes.map(\.rating) == [7, nil])
        notes[1].rating = 2
        try context.save()
        #expect(try fixture.store.verify().isSound)
        #expect(try fixture.store.fetch(LiveNote.self).where { $0.rating > 1 }.count() == 2)
    }

    @Test(arguments: Engine.allCases) func whatDoesNotFitIsReported(engine: Engine) throws {
        let misfits: [Document] = [["rating": 1], ["title": 5], ["title": "x", "mood": "blue"], Document(.array([1]))]
        let fixture = try fixture(engine, Self.documents + misfits)
        let store = fixture.store
        let contents = try store.documents("notes").fetch().all()
        let report = try store.adopt(Note.self, from: "notes")
        #expect(!report.isAdopted && report.fitting == 3 && report.misfitCount == 4)
        #expect(report.misfits.map(\.id) == misfits.map(\.id))
        #expect(report.misfits.map(\.property) == ["title", "title", "mood", "$"])
        #expect(report.misfits.allSatisfy { !$0.reason.isEmpty })
        #expect(try store.documents("notes").fetch().all() == contents, "nothing is changed")
        #expect(try store.adopt(Note.self, from: "notes", unknownProperties: .ignored).misfitCount == 3)
        let moved = try store.adopt(Note.self, from: "notes", misfits: .move(to: "to mend"))
        #expect(moved.isAdopted && moved.fitting == 3 && moved.misfitCount == 4)
        #expect(try store.documents("to mend").fetch(ids: misfits.map(\.id)) == misfits)
        #expect(try store.verify().isSound)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Note.self) }
        #expect(try fixture.store.fetch(Note.self).count() == 3)
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func whatCannotBeAdopted(engine: Engine) throws {
        let fixture = try fixture(engine, Self.documents)
        let store = fixture.store
        #expect { try store.adopt(Note.self, from: "none") } throws: { if case TroveError.invalidCollection("none", _) = $0 { true } else { false } }
        try store.documents("other").save(["a": 1])
        #expect { try store.adopt(Note.self, from: "other") } throws: { if case TroveError.invalidModel("notes", _) = $0 { true } else { false } }
        #expect { try store.adopt(KeyedNote.self, from: "notes") } throws: { if case TroveError.idTypeChanged("notes", _, _) = $0 { true } else { false } }
        #expect { try store.adopt(Note.self, from: "notes", misfits: .move(to: "notes")) } throws: { if case TroveError.invalidCollection("notes", _) = $0 { true } else { false } }
    }

    @Test(arguments: Engine.allCases) func tasksAdoptToo(engine: Engine) async throws {
        let fixture = try fixture(engine, Self.documents)
        #expect(try await fixture.store.adopt(Note.self, from: "notes").isAdopted)
    }
}
