import Foundation
import TestSupport
import Testing
import Trove

@testable import TroveStoreTools

/// Commands that change objects, by the rules of models that the program does not have.
@Suite struct ChangingTests {
    /// What `body` finds in the store as the program that made it has it.
    private func look<Result>(_ engine: Engine, _ fixture: CommandFixture, _ body: (ObjectStore) throws -> Result) throws -> Result {
        let store = try ObjectStore(engine.open(fixture.directory.file("music.store")), models: Song.self, Album.self)
        defer {
            #expect(throws: Never.self) { try store.close() }
        }
        #expect(try store.verify().isSound)
        return try body(store)
    }

    @Test(arguments: Engine.persistent) func objectsAreInsertedAndSet(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let lines = #"printf '%s\n' '{"$id":7,"title":"Nardis","artist":"Bill Evans","year":1961}' '{"$id":8,"title":"1","artist":"a","year":1}'"#
        let inserted = try fixture.run("\(lines) | trove insert music.store Song --write -o csv")
        #expect(inserted.output == "change,model,id\ninserted,Song,7\ninserted,Song,8\n")
        let set = try fixture.run("trove set music.store Song 8 title=1959 'tags=[\"a\",\"b\"]' 'tags[0]=c' rating=4 released=1959-08-17T00:00:00Z album='Kind of Blue' --write -o csv")
        #expect(set.output == "change,model,id\nchanged,Song,8\n", "\(set.errors)")
        #expect(try fixture.run("trove set music.store Song 8 rating=4 --write").status == 1)
        let song = try look(engine, fixture) { try $0.fetch(Song.self, id: 8) }
        #expect(song == Song(id: 8, title: "1959", artist: "a", year: 1, rating: 4, released: Date(timeIntervalSinceReferenceDate: -1_305_763_200), tags: ["c", "b"], album: Reference(id: "Kind of Blue")))
        #expect(try fixture.run("trove find music.store Song \"artist = 'Bill Evans'\" --select '$id' -o csv").output == "$id\n2\n7\n")
        #expect(try fixture.run("trove count music.store Song \"album.number = 1\"").output == "2\n")
    }

    /// Documents are inserted as find shows them, with their ids and classes, beside their values alone.
    @Test(arguments: Engine.persistent) func documentsAreInsertedAsTheyAreShown(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let id = "\(Music.noteIDs[0])"
        #expect(try fixture.run("trove insert music.store notes 5 --write").status == 0)
        let lines = try fixture.run("trove find music.store notes -o jsonl > notes.jsonl; trove delete music.store notes --where true --all --write > deleted; cat notes.jsonl").output
        #expect(lines.contains(#"{"$model":"notes","$id":{"$objectID":"\#(id)"},"$class":"Note","author":"#) && lines.contains(#","$value":5}"#), "\(lines)")
        let inserted = try fixture.run("trove insert music.store notes --write -o csv < notes.jsonl")
        #expect(inserted.status == 0 && inserted.output.contains("inserted,notes,\(id)"), "\(inserted)")
        #expect(try fixture.run("trove find music.store notes -o jsonl").output == lines)
        #expect(try fixture.run("trove insert music.store notes --write < notes.jsonl").errors.contains("exists already"))
        #expect(try fixture.run(#"trove insert music.store notes '{ "$id": 7, "a": 1}' --write"#).errors.contains("$id"))
        #expect(try fixture.run(#"trove insert music.store notes '{"$model":"Song","a":1}' --write"#).errors.contains("another collection"))
        #expect(try fixture.run(#"trove insert music.store notes '{"$$id":7}' --write"#).status == 0)
    }

