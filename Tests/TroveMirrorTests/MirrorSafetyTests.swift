import Foundation
import TestSupport
import Testing
import Trove
import TroveCrypto

@testable import TroveMirror

/// What is never lost, on either side.
@Suite struct MirrorSafetyTests {
    /// Names that look as those of versions that lost.
    @Test(arguments: Engine.allCases) func namesOfConflicts(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        let ids = ["a.conflict", "a.conflict.json", "a.conflict-2", "a.conflict-2.b", ".conflict", "conflict", "a.Conflict", "a.conflicts", "a"]
        try fixture.store.save(ids.map { Poem(id: $0, title: $0) })
        for id in ids { try fixture.store.setBlob(Data(id.utf8), named: id) }
        #expect(try fixture.mirror.synchronize().written.count == 2 * ids.count)
        for path in try fixture.paths() where path.hasSuffix(".json") && path.hasPrefix("Poem/") { try fixture.edit(path, "\"title\": \"", "\"title\": \"new ") }
        let report = try fixture.mirror.synchronize()
        #expect(report.saved.count == ids.count && report.deleted.isEmpty && report.problems.isEmpty && report.conflicts.isEmpty, "\(report)")
        #expect(try fixture.mirror.synchronize().isUnchanged)
        #expect(try fixture.store.fetch(Poem.self).count() == ids.count && fixture.store.blobNames().count == ids.count)
    }

    @Test func textsOfNames() {
        for text in ["a", "Photo.JPG", "é", "e\u{301}", "a b", "%", "~", "a~0123456789abcdef", ".conflict", "con"] {
            #expect(FileName.text(of: FileName.of(text)).map { $0.utf8.elementsEqual(text.utf8) } == true, "\(text)")
        }
        #expect(FileName.text(of: FileName.of(String(repeating: "x", count: 400))) == nil, "what was cut cannot be told")
        #expect(FileName.text(of: "Photo.JPG") == "Photo.JPG" && FileName.text(of: "100%.jpg") == nil && FileName.text(of: "x~0123456789abcdef") == nil)
        #expect(FileName.isConflict(FileName.conflictName(of: "a.json", 1)) && FileName.isConflict(FileName.conflictName(of: "cover", 12)))
        #expect(FileName.conflictName(of: "cover.jpg", 1) == "cover.conflict.jpg" && !FileName.isConflict("conflict.json"))
    }

