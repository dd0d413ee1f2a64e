import Foundation
import TestSupport
import Testing
import Trove

/// Finding, getting, counting and explaining.
@Suite struct FindTests {
    @Test(arguments: Engine.persistent) func recordsComeAsJSONLines(_ engine: Engine) throws {
        let answer = try CommandFixture(engine).run("trove find music.store Song")
        let expected = #"""
            {"$model":"Song","$id":1,"title":"So What","artist":"Miles Davis","year":1959,"rating":4.5,"released":{"$date":"1959-08-17T00:00:00Z"},"tags":["modal","live"],"album":"Kind of Blue"}
            {"$model":"Song","$id":2,"title":"Autumn Leaves","artist":"Bill Evans","year":1959,"rating":null,"released":null,"tags":[],"album":null}
            {"$model":"Song","$id":3,"title":"","artist":"=1+1","year":-5,"rating":-0.5,"released":null,"tags":[],"album":null}
            {"$model":"Song","$id":4,"title":"red\u001b[31m \#u{202E}txt.exe\nsecond, \"quoted\" 🎷 日本語","artist":"∅","year":2000,"rating":1e+300,"released":null,"tags":["a|b","<i>"],"album":null}

            """#
        #expect(answer == .init(status: 0, output: expected, errors: ""))
        // Another reader's view of it.
        let rows = try answer.output.split(separator: "\n").map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        #expect(rows.map { $0?["title"] as? String } == Music.songs.map(\.title))
    }

    @Test(arguments: Engine.persistent) func everyLineIsOneThatTheStoreReadsBack(_ engine: Engine) throws {
        let lines = try CommandFixture(engine).run("trove find music.store Song").output.split(separator: "\n")
        let store = try ObjectStore(MemoryBackend(), models: Song.self, Album.self)
        let songs = try lines.map { try store.object(Song.self, json: String($0)) }
        #expect(songs == Music.songs)
    }

    @Test(arguments: Engine.persistent) func criteriaOrderAndWindowHold(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        func ids(_ arguments: String) throws -> String {
            try fixture.run("trove find music.store Song \(arguments) --select '$id' -o csv").output.split(separator: "\n").dropFirst().joined(separator: " ")
        }
        #expect(try ids("'year > 0'") == "1 2 4")
        #expect(try ids("'year > 0' --sort 'year desc, title'") == "4 2 1")
        #expect(try ids("'year > 0 order by year desc, title' --offset 1 --limit 1") == "2")
        #expect(try ids("'any tags = ''modal'''".replacing("''", with: "'\\''")) == "1")
        #expect(try ids("\"title contains 'SÓ WH' ignoring case and accents\"") == "1")
        #expect(try ids("--sort 'artist ignoring case and accents'") == "3 2 1 4")
        #expect(try ids("'rating is nil'") == "2")
        #expect(try ids("'id between 2 and 3'") == "2 3")
        #expect(try ids("'id = 7'") == "")
        #expect(try ids("'$id between 2 and 3'") == "2 3" && ids("'$id > 1' --sort '$id desc'") == "4 3 2" && ids("'album.$id = '\\''Kind of Blue'\\'''") == "1")
    }

    @Test(arguments: Engine.persistent) func valuesOfOtherRecordsAreShownSortedAndGrouped(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine) { store in
            try store.save([Album(id: "a", number: 3), Album(id: "b", number: 1)])
            let albums = ["a", "b", "gone", nil, "a"]
            try store.save(albums.enumerated().map { place, album in
                Song(id: place, title: "song \(place)", artist: "x", year: 1950, album: album.map { Reference(id: $0) })
            })
        }
        #expect(
            try fixture.run("trove find music.store Song --select title,album.number,album.id --sort 'album.number desc' -o csv")
                == .init(status: 0, output: "title,album.number,album.id\nsong 0,3,a\nsong 4,3,a\nsong 1,1,b\nsong 2,,gone\nsong 3,,\n", errors: ""))
        #expect(try CSVReader.rows(fixture.run("trove find music.store Song 'order by album.number limit 3' --select '$id' -o csv").output) == [["$id"], ["2"], ["3"], ["1"]])
        #expect(
            try CSVReader.rows(fixture.run("trove group music.store Song --by album.number --count --sum album.number -o csv").output)
                == [["album.number", "count", "sum(album.number)"], [nil, "2", "0"], ["1", "1", "1"], ["3", "2", "6"]])
        // What refers to a record is counted and added up.
        let songs = "count($referencing.Song.album),sum($referencing.Song.album.year)"
        #expect(
            try fixture.run("trove find music.store Album --select '$id,\(songs)' --sort 'count($referencing.Song.album) desc' -o csv")
                == .init(status: 0, output: "$id,\(songs)\na,2,3900\nb,1,1950\n", errors: ""))
        let plan = try fixture.run("trove explain music.store Song 'order by album.number'")
        #expect(plan.status == 0 && plan.output.contains("follow references: album.number"), "\(plan)")
        let mistake = try fixture.run("trove find music.store Song --sort album.nothing")
        #expect(mistake.status != 0 && mistake.errors.contains("nothing"), "\(mistake)")
    }

    @Test(arguments: Engine.persistent) func nothingFoundIsAStatus(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        #expect(try fixture.run("trove find music.store Song 'year = 7'") == .init(status: 1, output: "", errors: ""))
        #expect(try fixture.run("trove find music.store Song 'year = 7' -o json") == .init(status: 1, output: "[]\n", errors: ""))
        #expect(try fixture.run("trove get music.store Song 7") == .init(status: 1, output: "", errors: "trove: there is no Song 7\n"))
        #expect(try fixture.run("trove count music.store Song 'year = 7'") == .init(status: 0, output: "0\n", errors: ""))
        #expect(try fixture.run("trove count music.store Song") == .init(status: 0, output: "4\n", errors: ""))
        #expect(try fixture.run("trove count music.store notes 'rating = 7'") == .init(status: 0, output: "1\n", errors: ""))
    }

    @Test(arguments: Engine.persistent) func documentsShowTheirOwnNames(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let lines = #"""
            {"$model":"notes","$id":{"$objectID":"0192f0c1-0000-7000-8000-000000000001"},"$class":"Note","author":{"born":1950,"name":"Ann"},"rating":7,"tags":["sea"],"title":"Fjord"}
            {"$model":"notes","$id":{"$objectID":"0192f0c1-0000-7000-8000-000000000002"},"$$odd":true,"a\u001bb":"x","mark\#u{301}":"y","title":null}

            """#
        #expect(try fixture.run("trove find music.store notes").output == lines)
        let table = #"""
            $id                                   $class  $odd  a\u{1b}b  author                      mark\#u{301}  rating  tags     title
            """#
        #expect(try fixture.run("trove find music.store notes -o table").output.split(separator: "\n").first.map(String.init) == table)
        let selected = try fixture.run("trove find music.store notes \"author.name = 'Ann'\" --select 'author.name, tags[0], missing' -o csv")
        #expect(selected.status == 0 && selected.output == "author.name,tags[0],missing\nAnn,sea,\n" && selected.errors.hasPrefix("trove: no document of notes has 'missing'; there are "), "\(selected)")
    }

    @Test(arguments: Engine.persistent) func aRecordIsGotByItsID(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        #expect(try fixture.run("trove get music.store Album 'Kind of Blue'").output == "{\"$model\":\"Album\",\"$id\":\"Kind of Blue\",\"number\":1}\n")
        #expect(try fixture.run("trove get music.store Album 'Kind of Blue' -o line").output == "$id    = Kind of Blue\nnumber = 1\n")
        #expect(try fixture.run("trove get music.store notes 0192f0c1-0000-7000-8000-000000000001 --output csv").output.hasPrefix("$id,$class,author,rating,tags,title\n"))
        let mistake = try fixture.run("trove get music.store Song first")
        #expect(mistake == .init(status: 2, output: "", errors: "trove: 'first' is no id of Song; its ids are of type Int64\n  'trove find STORE Song CONDITION' shows ids as $id; set and delete also take --where CONDITION.\n"))
    }

    @Test(arguments: Engine.persistent) func mistakesAreTold(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        func mistake(_ line: String) throws -> String {
            let answer = try fixture.run(line)
            #expect(answer.status == 2, "\(line)")
            #expect(answer.output.isEmpty, "\(line)")
            return answer.errors
        }
        #expect(try mistake("trove find music.store Sonq") == "trove: there is no model 'Sonq'; did you mean 'Song'? (there are Album, Song, notes)\n")
        #expect(try mistake("trove get music.store songs 1").hasPrefix("trove: there is no model 'songs'; did you mean 'Song'?"))
        #expect(try mistake("trove find music.store Song 'year >'").hasPrefix("trove: "))
        let names = "title, artist, year, rating, released, tags, album"
        #expect(try mistake("trove find music.store Song 'yaer = 1'").hasPrefix("trove: Song has no field named 'yaer'; did you mean 'year'? (it has id, \(names))\n"))
        #expect(try mistake("trove find music.store Song --sort 'titel desc'").hasPrefix("trove: Song has no field named 'titel'; did you mean 'title'? ("))
        #expect(try mistake("trove find music.store Song --select yaer") == "trove: Song has no property 'yaer'; did you mean 'year'? (there are $id, \(names))\n")
        for option in ["limit", "offset"] { #expect(try mistake("trove find music.store Song --\(option) -1").contains("--\(option) is at least 0, not -1")) }
        #expect(try mistake("trove find music.store Song --limit x").contains("The value 'x' is invalid for '--limit <limit>'"))
        #expect(try mistake("trove find music.store Song --wait -2").contains("--wait is from 0 to 86400 seconds, not -2"))
        #expect(try mistake("trove find music.store Song --nonsense").hasPrefix("Error: Unknown option '--nonsense'\n"))
        #expect(try mistake("trove infos") == "trove: there is no command 'infos'; did you mean 'info'?\n")
        #expect(try mistake("trove update music.store") == "trove: there is no command 'update'; did you mean 'set'?\n")
        #expect(try mistake("trove nonsense music.store").hasPrefix("trove: there is no command 'nonsense'; there are info, models, "))
        #expect(try mistake("trove bags lists music.store").hasPrefix("trove: there is no command 'lists'; did you mean 'list'?"))
        #expect(try mistake("trove help fnid") == "trove: there is no command 'fnid'; did you mean 'find'?\n")
        #expect(try mistake("trove music.store").hasPrefix("trove: the command stands before the store: trove info music.store. "))
        // A name on a terminal stays on its line.
        #expect(try mistake("trove find music.store \"$(printf 'a\\033[31mb\\nc')\"").hasPrefix("trove: there is no model 'a\\u{1b}[31mb\\nc'; "))
    }

    @Test(arguments: Engine.persistent) func plansHaveTheirRows(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let rows = try CSVReader.rows(fixture.run("trove explain music.store notes \"author.name = 'Ann'\" -o csv").output)
        #expect(rows.first == ["depth", "kind", "step", "index", "expected", "rows"])
        #expect(rows.contains { $0[1] == "index" && $0[3] == "every path" && $0[5] == "1" })
        let json = try fixture.run("trove explain music.store Song 'year > 0' -o json").output
        #expect(try StoredValue(json: json).value(at: "step.actualRows") == .int(3))
        #expect(try fixture.run("trove explain music.store Song --dry -o table").output.split(separator: "\n").first?.hasSuffix("expected") == true)
    }

    @Test(arguments: Engine.persistent) func aReaderThatGoesEndsItQuietly(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine) { store in
            try store.save((0..<20_000).map { Song(id: $0, title: "song \($0)", artist: "a", year: $0, rating: nil, released: nil) })
        }
        let answer = try fixture.run("{ trove find music.store Song; echo \"status $?\" >&2; } | head -n 1 | cut -c 1-24")
        #expect(answer == .init(status: 0, output: "{\"$model\":\"Song\",\"$id\":0\n", errors: "status 0\n"))
        #expect(try fixture.run("trove verify music.store").errors == "20,000 records and 0 blobs, sound\n")
    }
}
