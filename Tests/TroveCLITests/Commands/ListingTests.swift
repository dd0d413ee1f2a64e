import Foundation
import TestSupport
import Testing
import Trove

/// What a store tells of itself.
@Suite struct ListingTests {
    @Test(arguments: Engine.persistent) func infoNamesWhatIsThere(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let facts = try StoredValue(json: fixture.run("trove info music.store").output)
        #expect(facts.value(at: "engine") == .string(engine.rawValue))
        #expect(facts.value(at: "format") == .int(1))
        #expect(facts.value(at: "durability.durable") == .string("a power loss"))
        #expect(try facts.value(at: "models") == StoredValue(json: #"""
            [{"indexes":1,"kind":"model","layouts":1,"name":"Album","objects":1},{"indexes":2,"kind":"model","layouts":1,"name":"Song","objects":4},
            {"indexes":1,"kind":"collection","layouts":1,"name":"notes","objects":2}]
            """#))
        #expect(facts.value(at: "bags") == .int(1) && facts.value(at: "blobs") == .int(1) && facts.value(at: "metadata") == .int(1))
        let rows = try CSVReader.rows(fixture.run("trove info music.store -o csv").output)
        #expect(rows.contains(["model Song", "4 objects, 2 indexes"]))
        #expect(rows.contains(["collection notes", "2 documents, 1 index"]))
    }

    @Test(arguments: Engine.persistent) func modelsAreDescribed(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let csv = """
            model,version,property,type,count,missing,rules,refers to,indexes
            Song,1,$id,Int64,,,,,
            Song,1,title,String,,,,,
            Song,1,artist,String,,,,,"[""artist""]"
            Song,1,year,Int64,,,,,
            Song,1,rating,Double?,,,"[""default""]",,
            Song,1,released,Date?,,,"[""default""]",,
            Song,1,tags,[String],,,"[""default""]",,
            Song,1,album,String?,,,"[""default""]",Album,"[""references of album""]"

            """
        let songs = try fixture.run("trove models music.store Song -o csv")
        #expect(songs == .init(status: 0, output: csv, errors: ""))
        let notes = try CSVReader.rows(fixture.run("trove models music.store notes -o csv").output)
        let index = #"["every path"]"#
        #expect(notes.contains(["notes", nil, "author.name", "text", "1", "1", nil, nil, index]) && notes.contains(["notes", nil, "$id", "ObjectID", "2", "0", nil, nil, nil]))
        #expect(notes.contains(["notes", nil, "tags", "list", "1", "1", nil, nil, index]) && notes.contains(["notes", nil, "any tags", "text", "1", nil, nil, nil, index]))
        #expect(notes.contains(["notes", nil, "author", "object", "1", "1", nil, nil, index]))
        #expect(try fixture.run("trove models music.store notes -o table").output.hasPrefix("notes\nproperty     kind      count  missing  index\n"))
        #expect(try fixture.run("trove models music.store nothing").status == 2)
        let table = try fixture.run("trove models music.store -o table").output
        #expect(table.hasPrefix("Album, version 1\nproperty ") && table.contains("\n\nSong, version 1\nproperty ") && table.contains("\n\nnotes\nproperty "), "\(table)")
    }

    @Test(arguments: Engine.persistent) func indexesAreListedMadeAndDropped(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        func names() throws -> [[String?]] { try CSVReader.rows(fixture.run("trove index list music.store -o csv").output).dropFirst().map { [$0[0], $0[1], $0[2], $0[4], $0[6]] } }
        let declared: [[String?]] = [
            ["Song", "artist", "ordered", "model", "4"], ["Song", "references of album", "ordered", "model", "4"], ["Album", "unique number", "unique", "model", "1"],
            ["notes", "every path", "every path", "Trove", "12"], ["$bags", "unique name", "unique", "Trove", "1"], ["$bags", "references of members", "ordered", "Trove", "2"],
        ]
        let listed = try names()
        #expect(listed == declared)
        #expect(try fixture.run("trove index create music.store notes 'by rating' 'rating desc' --write") == .init(status: 0, output: "", errors: ""))
        #expect(try names().contains(["notes", "by rating", "ordered", "run time", "2"]))
        let plan = try fixture.run("trove explain music.store notes --sort 'rating desc' --limit 1 -o table").output
        #expect(plan.contains("by rating"))
        #expect(try fixture.run("trove index drop music.store notes 'by rating' --write").status == 0)
        #expect(try fixture.run("trove index create music.store notes plain 'title ignoring case and accents desc' --write").status == 0)
        #expect(try CSVReader.rows(fixture.run("trove index list music.store notes -o csv").output).contains { $0.contains("title desc ignoring case and accents") })
        #expect(try fixture.run("trove index drop music.store notes plain --write").status == 0)
        let gone = try fixture.run("trove index drop music.store notes 'by rating' --write")
        #expect(gone.status == 1 && gone.errors.contains("'by rating' of notes is not dropped: there is no index of this name"))
        #expect(try fixture.run("trove index drop music.store Song artist --write").status == 1)
        #expect(try fixture.run("trove index rebuild music.store notes --write") == .init(status: 0, output: "", errors: ""))
        // A new index stands behind the others.
        let rebuilt = try names()
        #expect(Set(rebuilt) == Set(declared) && rebuilt.count == declared.count)
        #expect(try fixture.run("trove verify music.store").status == 0)
        #expect(try fixture.run("trove index rebuild music.store Song --write").status == 2)
        let refused = try fixture.run("trove index create music.store Song x title --write")
        #expect(refused == .init(
            status: 2, output: "", errors: "trove: 'Song' is a model; the program that declares it makes its indexes and builds them anew. Collections of documents get theirs here\n"))
    }

    @Test func fullTextOfCollections() throws {
        let fixture = try CommandFixture(.sqlite) { store in
            try Music.fill(store)
            try store.documents("notes").setFullText(["title": 2, "author.name": 1])
        }
        let rows = try CSVReader.rows(fixture.run("trove index list music.store notes -o csv").output)
        #expect(rows.contains { Array($0.prefix(7)) == ["notes", "words of documents", "words", "title, author.name", "full text", "ready", "2"] }, "\(rows)")
        let found = try fixture.run("trove count music.store notes \"author.name has words 'ann' or has words 'nothing'\" -o csv")
        #expect(found == .init(status: 0, output: "count\n1\n", errors: ""))
        #expect(try fixture.run("trove index rebuild music.store notes --write && trove verify music.store").status == 0)
    }

    @Test(arguments: Engine.persistent) func bagsShowTheirMembersInOrder(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        #expect(try fixture.run("trove bags show music.store tonight -o csv").output == "position,model,$id\n0,Song,2\n1,Song,1\n")
        let rows = try CSVReader.rows(fixture.run("trove bags list music.store -o csv").output)
        #expect(rows.count == 2 && rows[1][0] == "tonight" && rows[1][2] == "2")
        #expect(try fixture.run("trove bags show music.store \(rows[1][1] ?? "") -o csv").output.hasPrefix("position"))
        #expect(try fixture.run("trove bags show music.store nothing") == .init(status: 1, output: "", errors: "trove: there is no bag 'nothing'\n"))
    }

    @Test(arguments: Engine.persistent) func documentsInBagsAreShown(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let store = try ObjectStore(engine.open(fixture.directory.file("music.store")), models: Song.self, Album.self)
        let bag = Bag(named: "to read", in: store)
        bag.add(AnyReference(collection: "notes", id: Music.noteIDs[1]))
        bag.add(Music.songs[0])
        bag.add(Document(["title": "new"], id: Music.noteIDs[0]), in: "others")
        try bag.save()
        try store.close()
        let rows = ["0,notes,\(Music.noteIDs[1])", "1,Song,1", "2,others,\(Music.noteIDs[0])"]
        #expect(try fixture.run("trove bags show music.store 'to read' -o csv").output == (["position,model,$id"] + rows).joined(separator: "\n") + "\n")
        #expect(try fixture.run("trove copy music.store other && trove diff music.store other") == .init(status: 0, output: "", errors: ""))
        let deleted = try fixture.run("trove delete music.store notes \(Music.noteIDs[1]) --write -o csv")
        #expect(deleted.output.hasPrefix("change,model,id\ndeleted,notes,\(Music.noteIDs[1])\nchanged,a bag,"), "\(deleted)")
        #expect(try fixture.run("trove bags show music.store 'to read' -o csv").output == "position,model,$id\n0,Song,1\n1,others,\(Music.noteIDs[0])\n")
        #expect(try fixture.run("trove verify music.store").status == 0)
    }

    /// A bag may have objects of a model that the store does not have.
    @Test(arguments: Engine.persistent) func membersOfNoModelAreShownByTheirKeys(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let store = try ObjectStore(engine.open(fixture.directory.file("music.store")), models: Song.self, Album.self)
        _ = try store.importBag(named: "foreign", of: [AnyReference(modelName: "Gone", keyBytes: [1, 2]), AnyReference(Music.songs[1])])
        try store.close()
        let shown = try fixture.run("trove bags show music.store foreign -o csv")
        #expect(shown.status == 0 && shown.output.hasPrefix("position,model,$id\n0,Gone,") && shown.output.hasSuffix("\n1,Song,2\n"), "\(shown)")
        #expect(try fixture.run("trove copy music.store other && trove diff music.store other") == .init(status: 0, output: "", errors: ""))
    }
}
