import Foundation
import TestSupport
import Testing

@testable import TestModels
@testable import Trove

/// Documents as JSON: one by one, and with whole stores.
@Suite struct DocumentJSONTests {
    private static let text = #"{"rating":7,"tags":["sea",{"$$odd":1}],"title":"Fjord","written":{"$date":"2026-11-22T22:12:00Z"}}"#

    private static func fixture(_ engine: Engine, _ models: [any Model.Type] = []) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: models) }
    }

    @Test func aDocumentIsAText() throws {
        let document = try Document(json: Self.text)
        #expect(document["written"] == .date(Date(timeIntervalSinceReferenceDate: 817_078_320)))
        #expect(document["tags[1].$odd"] == 1)
        #expect(try document.json() == Self.text)
        #expect(try Document(json: Data(document.json(.pretty).utf8)).value == document.value)
        #expect { _ = try Document(json: #"{"a": 1, "a": 2}"#) } throws: { if case TroveError.invalidJSON = $0 { true } else { false } }
    }

    /// Collections come back as collections, whose index is kept, in stores of programs that have declared nothing.
    @Test(arguments: Engine.allCases, [JSONImportMode.allOrNothing, .inBatches]) func collectionsAreExported(engine: Engine, mode: JSONImportMode) throws {
        let source = try Self.fixture(engine)
        let notes = source.store.documents("notes")
        let note = try Document(json: Self.text, className: "Note")
        try notes.save([note, Document(.array([1, 2])), Document()])
        try source.store.documents("empty").save(Document())
        try source.store.documents("empty").deleteAll()
        let text = try source.store.exportedText()

        let target = try Self.fixture(engine == .memory ? .lmdb : .memory)
        let report = try target.store.importJSON(Data(text.utf8), mode: mode, unknownModels: .skipped)
        #expect(report.isComplete && report.unknownModels.isEmpty && report.skipped == 0, "\(report)")
        let copies = target.store.documents("notes")
        #expect(try copies.fetch(id: note.id) == note)
        #expect(try copies.fetch().all() == notes.fetch().all())
        let found = copies.fetch("rating = 7 and any tags = 'sea' and $class = 'Note'")
        #expect(try found.all() == [note])
        #expect(try found.explain().description.contains("every path"))
        #expect(try target.store.verify().isSound)
        #expect(try target.store.exportedText() == text)

        // Once more: what is there is replaced.
        try target.store.importJSON(Data(text.utf8), mode: mode)
        #expect(try copies.count() == 3)
        #expect(try target.store.exportedText() == text)
    }

    /// What is a collection here and a model there is refused, and nothing of it is stored.
    @Test(arguments: Engine.allCases) func namesOfModelsAreRefused(engine: Engine) throws {
        let source = try Self.fixture(engine)
        try source.store.documents("Song").save(Document(json: Self.text))
        let text = try source.store.exportedText()
        let target = try Self.fixture(engine, [Song.self])
        let song = Song.sample(1)
        try target.store.save(song)
        #expect(throws: TroveError.self) { try target.store.importJSON(Data(text.utf8)) }
        let report = try target.store.importJSON(Data(text.utf8), mode: .inBatches)
        #expect(report.rejectedLines == 1)
        #expect(try target.store.fetch(Song.self).all() == [song])

        let songs = try target.store.exportedText()
        let refused = try source.store.importJSON(Data(songs.utf8), mode: .inBatches)
        #expect(refused.rejectedLines == 1)
        #expect(try source.store.documents("Song").count() == 1)
        let forged = text.replacing(#""name":"$class""#, with: #""name":"$klass""#)
        let other = try Self.fixture(engine)
        #expect(try other.store.importJSON(Data(forged.utf8), mode: .inBatches).rejectedLines == 1)
        #expect(try source.store.verify().isSound)
        #expect(try target.store.verify().isSound)
    }
}