    @Test(arguments: Engine.allCases) func severalObjectsInAFile(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.write(#"[{"$id": 1, "title": "a", "tags": []}, {"$id": 2, "title": "b", "tags": []}, {"$id": 3, "title": "c", "tags": []}]"#, "Song/mine.json")
        #expect(try fixture.mirror.synchronize().saved.count == 3)
        #expect(try fixture.paths() == ["Song/2.json", "Song/3.json", "Song/mine.json"], "each gets a file, and the first keeps the one it has")
        #expect(try fixture.mirror.synchronize().isUnchanged)
        // One whose file would have the name that another has.
        try FileManager.default.moveItem(at: fixture.url("Song/mine.json"), to: fixture.url("Song/9.json"))
        try fixture.store.save(Song(id: 9, title: "nine"))
        try fixture.mirror.synchronize()
        #expect(try fixture.paths() == ["Song/2.json", "Song/3.json", "Song/9.json", "Song/9~2.json"])
        #expect(try fixture.mirror.synchronize().isUnchanged)
        #expect(try fixture.store.fetch(Song.self).all().map(\.title) == ["a", "b", "c", "nine"])
    }

    /// An id in another form that stands for it, as a text does for a UUID, is the same id.
    @Test(arguments: Engine.allCases) func idsInOtherForms(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        let (visit, note) = (Visit(id: UUID(), place: "a"), Document(["title": "a"]))
        try fixture.store.save(visit)
        try fixture.store.documents("notes").save(note)
        try fixture.mirror.synchronize()
        let (text, path, notePath) = (visit.id.uuidString, "Visit/\(visit.id.uuidString.lowercased()).json", "notes/\(note.id).json")
        try fixture.edit(path, #"{"$uuid":"\#(text.lowercased())"}"#, "\"\(text)\"")
        try fixture.edit(notePath, #"{"$objectID":"\#(note.id)"}"#, "\"\(note.id)\"")
        let unchanged = try fixture.mirror.synchronize()
        #expect(unchanged.isUnchanged && unchanged.problems.isEmpty, "\(unchanged)")
        #expect(try fixture.store.fetch(Visit.self, id: visit.id) == visit && fixture.store.documents("notes").contains(id: note.id))
        #expect(fixture.exists(path) && fixture.exists(notePath))
        for file in [path, notePath] { try fixture.edit(file, "\"a\"", "\"edited\"") }
        let report = try fixture.mirror.synchronize()
        #expect(report.saved.count == 2 && report.deleted.isEmpty && report.conflicts.isEmpty && report.problems.isEmpty, "\(report)")
        #expect(try fixture.store.fetch(Visit.self, id: visit.id)?.place == "edited")
        #expect(try fixture.store.documents("notes").fetch(id: note.id)?["title"] == "edited")
        // So two files of one object are found, whatever form each has.
        try fixture.write(#"{"$id": "\#(text)", "place": "copy"}"#, "Visit/copy.json")
        let copy = try fixture.mirror.synchronize()
        #expect(copy.problems.map(\.file) == ["Visit/copy.json"] && copy.isUnchanged, "\(copy)")
    }

    /// A ledger that came with the directory, from whoever made it, leads to no file outside of it.
    @Test(arguments: ["../out.json", "Song/../../out.json", "/out.json", "Song/.x.json", "out.json"]) func aLedgerThatLeadsElsewhere(path: String) throws {
        var fixture = try MirrorFixture(.memory)
        try fixture.store.save(Song(id: 1, title: "a"))
        try fixture.mirror.synchronize()
        try fixture.edit(".trove-mirror/ledger.jsonl", "Song/1.json", path)
        try fixture.remove("Song/1.json")
        try fixture.store.save(Song(id: 1, title: "b"))
        try fixture.reopenMirror()
        let mirror = fixture.mirror
        #expect { try mirror.synchronize() } throws: { if case MirrorError.unreadableLedger = $0 { true } else { false } }
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.file("out.json")))
    }

    /// An editor puts the old file aside before it writes the new one.
    @Test(arguments: Engine.allCases) func aFileIsAwayForAMoment(engine: Engine) throws {
        var fixture = try MirrorFixture(engine)
        try fixture.store.save([Song(id: 1, title: "a"), Song(id: 2, title: "b")])
        try fixture.store.setBlob(Data([1]), named: "b")
        try fixture.mirror.synchronize()
        let text = try fixture.text("Song/1.json").replacing("\"a\"", with: "\"edited\"")
        try fixture.remove("Song/1.json")
        try fixture.remove("$blobs/b")
        let (file, blob) = (fixture.url("Song/1.json"), fixture.url("$blobs/b"))
        try fixture.reopenMirror {
            try? Data(text.utf8).write(to: file)
            try? Data([2]).write(to: blob)
        }
        let report = try fixture.mirror.synchronize()
        #expect(report.deleted.isEmpty, "\(report)")
        let next = try fixture.mirror.synchronize()
        #expect(next.deleted.isEmpty && next.conflicts.isEmpty)
        #expect(try fixture.store.fetch(Song.self, id: 1)?.title == "edited" && fixture.store.blob(named: "b") == Data([2]))
    }

    /// A file gets another name and a mistake: it is not gone.
    @Test(arguments: Engine.allCases) func renamedAndBroken(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save([Song(id: 7, title: "a"), Song(id: 8, title: "b")])
        try fixture.mirror.synchronize()
        let text = try fixture.text("Song/7.json")
        try fixture.remove("Song/7.json")
        try fixture.write(text + "}", "Song/so-what.json")
        for _ in 0..<2 {
            let report = try fixture.mirror.synchronize()
            #expect(report.problems.map(\.file) == ["Song/so-what.json"] && report.isUnchanged, "\(report)")
        }
        try fixture.write(text.replacing("\"a\"", with: "\"edited\""), "Song/so-what.json")
        let report = try fixture.mirror.synchronize()
        #expect(report.saved.map(\.id) == ["7"] && report.conflicts.isEmpty && report.problems.isEmpty, "\(report)")
        try fixture.remove("Song/so-what.json")
        #expect(try fixture.mirror.synchronize().deleted.map(\.id) == ["7"])
        #expect(try fixture.store.fetch(Song.self).ids() == [8])
    }

    /// An object is cut out of its file and pasted into one that has a mistake, of another model too: it is not gone.
    @Test(arguments: Engine.allCases) func pastedIntoABrokenFile(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save([Song(id: 7, title: "a"), Song(id: 8, title: "b")])
        try fixture.store.save(Line(id: 1, text: "line"))
        try fixture.mirror.synchronize()
        let texts = try ["Song/7.json", "Line/1.json"].map { try fixture.text($0) }
        try fixture.remove("Song/7.json")
        try fixture.write("[\(texts[1]), \(texts[0])] oh", "Line/1.json")
        for _ in 0..<2 {
            let report = try fixture.mirror.synchronize()
            #expect(report.problems.map(\.file) == ["Line/1.json"] && report.isUnchanged, "\(report)")
        }
        #expect(!fixture.exists("Song/7.json"), "it stands in the other file")
        try fixture.edit("Line/1.json", " oh", "")
        let report = try fixture.mirror.synchronize()
        #expect(report.deleted.isEmpty && report.problems.isEmpty && report.conflicts.isEmpty, "\(report)")
        #expect(try fixture.store.fetch(Song.self).ids() == [7, 8])
        #expect(try fixture.mirror.synchronize().isUnchanged)
    }

    /// A file gets another name and a change that the store refuses; when that is mended, what the file said before is still known.
    @Test(arguments: Engine.allCases) func renamedAndRefused(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save([Poem(id: "a", title: "A"), Poem(id: "b", title: "B")])
        try fixture.mirror.synchronize()
        let text = try fixture.text("Poem/a.json")
        try fixture.remove("Poem/a.json")
        try fixture.write(text.replacing("\"A\"", with: "\"B\""), "Poem/renamed.json")
        for _ in 0..<2 {
            let refused = try fixture.mirror.synchronize()
            #expect(refused.problems.map(\.file) == ["Poem/renamed.json"] && refused.deleted.isEmpty && refused.written.isEmpty, "\(refused)")
        }
        try fixture.edit("Poem/renamed.json", "\"B\"", "\"C\"")
        let report = try fixture.mirror.synchronize()
        #expect(report.problems.isEmpty && report.conflicts.isEmpty && report.saved.map(\.id) == ["\"a\""], "\(report)")
        #expect(try fixture.store.fetch(Poem.self).all().map(\.title) == ["C", "B"])
        #expect(try fixture.mirror.synchronize().isUnchanged)
    }

    /// A run that is broken off after it stored an object without an id, and before its file got the id.
    @Test(arguments: Engine.allCases) func anObjectWithoutAnIDIsStoredOnce(engine: Engine) throws {
        var fixture = try MirrorFixture(engine)
        let notes = fixture.store.documents("notes")
        try fixture.write(#"[{"title": "draft", "a": null}, {"title": "other"}]"#, "notes/draft.json")
        let kept = URL(filePath: fixture.folder.file("kept"))
        try FileManager.default.linkItem(at: fixture.url("notes/draft.json"), to: kept)
        #expect(try fixture.mirror.synchronize().saved.count == 2 && !fixture.exists("notes/draft.json"))
        let stored = try notes.fetch().all()
        #expect(stored.count == 2 && stored.contains { $0.value == .object(["title": "draft", "a": .null]) }, "a null of a document is a value")
        #expect(abs(stored[0].id.creationDate.timeIntervalSinceNow) < 3600)
        try FileManager.default.linkItem(at: kept, to: fixture.url("notes/draft.json"))
        try fixture.remove(".trove-mirror/ledger.jsonl")
        try fixture.reopenMirror()
        #expect(try fixture.mirror.synchronize().problems.isEmpty)
        #expect(try notes.fetch().count() == 2 && !fixture.exists("notes/draft.json"))
        // The same text in another file is another object.
        try fixture.write(#"{"title": "other"}"#, "notes/draft.json")
        try fixture.mirror.synchronize()
        #expect(try notes.fetch().count() == 3)
    }

    /// A file without an id whose properties are the id of an object that there is.
    @Test(arguments: Engine.allCases) func propertiesThatAreAnID(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save([City(country: "ch", name: "Basel", size: 3, rivers: ["Rhine"]), City(country: "ch", name: "Bern", size: 2, rivers: ["Aare"])])
        try fixture.mirror.synchronize()
        try fixture.write(#"{"country": "ch", "name": "Basel", "size": 9, "rivers": ["Rhine"]}"#, "City/new.json")
        try fixture.write(#"{"country": "ch", "name": "Bern", "size": 2, "rivers": ["Aare"]}"#, "City/same.json")
        try fixture.write(#"{"country": "ch", "name": "Chur", "size": 1, "rivers": []}"#, "City/third.json")
        let report = try fixture.mirror.synchronize()
        #expect(report.problems.isEmpty && report.saved.count == 1 && report.deleted.isEmpty, "\(report)")
        #expect(report.conflicts.map(\.properties) == [["size"]] && report.conflicts.map(\.file) == ["City/new.conflict.json"], "\(report)")
        #expect(try fixture.text("City/new.conflict.json").contains("9"))
        #expect(try fixture.store.fetch(City.self).all().map { "\($0.name) \($0.size ?? 0)" }.sorted() == ["Basel 3", "Bern 2", "Chur 1"])
        #expect(["new", "same", "third"].allSatisfy { !fixture.exists("City/\($0).json") })
        #expect(try fixture.mirror.synchronize().isUnchanged)
        // A file that lost its id is the one that was known: its change is taken.
        let path = try #require(try fixture.paths().first { try fixture.text($0).contains("Bern") })
        try fixture.remove(path)
        try fixture.write(#"{"country": "ch", "name": "Bern", "size": 5, "rivers": ["Aare"]}"#, "City/again.json")
        let again = try fixture.mirror.synchronize()
        #expect(again.problems.isEmpty && again.conflicts.isEmpty && again.deleted.isEmpty && again.saved.count == 1, "\(again)")
        #expect(try fixture.store.fetch(City.self).all().map { "\($0.name) \($0.size ?? 0)" }.sorted() == ["Basel 3", "Bern 5", "Chur 1"])
        #expect(try fixture.mirror.synchronize().isUnchanged && fixture.store.verify().isSound)
    }

    /// What both sides deleted is forgotten.
    @Test(arguments: Engine.allCases) func deletedOnBothSides(engine: Engine) throws {
        var fixture = try MirrorFixture(engine)
        try fixture.store.save([Song(id: 7, title: "a"), Song(id: 8, title: "b")])
        try fixture.mirror.synchronize()
        try fixture.store.delete(Song.self, id: 7)
        try fixture.remove("Song/7.json")
        #expect(try fixture.mirror.synchronize().isUnchanged)
        try fixture.reopenMirror()
        try fixture.store.save(Song(id: 7, title: "a"))
        let report = try fixture.mirror.synchronize()
        #expect(report.deleted.isEmpty && report.written == ["Song/7.json"], "\(report)")
    }

    /// Another directory is there, as under the place of a disk that is not mounted.
    @Test(arguments: Engine.allCases) func theDirectoryIsNotMounted(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save([Song(id: 7, title: "a"), Song(id: 8, title: "b")])
        try fixture.store.setBlob(Data([1]), named: "b")
        try fixture.mirror.synchronize()
        try FileManager.default.moveItem(at: fixture.mirror.directory, to: URL(filePath: fixture.folder.file("elsewhere")))
        try FileManager.default.createDirectory(at: fixture.mirror.directory.appending(path: ".trove-mirror"), withIntermediateDirectories: true)
        #expect(try fixture.mirror.synchronize().deleted.isEmpty)
        #expect(try fixture.store.fetch(Song.self).count() == 2 && fixture.store.blobNames() == ["b"])
    }

    /// Of a file and its copy with the same id, the copy is the one too many.
    @Test(arguments: Engine.allCases) func copiesOfFiles(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save(Song(id: 7, title: "a"))
        try fixture.mirror.synchronize()
        try fixture.write(fixture.text("Song/7.json").replacing("\"a\"", with: "\"copy\""), "Song/10.json")
        let report = try fixture.mirror.synchronize()
        #expect(report.problems.map(\.file) == ["Song/10.json"] && report.isUnchanged, "\(report)")
        // When both are edited nobody knows.
        try fixture.edit("Song/7.json", "\"a\"", "\"b\"")
        #expect(try fixture.mirror.synchronize().problems.map(\.file) == ["Song/10.json", "Song/7.json"])
        #expect(try fixture.store.fetch(Song.self).all() == [Song(id: 7, title: "a")])
        try fixture.remove("Song/10.json")
        #expect(try fixture.mirror.synchronize().saved.map(\.id) == ["7"])
    }

    private final class Refusing: StoreDelegate {
        struct NotToday: Error {}
        func willChange(_ change: ObjectChange) throws { if change.reference == AnyReference(Reference<Song>(id: 2)) { throw NotToday() } }
    }

    /// An error of the application's own refuses one file, not all.
    @Test(arguments: Engine.allCases) func theDelegateRefuses(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save((1...3).map { Song(id: $0, title: "t\($0)") })
        try fixture.mirror.synchronize()
        let delegate = Refusing()
        fixture.store.delegate = delegate
        // The store holds its delegate weakly.
        try withExtendedLifetime(delegate) {
            for id in 1...3 { try fixture.edit("Song/\(id).json", ": \"t", ": \"new ") }
            let report = try fixture.mirror.synchronize()
            #expect(report.problems.map(\.file) == ["Song/2.json"] && report.saved.map(\.id) == ["1", "3"], "\(report)")
            try fixture.remove("Song/2.json")
            #expect(try fixture.mirror.synchronize().problems.map(\.file) == ["Song/2.json"], "nor is it deleted")
        }
        #expect(try fixture.store.fetch(Song.self).all().map(\.title) == ["new 1", "t2", "new 3"])
    }

    @Model struct Patient: Equatable {
        var id: Int
        @Attribute(.encrypted) var diagnosis: String
    }

    /// A model that is left out takes nothing from files, and loses nothing by them.
    @Test(arguments: Engine.allCases) func filesOfEncryptedModels(engine: Engine) throws {
        let keys = FieldKeys(.raw([UInt8](repeating: 5, count: 32)))
        let base = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, fieldKeys: keys, models: Patient.self) }
        let folder = try TemporaryDirectory()
        let mirror = try StoreMirror(base.store, at: URL(filePath: folder.file("mirror")))
        try base.store.save(Patient(id: 1, diagnosis: "flu"))
        try FileManager.default.createDirectory(at: mirror.directory.appending(path: "Patient"), withIntermediateDirectories: true)
        let file = mirror.directory.appending(path: "Patient/1.json")
        try Data(#"{"$id": 1, "diagnosis": "none"}"#.utf8).write(to: file)
        let report = try mirror.synchronize()
        #expect(report.problems.map(\.file) == ["Patient/1.json"] && report.leftOut == ["Patient"] && report.isUnchanged, "\(report)")
        try FileManager.default.removeItem(at: file)
        #expect(try mirror.synchronize().isUnchanged)
        #expect(try base.store.fetch(Patient.self, id: 1)?.diagnosis == "flu")
    }

    /// One file changes a relationship, another something else of the object at its other end.
    @Test(arguments: Engine.allCases) func theOtherEndIsKept(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save([Shelf(id: "a"), Shelf(id: "b")])
        try fixture.store.save([Book(id: 1, title: "one", shelf: Reference(id: "a")), Book(id: 2, title: "two")])
        try fixture.mirror.synchronize()
        try fixture.edit("Book/1.json", "\"one\"", "\"uno\"")
        try fixture.edit("Book/2.json", "\"two\"", "\"due\"")
        var shelf = try WrittenObject.all(json: fixture.text("Shelf/a.json"))[0]
        shelf.value = .object(["note": "", "books": [2]])
        try fixture.write(WrittenObject.text([shelf], .pretty), "Shelf/a.json")
        try fixture.edit("Shelf/b.json", "\"note\": \"\"", "\"note\": \"new\"")
        let report = try fixture.mirror.synchronize()
        #expect(report.problems.isEmpty && report.conflicts.isEmpty, "\(report)")
        #expect(try fixture.store.fetch(Book.self).all() == [Book(id: 1, title: "uno"), Book(id: 2, title: "due", shelf: Reference(id: "a"))])
        #expect(try fixture.store.fetch(Shelf.self, id: "a")?.books.map(\.id) == [2])
        #expect(try fixture.mirror.synchronize().isUnchanged && fixture.store.verify().isSound)
    }

    /// An object goes from one file to another, and the run ends between the two, or before it is written down.
    @Test(arguments: Engine.allCases) func brokenOffBetweenTwoFiles(engine: Engine) throws {
        for kept in ["Poem/a.json", "Poem/b.json", "both", "merged"] {
            var fixture = try MirrorFixture(engine)
            try fixture.store.save((1...3).map { Line(id: $0, text: "line \($0)") })
            try fixture.store.save([Poem(id: "a", title: "A", lines: [Reference(id: 1), Reference(id: 2)]), Poem(id: "b", title: "B", lines: [Reference(id: 3)])])
            try fixture.mirror.synchronize()
            let old = try ["Poem/a.json", "Poem/b.json", ".trove-mirror/ledger.jsonl"].map { ($0, try fixture.text($0)) }
            if kept == "merged" {
                // A line that stood alone gets an owner; its own file is still there.
                try fixture.store.save(Line(id: 4, text: "line 4"))
                try fixture.mirror.synchronize()
            }
            let ledger = try fixture.text(".trove-mirror/ledger.jsonl")
            let alone = kept == "merged" ? try fixture.text("Line/4.json") : nil
            try fixture.store.write { transaction in
                try transaction.save(Poem(id: "a", title: "A", lines: [Reference(id: 1)]))
                try transaction.save(Poem(id: "b", title: "B", lines: [Reference(id: 3), Reference(id: kept == "merged" ? 4 : 2)]))
            }
            let lines = try fixture.store.fetch(Line.self).all()
            try fixture.mirror.synchronize()
            if let alone { try fixture.write(alone, "Line/4.json") }
            for (path, text) in old.prefix(2) where path != kept && kept != "both" && kept != "merged" { try fixture.write(text, path) }
            try fixture.write(ledger, ".trove-mirror/ledger.jsonl")
            try fixture.reopenMirror()
            let state = try fixture.mirror.synchronize()
            #expect(state.problems.isEmpty && state.conflicts.isEmpty && state.deleted.isEmpty, "\(kept): \(state)")
            #expect(try fixture.store.fetch(Line.self).all() == lines, "\(kept)")
            #expect(try fixture.text("Poem/b.json").contains(kept == "merged" ? "line 4" : "line 2") && !fixture.text("Poem/a.json").contains("line 2"))
            #expect(!fixture.exists("Line/4.json"))
        }
    }

    /// What is kept of the store is old as soon as anybody commits.
    @Test(arguments: Engine.allCases) func contentsAreFresh(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        let side = StoreSide(fixture.store)
        for number in 0..<20 {
            try fixture.store.save(Song(id: number, title: "t"))
            #expect(try side.contents().files.count == number + 1)
        }
        try fixture.store.documents("notes").save(["a": 1])
        #expect(try side.contents().files.count == 21)
    }
}