    /// Lines that are no UTF-8, or that cannot be read to their end, are not stored as something else.
    @Test(arguments: Engine.persistent) func linesThatAreNoTextAreRefused(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        func insert(_ title: String) throws -> CommandFixture.Answer {
            try fixture.run(#"printf '{"title":"Reef"}\r\n\n{"title":"\#(title)"}' | trove insert music.store notes --write -o csv"#)
        }
        let refused = try insert(#"caf\351"#)
        #expect(refused.status == 2 && refused.output.isEmpty && refused.errors.hasPrefix("trove: line 3 of standard input is not UTF-8"), "\(refused)")
        #expect(try fixture.run("trove count music.store notes \"title = 'Reef'\"").output == "0\n")
        #expect(try insert(#"caf\303\251"#).status == 0)
        #expect(try fixture.run("trove count music.store notes \"title in ('Reef', 'café')\"").output == "2\n")
        let shell = try fixture.run(#"printf 'count Song\ncount Song "artist = \047\351\047"\n' | trove shell music.store"#)
        #expect(shell.status == 2 && shell.output == "4\n" && shell.errors.hasPrefix("trove: line 2 of standard input is not UTF-8"), "\(shell)")
        let folder = try fixture.run("trove insert music.store notes --write < .")
        #expect(folder.status == 3 && folder.errors.hasPrefix("trove: 'standard input' cannot be read"), "\(folder)")
    }

    /// What is stored tells a change: a number that is none is as it was, and one zero is not the other.
    @Test(arguments: Engine.allCases) func numbersThatSwiftComparesOtherwise(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, models: Song.self, Album.self) }
        var song = Song(id: 1, title: "a", artist: "a", year: 1, rating: nil, released: nil)
        func kinds(from old: Double, by middle: Double, to new: Double) throws -> [RecordedChange.Kind] {
            song.rating = old
            try fixture.store.save(song)
            let changes = try RecordedChange.changing(fixture.store, keeps: false, withRecords: true) { transaction, _ in
                for rating in [middle, new] {
                    song.rating = rating
                    try transaction.save(song)
                }
            }
            return changes.map(\.kind)
        }
        #expect(try kinds(from: .nan, by: 1, to: .nan) == [])
        #expect(try kinds(from: 0.0, by: 1, to: -0.0) == [.changed])
        #expect(try kinds(from: 1, by: 2, to: 1) == [])
    }

    @Test(arguments: Engine.persistent) func rulesAreFollowedAndShown(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let before = try fixture.run("trove export music.store").output
        let expected = "change,model,id\ndeleted,Album,Kind of Blue\nchanged,Song,1\n"
        #expect(try fixture.run("trove delete music.store Album 'Kind of Blue' --dry-run -o csv").output == expected)
        #expect(try fixture.run("trove export music.store").output == before, "a dry run changes nothing")
        #expect(try fixture.run("trove delete music.store Album 'Kind of Blue' --write -o csv").output == expected)
        #expect(try fixture.run("trove delete music.store Album 'Kind of Blue' --write").status == 1)
        let bag = try fixture.run("trove delete music.store Song 1 2 --write -o csv")
        #expect(bag.output.hasPrefix("change,model,id\ndeleted,Song,1\ndeleted,Song,2\nchanged,a bag,"), "\(bag)")
        try look(engine, fixture) { (store: ObjectStore) throws -> Void in
            #expect(try store.fetch(Song.self).ids() == [3, 4])
            #expect(try store.fetch(Album.self).count() == 0)
        }
    }

    @Test(arguments: Engine.persistent) func idsThatAreNotThereAreToldAndTheOthersDeleted(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let answer = try fixture.run("trove delete music.store Song 3 98 99 --write -o csv")
        #expect(answer == .init(status: 0, output: "change,model,id\ndeleted,Song,3\n", errors: "trove: there is no Song 98 or 99\n"))
        let unknown = "0192f0c1-0000-7000-8000-00000000ffff"
        #expect(try fixture.run("trove delete music.store notes \(unknown) --write") == .init(status: 1, output: "", errors: "trove: notes has no document \(unknown)\n"))
        #expect(try fixture.run("trove set music.store notes \(unknown) a=1 --write") == .init(status: 1, output: "", errors: "trove: notes has no document \(unknown)\n"))
    }

    /// A change is made though nobody reads what is told beside it.
    @Test(arguments: Engine.persistent, ["set music.store notes \(Music.noteIDs[0]) new=1", "delete music.store Song 3 98"])
    func nobodyHasToReadStandardError(_ engine: Engine, _ line: String) throws {
        let fixture = try CommandFixture(engine)
        let command = "{ while [ ! -e gone ]; do sleep 0.01; done; trove \(line) --write -o csv 2>&1 > out; echo $? > status; }"
        _ = try fixture.run("\(command) | { exec 0<&-; touch gone; }")
        #expect(try fixture.bytes(of: "status") == Data("0\n".utf8))
        #expect(try String(decoding: fixture.bytes(of: "out"), as: UTF8.self).split(separator: "\n").count == 2)
        #expect(try fixture.run("trove count music.store notes 'new = 1'").output == (line.hasPrefix("set") ? "1\n" : "0\n"))
        #expect(try fixture.run("trove count music.store Song").output == (line.hasPrefix("set") ? "4\n" : "3\n"))
    }

    @Test(arguments: Engine.persistent) func valuesAreShownBeforeAndNow(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let set = "trove set music.store Song 2 rating=4 title='Autumn Leaves' album='Kind of Blue' --values"
        let line = #"{"change":"changed","model":"Song","id":2,"before":{"album":null,"rating":null},"values":{"album":"Kind of Blue","rating":4.0}}"# + "\n"
        #expect(try fixture.run(set + " --dry-run") == .init(status: 0, output: line, errors: ""))
        #expect(try fixture.run(set + " --write") == .init(status: 0, output: line, errors: ""))
        let rows = try CSVReader.rows(fixture.run("trove delete music.store Album 'Kind of Blue' --values --write -o csv").output)
        #expect(rows == [
            ["change", "model", "id", "before", "values"], ["deleted", "Album", "Kind of Blue", #"{"number":1}"#, nil],
            ["changed", "Song", "1", #"{"album":"Kind of Blue"}"#, #"{"album":null}"#], ["changed", "Song", "2", #"{"album":"Kind of Blue"}"#, #"{"album":null}"#],
        ])
        let note = try CSVReader.rows(fixture.run("trove set music.store notes \(Music.noteIDs[0]) author.name=Ane new=1 --values --write -o csv").output)
        #expect(note.last.map { Array($0.dropFirst(3)) } == [#"{"author":{"born":1950,"name":"Ann"},"new":null}"#, #"{"author":{"born":1950,"name":"Ane"},"new":1}"#])
        let inserted = try fixture.run("trove insert music.store Album '{\"$id\":\"x\",\"number\":7}' --values --write")
        #expect(inserted.output == #"{"change":"inserted","model":"Album","id":"x","values":{"number":7}}"# + "\n")
        #expect(try fixture.run("trove delete music.store Song 1 --values --dry-run -o table").output.contains("a bag"))
    }

    @Test(arguments: Engine.persistent) func documentsAreChangedToo(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let id = "\(Music.noteIDs[0])"
        #expect(try fixture.run("trove set music.store notes \(id) author.name=Ane rating=8 --write").status == 0)
        #expect(try fixture.run("trove insert music.store notes '{\"title\":\"Reef\"}' --write").status == 0)
        #expect(try fixture.run("trove edit music.store notes \(id) --editor 'sed -i s/Fjord/Sound/' --write").status == 0)
        #expect(try fixture.run("trove delete music.store notes \(Music.noteIDs[1]) --write").status == 0)
        try look(engine, fixture) { (store: ObjectStore) throws -> Void in
            let notes = store.documents("notes")
            let note = try #require(try notes.fetch(id: Music.noteIDs[0]))
            #expect(note["title"] == "Sound" && note["author.name"] == "Ane" && note["rating"] == 8 && note.className == "Note")
            #expect(try notes.fetch("title = 'Reef'").count() == 1)
            #expect(try notes.count() == 2)
        }
    }

    @Test(arguments: Engine.persistent) func whatIsRefusedChangesNothing(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let before = try fixture.run("trove export music.store").output
        for (line, status, message) in [
            ("set music.store Song 2 year=x", 2, "Song.year takes an Int, which"), ("set music.store Song 2 colour=red", 2, "is no property of the model"),
            ("set music.store Song 2 rating=", 2, "Song.rating takes a Double?, which '' is not"), ("insert music.store Song '{\"id\":2}'", 2, "whose ids are $id"), ("set music.store Song 2 year", 2, "is no assignment"),
            ("set music.store Song 2 title.x=1", 2, "leads to no place"), ("set music.store Song 2 title=null", 2, "is missing"), ("set music.store Song 99 year=1", 1, "there is no Song 99"),
            ("set music.store Nothing 1 year=1", 2, "there is no model"), ("insert music.store Song '{\"$id\":2,\"title\":\"x\",\"artist\":\"y\",\"year\":1}'", 1, "2"),
            ("insert music.store Song '{\"title\":\"x\",\"artist\":\"y\",\"year\":1}'", 2, "$id is missing"), ("insert music.store Song '{\"title\"}'", 2, "':'"),
            ("insert music.store Album '{\"$id\":\"x\",\"number\":1}'", 1, "number = 1"), ("delete music.store Song 99", 1, "there is no Song 99"), ("delete music.store Song 98 99", 1, "there is no Song 98 or 99"), ("delete music.store Song x", 2, "is no id of Song"),
            ("edit music.store Song 2 --editor true", 1, ""), ("edit music.store Song 99 --editor true", 1, "there is no Song 99"),
        ] {
            let answer = try fixture.run("trove \(line) --write")
            #expect(answer.status == status && (message.isEmpty ? answer.errors.isEmpty : answer.errors.contains(message)) && answer.output.isEmpty, "\(line): \(answer)")
        }
        #expect(try fixture.run("trove export music.store").output == before)
    }

    /// Whatever keeps an edit from being stored, the text is kept and told of.
    @Test(arguments: Engine.persistent) func anEditWhoseStoreIsGone(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let editor = "mv music.store moved && sed -i s/1959/1960/"
        let answer = try fixture.run("trove edit music.store Song 2 --editor '\(editor)' --write", environment: ["TMPDIR": fixture.directory.path])
        let name = try #require(try fixture.files.first { $0.hasPrefix("trove-") })
        #expect(answer.status == 3 && answer.errors.contains("there is no file 'music.store'") && answer.errors.contains(name), "\(answer)")
        #expect(try String(decoding: fixture.bytes(of: name), as: UTF8.self).contains("1960"))
    }

    /// What cannot be stored is kept for the person who wrote it.
    @Test(arguments: Engine.persistent) func editsThatCannotBeStored(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let before = try fixture.run("trove export music.store").output
        for (editor, status, message) in [
            ("sed -i s/1959/1959.5/", 2, "Song.year takes an Int, which"), ("sed -i 1d", 2, "line 1"), ("false", 1, "the editor ended with status 1"),
            ("sed -i '/id.:/s/2/3/'", 2, "cannot change"),
            ("trove set music.store Song 2 rating=1 --write --output csv && sed -i s/1959/1960/", 1, "somebody else changed"),
        ] {
            let answer = try fixture.run("trove edit music.store Song 2 --editor \"\(editor)\" --write", environment: ["TMPDIR": fixture.directory.path])
            #expect(answer.status == status && answer.errors.contains(message), "\(editor): \(answer)")
            let kept = try fixture.files.filter { $0.hasPrefix("trove-") }
            #expect(kept.count == 1 && answer.errors.contains(kept.first ?? "-"))
            for name in kept { try FileManager.default.removeItem(atPath: fixture.directory.file(name)) }
        }
        #expect(try fixture.run("trove set music.store Song 2 rating=null --write").status == 0)
        #expect(try fixture.run("trove export music.store").output == before)
    }
}
