import Foundation
import TestSupport
import Testing
import Trove

/// Every kind of difference is told, and nothing else.
@Suite struct DiffTests {
    @Test(arguments: Engine.persistent) func eachDifferenceIsARow(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        _ = try fixture.run("trove copy music.store other")
        let store = try ObjectStore(engine.open(fixture.directory.file("other")), models: Song.self, Album.self)
        var song = Music.songs[0]
        song.title = "So What?"
        try store.save(song)
        try store.delete(Song.self, id: 2)
        try store.save(Song(id: 9, title: "new", artist: "a", year: 1, rating: nil, released: nil))
        var note = try #require(try store.documents("notes").fetch(id: Music.noteIDs[0]))
        note["author.name"] = "Ane"
        note["tags"] = nil
        try store.documents("notes").save(note)
        try store.setBlob(Data([1]), named: "small")
        try store.deleteBlob(named: "cover")
        try store.setMetadata(.int(1), forKey: "last import")
        try store.close()

        let answer = try fixture.run("trove diff music.store other -o csv")
        #expect(answer.status == 1)
        #expect(answer.errors.isEmpty)
        let expected: [[String?]] = [
            ["difference", "model", "$id", "property", "first", "second"],
            ["differs", "Song", "1", "title", "So What", "So What?"],
            ["only in first", "Song", "2", nil, nil, nil],
            ["only in second", "Song", "9", nil, nil, nil],
            ["differs", "notes", "0192f0c1-0000-7000-8000-000000000001", "author", #"{"born":1950,"name":"Ann"}"#, #"{"born":1950,"name":"Ane"}"#],
            ["only in first", "notes", "0192f0c1-0000-7000-8000-000000000001", "tags", #"["sea"]"#, nil],
            ["differs", "$metadata", "last import", nil, "2001-01-01T00:00:00Z", "1"],
        ]
        let rows = CSVReader.rows(answer.output)
        #expect(Array(rows.prefix(7)) == expected)
        // The bag lost the song that was deleted.
        #expect(rows.dropFirst(7).map { $0.prefix(3).map { $0 ?? "" } } == [
            ["differs", "$bag", rows[7][2] ?? ""], ["only in first", "$blob", "cover"], ["only in second", "$blob", "small"],
        ])
        #expect(try fixture.run("trove diff music.store other --model Album") == .init(status: 0, output: "", errors: ""))
        #expect(try fixture.run("trove diff music.store other --model Alb").status == 2)
    }

    /// Texts that Swift calls equal, numbers of other kinds, and missing and nil: what exports have otherwise differs.
    @Test(arguments: Engine.persistent) func equalMeansOfEqualBytes(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine, nil)
        for (name, values) in [
            ("first", ["a": "é", "b": 1, "c": .null, "d": .double(.nan), "é": 5]), ("second", ["a": "e\u{301}", "b": 1.0, "d": .double(.nan), "e\u{301}": 5] as StoredValue),
        ] {
            let store = try ObjectStore(engine.open(fixture.directory.file(name)), models: [])
            try store.documents("notes").save(Document(values, id: Music.noteIDs[0]))
            try store.close()
        }
        let rows = try CSVReader.rows(fixture.run("trove diff first second -o csv").output)
        #expect(rows.dropFirst().map { [$0[0], $0[3]] } == [["differs", "a"], ["differs", "b"], ["only in first", "c"], ["only in first", "é"], ["only in second", "e\u{301}"]])
        #expect(try fixture.run("trove export first").output != fixture.run("trove export second").output)
        // What one record has in two layouts of a model is nil in both.
        #expect(try fixture.run("trove diff first first").status == 0)
    }
}
