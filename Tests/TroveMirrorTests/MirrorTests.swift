import Foundation
import TestSupport
import Testing
import Trove

@testable import TroveMirror

@Suite struct MirrorTests {
    @Test(arguments: Engine.allCases) func filesAreReadable(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save([Song(id: 7, title: "So \"What\"", year: 1959, tags: ["modal", "é"]), Song(id: 8, title: "Blue")])
        let first = try fixture.mirror.synchronize()
        #expect(first.written == ["Song/7.json", "Song/8.json"] && first.problems.isEmpty)
        #expect(
            try fixture.text("Song/7.json") == """
                {
                  "$model": "Song",
                  "$id": 7,
                  "tags": [
                    "modal",
                    "é"
                  ],
                  "title": "So \\"What\\"",
                  "year": 1959
                }

                """)
        #expect(try fixture.mirror.synchronize().isUnchanged)
        let before = try fixture.text("Song/7.json").split(separator: "\n")
        try fixture.store.save(Song(id: 7, title: "So What", year: 1959, tags: ["modal", "é"]))
        #expect(try fixture.mirror.synchronize().written == ["Song/7.json"])
        let after = try fixture.text("Song/7.json").split(separator: "\n")
        #expect(before.count == after.count && zip(before, after).count { $0 != $1 } == 1, "one changed property is one changed line")
        try fixture.store.delete(Song.self, id: 8)
        #expect(try fixture.mirror.synchronize().removed == ["Song/8.json"])
        #expect(try fixture.paths() == ["Song/7.json"])
    }

    @Test(arguments: Engine.allCases) func filesAreEdited(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        let notes = fixture.store.documents("notes")
        var note: Document = ["title": "Fjord", "author": ["name": "Ane"]]
        note.className = "Note"
        try notes.save(note)
        let list = Document(.array([.int(1)]))
        try notes.save(list)
        try fixture.store.save((0..<5).map { Song(id: $0, title: "song \($0)") })
        try fixture.mirror.synchronize()
        #expect(try fixture.text("notes/\(note.id).json").contains(#""$class": "Note""#) && fixture.text("notes/\(list.id).json").contains(#""$value""#))

        try fixture.edit("Song/1.json", "song 1", "edited")
        try fixture.edit("Song/2.json", "\n  \"tags\": [],", "\n\n    \"tags\" : [ ]\n,")
        try fixture.edit("notes/\(note.id).json", "Ane", "Ann")
        try fixture.edit("notes/\(list.id).json", "    1\n", "    2.5\n")
        try fixture.write(#"{"$id": 77, "title": "new", "tags": []}"#, "Song/new.json")
        try fixture.write(#"{"title": "without an id"}"#, "notes/draft.json")
        try fixture.remove("Song/3.json")
        try FileManager.default.moveItem(at: fixture.url("Song/4.json"), to: fixture.url("Song/four.json"))
        let report = try fixture.mirror.synchronize()
        #expect(report.problems.isEmpty && report.conflicts.isEmpty, "\(report)")
        #expect(report.deleted == [.init(model: "Song", id: "3")])
        #expect(report.saved.count == 5, "\(report)")
        #expect(try fixture.store.fetch(Song.self).all().map { "\($0.id) \($0.title)" } == ["0 song 0", "1 edited", "2 song 2", "4 song 4", "77 new"])
        #expect(try notes.fetch(id: note.id)?["author.name"] == "Ann" && notes.fetch(id: note.id)?.className == "Note")
        #expect(try notes.fetch(id: list.id)?.value == .array([.double(2.5)]))
        let draft = try #require(try notes.fetch("title = 'without an id'").first())
        #expect(try fixture.text("notes/\(draft.id).json").contains("without an id") && !fixture.exists("notes/draft.json"), "it gets the name of its id")
        #expect(try fixture.text("Song/2.json").contains("\"tags\" : [ ]\n,"), "what says the same stays as it was written")
        #expect(fixture.exists("Song/four.json") && !fixture.exists("Song/4.json") && fixture.exists("Song/new.json"), "who has a file keeps its name")
        #expect(try fixture.mirror.synchronize().isUnchanged)
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func bothSides(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save((0..<6).map { Song(id: $0, title: "t\($0)", year: 1950 + $0) })
        try fixture.mirror.synchronize()
        // Different properties are merged.
        try fixture.store.save(Song(id: 0, title: "store", year: 1950))
        try fixture.edit("Song/0.json", "1950", "1960")
        // The same property, to different values and to the same one.
        try fixture.store.save(Song(id: 1, title: "store", year: 1))
        try fixture.edit("Song/1.json", "t1", "file")
        try fixture.store.save(Song(id: 2, title: "same", year: 1952))
        try fixture.edit("Song/2.json", "t2", "same")
        // Deleted on one side, changed on the other.
        try fixture.store.delete(Song.self, id: 3)
        try fixture.edit("Song/3.json", "t3", "file")
        try fixture.store.save(Song(id: 4, title: "store", year: 1954))
        try fixture.remove("Song/4.json")
        try fixture.store.delete(Song.self, id: 5)
        try fixture.remove("Song/5.json")
        let report = try fixture.mirror.synchronize()
        #expect(try fixture.store.fetch(Song.self).all().map { "\($0.id) \($0.title) \($0.year ?? 0)" } == ["0 store 1960", "1 store 1", "2 same 1952", "4 store 1954"])
        #expect(report.conflicts == [
            .init(object: .init(model: "Song", id: "1"), properties: ["title"], file: "Song/1.conflict.json"),
            .init(object: .init(model: "Song", id: "3"), properties: [], file: "Song/3.conflict.json"),
            .init(object: .init(model: "Song", id: "4"), properties: [], file: nil),
        ], "\(report)")
        #expect(try fixture.text("Song/0.json").contains("1960") && fixture.text("Song/0.json").contains("store"))
        #expect(try fixture.text("Song/1.conflict.json").contains("file") && fixture.text("Song/1.json").contains("store"))
        #expect(try fixture.text("Song/3.conflict.json").contains("file"))
        #expect(try fixture.paths() == ["Song/0.json", "Song/1.conflict.json", "Song/1.json", "Song/2.json", "Song/3.conflict.json", "Song/4.json"])
        #expect(try fixture.mirror.synchronize().isUnchanged)
        // Another one does not take the first one's place.
        try fixture.store.save(Song(id: 1, title: "again", year: 1))
        try fixture.edit("Song/1.json", "store", "file 2")
        #expect(try fixture.mirror.synchronize().conflicts.map(\.file) == ["Song/1.conflict-2.json"])
        #expect(try fixture.text("Song/1.conflict.json").contains("\"file\""))
    }

    @Test(arguments: Engine.allCases) func whatCannotBeReadStays(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save((0..<6).map { Song(id: $0, title: "t\($0)") })
        try fixture.store.save([Poem(id: "a", title: "one"), Poem(id: "b", title: "two")])
        try fixture.mirror.synchronize()
        let broken: [(String, String)] = [
            ("Song/0.json", "{\n  \"$id\": 0,\n  \"title\": \"half"), ("Song/1.json", #"{"$id": 1, "title": "a", "title": "b", "tags": []}"#), ("Song/2.json", #"{"$model": "None", "$id": 2}"#),
            ("Song/3.json", #"{"$id": 3, "title": 5, "tags": []}"#), ("Song/4.json", ""), ("Poem/b.json", #"{"$id": "b", "title": "one", "lines": []}"#),
            ("Song/copy.json", try fixture.text("Song/5.json")), ("Song/(conflicted copy) 5.json", "<<<<<<< mine"), ("Odd/x.json", #"{"$id": "text", "a": 1}"#),
        ]
        for (path, text) in broken { try fixture.write(text, path) }
        try Data([0x22, 0xFF, 0x22]).write(to: fixture.url("Song/bytes.json"))
        try fixture.store.save(Song(id: 0, title: "changed in the store"))
        for _ in 0..<2 {
            let report = try fixture.mirror.synchronize()
            #expect(Set(report.problems.map(\.file)) == Set(broken.map(\.0) + ["Song/bytes.json"]), "\(report)")
            #expect(report.problems.first { $0.file == "Song/0.json" }?.reason.hasPrefix("line 3, column ") == true, "\(report)")
            #expect(report.deleted.isEmpty && report.removed.isEmpty && report.saved.isEmpty && report.written.isEmpty, "\(report)")
            for (path, text) in broken { #expect(try fixture.text(path) == text) }
        }
        #expect(try fixture.store.fetch(Song.self).count() == 6 && fixture.store.fetch(Poem.self).all().map(\.title) == ["one", "two"])
        // Nor is what is not a file any more, or is in a folder that nobody may read, taken for deleted.
        try fixture.remove("Song/5.json")
        try FileManager.default.createSymbolicLink(at: fixture.url("Song/5.json"), withDestinationURL: fixture.url("Song/copy.json"))
        #expect(try fixture.mirror.synchronize().problems.first { $0.file == "Song/5.json" }?.reason == "it is no regular file")
        #expect(try fixture.store.fetch(Song.self).count() == 6)
        // Mended, it is merged as if nothing had been.
        try fixture.write(#"{"$id": 0, "title": "t0", "year": 1999, "tags": []}"#, "Song/0.json")
        try fixture.remove("Song/copy.json")
        let report = try fixture.mirror.synchronize()
        #expect(!report.problems.map(\.file).contains("Song/0.json"))
        #expect(try fixture.store.fetch(Song.self, id: 0) == Song(id: 0, title: "changed in the store", year: 1999))
    }

    @Test(arguments: Engine.allCases) func whatIsOwnedStandsWithItsOwner(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save((1...4).map { Line(id: $0, text: "line \($0)") })
        try fixture.store.save([Poem(id: "p", title: "P", lines: [Reference(id: 1), Reference(id: 2)]), Poem(id: "q", title: "Q", lines: [Reference(id: 3)])])
        try fixture.mirror.synchronize()
        #expect(try fixture.paths() == ["Line/4.json", "Poem/p.json", "Poem/q.json"])
        #expect(try fixture.text("Poem/p.json").hasPrefix("[\n{\n  \"$model\": \"Poem\""))
        // A line is edited, one is added, one goes to the other poem.
        var objects = try WrittenObject.all(json: fixture.text("Poem/p.json"))
        #expect(objects.map(\.model) == ["Poem", "Line", "Line"])
        objects[1].value = .object(["text": "edited"])
        objects[0].value = .object(["title": "P", "lines": [1, 5]])
        objects.remove(at: 2)
        objects.append(WrittenObject(model: "Line", id: 5, value: ["text": "added"]))
        try fixture.write(WrittenObject.text(objects, .pretty), "Poem/p.json")
        var others = try WrittenObject.all(json: fixture.text("Poem/q.json"))
        others[0].value = .object(["title": "Q", "lines": [3, 2]])
        others.append(WrittenObject(model: "Line", id: 2, value: ["text": "line 2"]))
        try fixture.write(WrittenObject.text(others, .pretty), "Poem/q.json")
        let report = try fixture.mirror.synchronize()
        #expect(report.problems.isEmpty && report.conflicts.isEmpty && report.deleted.isEmpty, "\(report)")
        #expect(try fixture.store.fetch(Line.self).all().map(\.text) == ["edited", "line 2", "line 3", "line 4", "added"])
        #expect(try fixture.store.fetch(Poem.self).all().map { $0.lines.map(\.id) } == [[1, 5], [3, 2]])
        #expect(try fixture.mirror.synchronize().isUnchanged)
        // The file is the poem with its lines.
        try fixture.remove("Poem/q.json")
        let last = try fixture.mirror.synchronize()
        #expect(try fixture.store.fetch(Line.self).ids() == [1, 4, 5] && fixture.store.fetch(Poem.self).ids() == ["p"], "\(last)")
        #expect(try fixture.store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func blobs(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        let (first, large) = (Data([1, 2, 3]), Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) }))
        try fixture.store.setBlob(first, named: "cover/a.jpg")
        try fixture.store.setBlob(large, named: "Large")
        let report = try fixture.mirror.synchronize()
        #expect(report.written.count == 2 && report.written.allSatisfy { $0.hasPrefix("$blobs/") })
        let cover = try #require(report.written.first { $0.contains("cover") })
        #expect(try Data(contentsOf: fixture.url(cover)) == first)
        #expect(try fixture.mirror.synchronize().isUnchanged)
        try Data([9]).write(to: fixture.url(cover))
        try Data([8]).write(to: fixture.url("$blobs/new.bin"))
        #expect(try fixture.mirror.synchronize().saved.count == 2)
        #expect(try fixture.store.blob(named: "cover/a.jpg") == Data([9]) && fixture.store.blob(named: "new.bin") == Data([8]))
        try fixture.store.setBlob(Data([7]), named: "cover/a.jpg")
        try Data([6]).write(to: fixture.url(cover))
        try fixture.store.deleteBlob(named: "Large")
        let both = try fixture.mirror.synchronize()
        let aside = try #require(both.conflicts.first?.file)
        #expect(try Data(contentsOf: fixture.url(aside)) == Data([6]) && Data(contentsOf: fixture.url(cover)) == Data([7]) && both.removed.count == 1)
        try fixture.remove("$blobs/new.bin")
        #expect(try fixture.mirror.synchronize().deleted.count == 1)
        #expect(try fixture.store.blobNames() == ["cover/a.jpg"])
        #expect(try fixture.mirror.synchronize().isUnchanged)
    }

    @Test(arguments: Engine.allCases) func directories(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        let directory = fixture.mirror.directory
        #expect(throws: MirrorError.inUse(directory)) { try StoreMirror(fixture.store, at: directory) }
        try fixture.store.save((0..<30).map { Song(id: $0, title: "t\($0)") })
        try fixture.mirror.synchronize()
        for id in 0..<20 { try fixture.remove("Song/\(id).json") }
        #expect(throws: MirrorError.manyFilesGone(directory, objects: 20)) { try fixture.mirror.synchronize() }
        #expect(try fixture.store.fetch(Song.self).count() == 30)
        #expect(try fixture.mirror.synchronize(allowingDeletions: true).deleted.count == 20)
        // Emptied, with the ledger gone too, as one that is not mounted: everything is written again.
        try FileManager.default.removeItem(at: fixture.url("Song"))
        try FileManager.default.removeItem(at: fixture.url(".trove-mirror/ledger.jsonl"))
        let other = try MirrorFixture(engine)
        try other.store.save(Song(id: 1, title: "other"))
        let moved = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Song.self) }
        _ = moved
        try FileManager.default.copyItem(at: other.mirror.directory, to: URL(filePath: fixture.folder.file("copy")))
        let copied = try StoreMirror(other.store, at: URL(filePath: fixture.folder.file("copy")))
        try copied.synchronize()
        let ledger = URL(filePath: fixture.folder.file("copy/.trove-mirror/ledger.jsonl"))
        #expect(FileManager.default.fileExists(atPath: ledger.path))
        try FileManager.default.copyItem(at: ledger, to: fixture.url(".trove-mirror/ledger.jsonl"))
        // What is kept in memory counts while the mirror is open; a new one reads it.
        #expect(try Ledger.read(in: directory, of: other.store.identity).files.count == 1)
        #expect(throws: MirrorError.otherStore(directory)) { try Ledger.read(in: directory, of: fixture.store.identity) }
        var bytes = try Data(contentsOf: ledger)
        bytes.removeLast(10)
        try bytes.write(to: ledger)
        #expect { try Ledger.read(in: URL(filePath: fixture.folder.file("copy")), of: other.store.identity) } throws: { if case MirrorError.unreadableLedger = $0 { true } else { false } }
        #expect { try StoreMirror(fixture.store, at: URL(filePath: "/proc/none/x")) } throws: { if case MirrorError.noDirectory = $0 { true } else { false } }
    }

    /// What is in the way is named, and stays.
    @Test func whatIsInTheWayOfADirectory() throws {
        let fixture = try MirrorFixture(.memory)
        let (file, link) = (fixture.folder.file("file"), fixture.folder.file("link"))
        try Data("mine".utf8).write(to: URL(filePath: file))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: fixture.folder.file("nowhere"))
        for (path, words) in [(file, "\(file) is a file; move it away"), (file + "/in/it", "\(file) is a file; move it away"), (link, "\(link) is a link that leads to nothing")] {
            #expect { try StoreMirror(fixture.store, at: URL(filePath: path)) } throws: { "\($0)".contains(words) && "\($0)".contains("no directory \(path),") }
        }
        #expect(try Data(contentsOf: URL(filePath: file)) == Data("mine".utf8))
    }

    /// Without the ledger both sides are compared: what is the same is nothing new, what differs is a conflict, what one side has alone goes to the other.
    @Test(arguments: Engine.allCases) func withoutALedger(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save((0..<3).map { Song(id: $0, title: "t\($0)") })
        try fixture.write(#"{"$id": 0, "title": "t0", "tags": [], "year": null}"#, "Song/0.json")
        try fixture.write(#"{"$id": 1, "title": "file", "tags": []}"#, "Song/1.json")
        try fixture.write(#"{"$id": 9, "title": "t9", "tags": []}"#, "Song/9.json")
        let report = try fixture.mirror.synchronize()
        #expect(report.conflicts.map(\.object.id) == ["1"] && report.saved.map(\.id) == ["9"] && report.deleted.isEmpty, "\(report)")
        #expect(try fixture.store.fetch(Song.self).all().map(\.title) == ["t0", "t1", "t2", "t9"])
        #expect(try fixture.mirror.synchronize().isUnchanged)
    }

    @Test func namesOfFiles() throws {
        let texts = [
            "", ".", "..", "a/b", "a\\b", "a:b", "CON", "con", "Con.txt", "nul", "COM1", "a\0b", "é", "e\u{301}", "É", "a", "A", "ab", "aB", " ", "a ", "a.", "%41", "~", String(repeating: "x", count: 400),
            String(repeating: "x", count: 401), "日本", "-", "7", "Kind of Blue", "kind of blue", "a*?<>|\"", "\u{202E}gpj",
        ]
        let names = texts.map { FileName.of($0) }
        #expect(Set(names.map { $0.lowercased() }).count == texts.count, "no two are one, whatever a system thinks of case")
        for name in names {
            #expect(name.utf8.count <= 200 && !name.isEmpty && !name.hasPrefix(".") && !name.hasSuffix("."))
            #expect(name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/\\:*?\"<>|".utf8.contains($0) }, "\(name)")
        }
        #expect(FileName.of("7") == "7" && FileName.of("kind-of-blue") == "kind-of-blue" && FileName.of("kind of blue") == "kind%20of%20blue")
        let folders = FileName.folders(of: ["Song", "song", "Album", "con"])
        #expect(folders["Album"] == "Album" && Set(folders.values.map { $0.lowercased() }).count == 4 && folders["con"] != "con")
    }

    @Test(arguments: Engine.allCases) func idsOfEveryKind(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        let ids = ["..", "a/b", "CON", "é", "e\u{301}", "a", "A", String(repeating: "long ", count: 90), "\u{0}", "~"]
        try fixture.store.save(ids.enumerated().map { Poem(id: $0.element, title: "\($0.offset)") })
        #expect(try fixture.mirror.synchronize().written.count == ids.count)
        for path in try fixture.paths() { try fixture.edit(path, "\"title\": \"", "\"title\": \"edited ") }
        let report = try fixture.mirror.synchronize()
        #expect(report.saved.count == ids.count && report.problems.isEmpty, "\(report)")
        #expect(try fixture.store.fetch(Poem.self).all().allSatisfy { $0.title.hasPrefix("edited ") })
        #expect(try fixture.mirror.synchronize().isUnchanged)
    }

    /// Goes on in both directions.
    @Test(arguments: Engine.allCases) func itGoesOn(engine: Engine) async throws {
        let fixture = try MirrorFixture(engine)
        try await fixture.store.save(Song(id: 1, title: "a"))
        var reports = fixture.mirror.reports(every: .milliseconds(50)).makeAsyncIterator()
        #expect(try await reports.next()?.written == ["Song/1.json"])
        try await fixture.store.save(Song(id: 1, title: "b"))
        while !(try fixture.text("Song/1.json").contains("\"b\"")) { _ = try await reports.next() }
        try fixture.edit("Song/1.json", "\"b\"", "\"c\"")
        while try await fixture.store.fetch(Song.self, id: 1)?.title != "c" { _ = try await reports.next() }
        try fixture.write(#"{"$id": 2, "title": "new", "tags": []}"#, "Song/2.json")
        while try await fixture.store.fetch(Song.self, id: 2) == nil { _ = try await reports.next() }
        try await fixture.store.documents("notes").save(["a": 1])
        while try fixture.paths().allSatisfy({ !$0.hasPrefix("notes/") }) { _ = try await reports.next() }
    }

    /// Named blobs wake a mirror too, also in a store without a file.
    @Test(arguments: Engine.allCases) func blobsGoOn(engine: Engine) async throws {
        let fixture = try MirrorFixture(engine)
        let (mirror, file) = (fixture.mirror, fixture.url("$blobs/b"))
        let task = Task { for try await _ in mirror.reports(every: .zero) {} }
        defer { task.cancel() }
        try await waitUntil("the first run") { fixture.exists(".trove-mirror/ledger.jsonl") }
        for number in [1, 2] as [UInt8] {
            try await fixture.store.setBlob(Data([number]), named: "b")
            try await waitUntil("blob \(number)") { (try? Data(contentsOf: file)) == Data([number]) }
        }
        try await fixture.store.deleteBlob(named: "b")
        try await waitUntil("the deletion") { !fixture.exists("$blobs/b") }
    }

    /// To Swift an é of one scalar and an é of two are equal; as stored values they are not.
    @Test(arguments: Engine.allCases) func formsOfAccents(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        let (one, two) = ("caf\u{E9}", "cafe\u{301}")
        func isTitle(_ text: String) throws -> Bool { try fixture.store.fetch(Song.self, id: 1)?.title.utf8.elementsEqual(text.utf8) == true }
        func isInFile(_ text: String) throws -> Bool { try Data(contentsOf: fixture.url("Song/1.json")).range(of: Data(text.utf8)) != nil }
        try fixture.store.save(Song(id: 1, title: one))
        try fixture.mirror.synchronize()
        try fixture.write(#"{"$id": 1, "title": "\#(two)", "tags": []}"#, "Song/1.json")
        #expect(try fixture.mirror.synchronize().saved.map(\.id) == ["1"])
        #expect(try isTitle(two))
        try fixture.store.save(Song(id: 1, title: one))
        #expect(try fixture.mirror.synchronize().written == ["Song/1.json"])
        #expect(try isInFile(one) && !isInFile(two))
        // What the program has changed is not taken back by another change of the file.
        try fixture.store.save(Song(id: 1, title: two))
        try fixture.mirror.synchronize()
        try fixture.edit("Song/1.json", "\"tags\"", "\"year\": 1959,\n  \"tags\"")
        #expect(try fixture.mirror.synchronize().conflicts.isEmpty)
        #expect(try isTitle(two) && fixture.store.fetch(Song.self, id: 1)?.year == 1959)
        #expect(try fixture.mirror.synchronize().isUnchanged)
    }

    /// A number that is none is not equal to itself, and has not changed for all that.
    @Test(arguments: Engine.allCases) func noNumbersHaveNotChanged(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        let notes = fixture.store.documents("notes")
        let note: Document = ["title": "Fjord", "depths": [.double(.nan), .int(2)]]
        try notes.save(note)
        try fixture.store.save([Song(id: 1, title: "a", rating: .nan), Song(id: 2, title: "b", rating: .nan)])
        try fixture.mirror.synchronize()
        try fixture.edit("Song/1.json", "\"a\"", "\"edited\"")
        try fixture.edit("notes/\(note.id).json", "Fjord", "Fell")
        try fixture.remove("Song/2.json")
        let report = try fixture.mirror.synchronize()
        #expect(report.conflicts.isEmpty && report.problems.isEmpty && report.saved.count == 2 && report.deleted.count == 1, "\(report)")
        let song = try #require(try fixture.store.fetch(Song.self, id: 1))
        #expect(song.title == "edited" && song.rating?.isNaN == true)
        #expect(try notes.fetch(id: note.id)?["title"] == "Fell")
        #expect(try fixture.store.fetch(Song.self).count() == 1)
        #expect(try fixture.mirror.synchronize().isUnchanged)
    }
}
