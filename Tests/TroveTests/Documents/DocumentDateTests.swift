import Foundation
import TestSupport
import Testing
import TroveMemory

@testable import TestModels
@testable import Trove

@Suite struct DocumentDateTests {
    @Test(arguments: Engine.allCases) func datesOfDocuments(engine: Engine) throws {
        let (fixture, clock) = try datedFixture(engine)
        let notes = fixture.store.documents("notes")
        try notes.save(["title": "before"])
        #expect(try notes.dates() == .none)
        try notes.setDates(DocumentDates())
        #expect(try notes.dates() == DocumentDates(creation: "created", modification: "modified"))
        let first = clock.now
        var note: Document = ["title": "Fjord", "author": ["name": "Ane"]]
        try notes.save(note)
        #expect(try notes.fetch(id: note.id)?.value == ["title": "Fjord", "author": ["name": "Ane"], "created": .date(first), "modified": .date(first)])

        let second = clock.advance()
        try notes.save(note)
        #expect(try notes.fetch(id: note.id)?["modified"] == .date(first), "nothing was changed")
        note["author.name"] = "Ann"
        note["created"] = "no date"
        try notes.save(note)
        var stored = try #require(try notes.fetch(id: note.id))
        #expect(stored["created"] == .date(first) && stored["modified"] == .date(second) && stored["author.name"] == "Ann")
        #expect(try notes.fetch { $0["modified"] >= second && $0["created"].isInSame(.day, as: first) }.count() == 1)
        #expect(try notes.fetch("created < ?", second).count() == 1)

        // Removing a date is no change, and brings it back.
        stored["modified"] = nil
        stored["created"] = nil
        clock.advance()
        try notes.save(stored)
        #expect(try notes.fetch(id: note.id)?["modified"] == .date(second) && notes.fetch(id: note.id)?["created"] == .date(first))
        // The one from before has no creation date that anybody knows.
        #expect(try notes.fetch { $0["title"] == "before" }.update { $0["title"] = "after" } == 1)
        let old = try #require(try notes.fetch { $0["title"] == "after" }.first())
        #expect(old["modified"] == .date(clock.now) && old["created"] == nil)
        // What has no attributes has no dates.
        let text = Document("a text")
        try notes.insert(text)
        #expect(try notes.fetch(id: text.id)?.value == "a text")
        try notes.insert([Document(["a": 1]), Document(["a": 2])])
        #expect(try notes.fetch { $0["created"] == clock.now }.count() == 2)

        // The store keeps it, also for other programs, until it is told otherwise.
        try fixture.reopenStore()
        let again = fixture.store.documents("notes")
        #expect(try again.dates() == DocumentDates())
        try again.setDates(DocumentDates(creation: "a.b", modification: nil))
        try again.save(note)
        #expect(try again.fetch(id: note.id)?[DocumentPath([.name("a.b")])] == nil && again.fetch(id: note.id)?["modified"] == nil)
        let dotted: Document = ["x": 1]
        try again.save(dotted)
        #expect(try again.fetch(id: dotted.id)?[DocumentPath([.name("a.b")])] == .date(clock.now))
        try again.setDates(.none)
        let plain: Document = ["x": 2]
        try again.save(plain)
        #expect(try again.fetch(id: plain.id)?.value == ["x": 2])
        #expect(throws: TroveError.self) { try again.setDates(DocumentDates(creation: "x", modification: "x")) }
        #expect(try again.dates() == .none)
        #expect(try fixture.store.verify().isSound)
    }

    /// A copy and JSON lines keep the dates and the setting; an import gives no dates of its own.
    @Test(arguments: Engine.allCases) func copiesKeepDates(engine: Engine) throws {
        let (fixture, clock) = try datedFixture(engine)
        let notes = fixture.store.documents("notes")
        try notes.setDates(DocumentDates(creation: "made"))
        let documents = (0..<3).map { Document(["n": .int(Int64($0))]) }
        try notes.insert(documents)
        let stored = try notes.fetch().all()
        let made = clock.now
        var lines = Data()
        try fixture.store.exportJSON(into: { lines.append(contentsOf: $0) })
        let (imported, later) = try datedFixture(engine)
        later.advance(100)
        try imported.store.importJSON(lines)
        #expect(try imported.store.documents("notes").dates() == DocumentDates(creation: "made"))
        #expect(try imported.store.documents("notes").fetch().all() == stored)
        let backend = MemoryBackend()
        try fixture.store.copy(to: backend)
        let copy = try ObjectStore(backend, models: [])
        #expect(try copy.documents("notes").dates() == DocumentDates(creation: "made"))
        #expect(try copy.documents("notes").fetch().all().allSatisfy { $0["made"] == .date(made) && $0["modified"] == .date(made) })
        try copy.close()
    }

    /// In one transaction with documents, undone with a savepoint, and in a collection that it makes.
    @Test(arguments: Engine.allCases) func settingDatesInATransaction(engine: Engine) throws {
        let (fixture, clock) = try datedFixture(engine)
        let (one, two) = (Document(["n": 1]), Document(["n": 2]))
        try fixture.store.write { transaction in
            let logs = transaction.documents("logs")
            try logs.setDates(DocumentDates(creation: "at", modification: nil))
            try logs.save(one)
            do {
                try transaction.savepoint {
                    try logs.setDates(.none)
                    throw CancellationError()
                }
            } catch is CancellationError {}
            try logs.save(two)
        }
        for document in [one, two] { #expect(try fixture.store.documents("logs").fetch(id: document.id)?["at"] == .date(clock.now)) }
        // Another store open on the same engine sees it with its next transaction.
        guard engine == .lmdb || engine == .sqlite else { return }
        let other = try ObjectStore(engine.open(fixture.directory.file()), models: [])
        defer { try? other.close() }
        try other.documents("logs").setDates(DocumentDates(creation: nil, modification: "changed"))
        let three = Document(["n": 3])
        try fixture.store.documents("logs").save(three)
        #expect(try fixture.store.documents("logs").fetch(id: three.id)?.value == ["n": 3, "changed": .date(clock.now)])
    }
}
