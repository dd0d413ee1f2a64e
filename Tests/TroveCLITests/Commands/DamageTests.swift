import Foundation
import TestSupport
import Testing
import Trove

@testable import TroveCLI

/// A record whose bytes were overwritten in the file: everything else is saved, and the record deleted.
@Suite struct DamageTests {
    private static let damagedID = "0192f0c1-0000-7000-8000-000000000011"

    /// `music.store` with a hundred notes of which one is damaged, and a song.
    ///
    /// - Parameter others: the ids of more notes to damage.
    private func fixture(_ engine: Engine, others: [String] = []) throws -> CommandFixture {
        let fixture = try CommandFixture(engine) { store in
            try Music.fill(store)
            try store.save((100..<300).map { Song(id: $0, title: "song number \($0)", artist: "a", year: $0, rating: nil, released: nil) })
            let notes = (0..<100).map { (number: Int) -> Document in
                let id = number == 17 ? Self.damagedID : "0192f0c1-0000-7000-8000-0000000001" + (number < 10 ? "0\(number)" : "\(number)")
                return Document(["title": .string("the note of number \(number)"), "number": .int(Int64(number))], id: ObjectID(id)!)
            }
            try store.documents("notes").save(notes)
        }
        // As a failing disk does it: below everything that looks at records.
        let backend = try engine.open(fixture.directory.file("music.store"))
        try backend.write(.durable) { writer in
            for (model, key) in ([Self.damagedID] + others).map({ ("notes", ObjectID($0)!.keyBytes) }) + [("Song", 123.keyBytes)] {
                let keyspace = try #require(try writer.keyspace(named: model))
                var record = try #require(try writer.value(of: key, in: keyspace))
                for place in record.indices.suffix(4) { record[place] ^= 0x55 }
                try writer.put(key, record, in: keyspace)
            }
        }
        try backend.close()
        return fixture
    }

    @Test(arguments: Engine.persistent) func itIsToldByItsIDAndDeleted(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let verified = try fixture.run("trove verify music.store -o csv")
        #expect(verified.status == 1 && verified.output.contains("notes,\(Self.damagedID),") && verified.output.contains("Song,123,"), "\(verified)")
        #expect(verified.output.contains("the record of notes \(Self.damagedID) is damaged"))
        let found = try fixture.run("trove get music.store notes \(Self.damagedID)")
        #expect(found.status == 4 && found.errors.contains("the record of notes \(Self.damagedID) is damaged") && found.errors.contains("'trove delete' deletes it"), "\(found)")
        // By the id, by the bytes of its key as a program's error has them, and of a model that the program does not have.
        let key = "0x" + Self.damagedID.filter { $0 != "-" }
        #expect(try fixture.run("trove delete music.store notes \(key) --dry-run -o csv").output == "change,model,id\ndeleted,notes,\(Self.damagedID)\n")
        #expect(try fixture.run("trove delete music.store notes \(Self.damagedID) --write -o csv") == .init(status: 0, output: "change,model,id\ndeleted,notes,\(Self.damagedID)\n", errors: ""))
        let song = try fixture.run("trove delete music.store Song 123 --write -o csv --values")
        #expect(song.status == 0 && song.output.hasPrefix("change,model,id,before,values\ndeleted,Song,123,") && song.errors.contains("the indexes of Song are built anew when a program"), "\(song)")
        // The indexes are whole again: those of collections at once, those of models once their program opens the store.
        let sound = try fixture.run("trove verify music.store")
        #expect(sound.status == 0, "\(sound)")
        #expect(try fixture.run("trove count music.store notes 'number >= 0'").output == "99\n")
        let store = try ObjectStore(engine.open(fixture.directory.file("music.store")), models: Song.self, Album.self)
        #expect(try store.verify().isSound && store.fetch(Song.self).where { $0.artist == "a" }.count() == 199)
        #expect(try store.indexStatistics().allSatisfy { $0.state == .ready })
        try store.close()
    }

    /// What is deleted is shown though its index cannot be built, for another damaged document.
    @Test(arguments: Engine.persistent) func whatIsStoredIsShown(_ engine: Engine) throws {
        let other = "0192f0c1-0000-7000-8000-000000000118"
        let fixture = try fixture(engine, others: [other])
        let deleted = try fixture.run("trove delete music.store notes \(Self.damagedID) --write -o csv")
        #expect(deleted.status == 4 && deleted.output == "change,model,id\ndeleted,notes,\(Self.damagedID)\n" && deleted.errors.contains("is damaged"), "\(deleted)")
        #expect(try fixture.run("trove get music.store notes \(Self.damagedID)").status == 1)
        #expect(try fixture.run("trove delete music.store notes \(other) --write -o csv").status == 0)
        #expect(try fixture.run("trove count music.store notes 'number >= 0'").output == "98\n")
    }

    /// A collection whose index is not ready hides nothing of the others.
    @Test(arguments: Engine.persistent) func anIndexThatIsNotReady(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let store = try ObjectStore(engine.open(fixture.directory.file("music.store")), indexing: .onRequest, models: [])
        // Nobody can tell what the index has of a damaged document.
        try store.documents("notes").delete(ids: [ObjectID(Self.damagedID)!])
        #expect(throws: TroveError.self) { try store.documents("notes").attributes() }
        try store.close()
        let models = try fixture.run("trove models music.store -o csv")
        #expect(models.status == 0 && models.output.contains("Song,1,title,String"), "\(models)")
        #expect(try fixture.run("trove graph music.store").status == 0)
        try OpenStore.with(engine.open(fixture.directory.file("music.store")), named: "music.store", .readOnly, StoreKeys()) { open in
            let session = ShellSession(path: "music.store", open: open, keys: StoreKeys(), allowsChanges: false)
            let known = try ShellVocabulary(session, commands: [])
            #expect(known.completions(of: "", after: "find ") == ["Album", "Song", "notes"])
        }
    }

    /// A page of zeros in a file of SQLite is read past, and the summary says so.
    @Test func aDamagedPageIsReadPast() throws {
        let fixture = try CommandFixture(.sqlite) { store in
            try Music.fill(store)
            try store.save((1_000..<4_000).map { Song(id: $0, title: "song number \($0)", artist: "a", year: $0, rating: nil, released: nil) })
        }
        let file = URL(filePath: fixture.directory.file("music.store"))
        var contents = [UInt8](try Data(contentsOf: file))
        let size = Int(contents[16]) << 8 | Int(contents[17])
        // The leaf with most songs, or with what an index has of them, has nothing that the opening reads.
        let songs = Array("song number ".utf8)
        let counts = stride(from: size, to: contents.count, by: size).filter { contents[$0] == 0x0A }
            .map { page in (page: page, count: contents[page..<page + size].ranges(of: songs).count) }
        let leaf = try #require(counts.max { $0.count < $1.count }).page
        for place in leaf..<leaf + size { contents[place] = 0 }
        try Data(contents).write(to: file)
        let verified = try fixture.run("trove verify music.store -o csv")
        #expect(verified.status == 1 && verified.output.contains("$engine,,"), "\(verified)")
        #expect(verified.errors.contains("not everything could be read, problems: "), "\(verified.errors)")
        let doctor = try fixture.run("trove doctor music.store -o csv")
        #expect(doctor.output.contains("$engine: SQLite") && doctor.output.contains("not everything could be read"), "\(doctor)")
    }

    @Test(arguments: Engine.persistent) func everythingElseIsSaved(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        #expect(try fixture.run("trove export music.store e.jsonl").status == 4)
        #expect(try fixture.files.contains("e.jsonl") == false)
        let exported = try fixture.run("trove export music.store e.jsonl --skip-damaged")
        #expect(exported.status == 4 && exported.output.hasPrefix("Album: 1, Song: 203, notes: 101, "), "\(exported)")
        #expect(exported.errors.contains("trove: passed over: the record of notes \(Self.damagedID) is damaged") && exported.errors.split(separator: "\n").count == 2, "\(exported)")
        #expect(try fixture.run("trove import new.store e.jsonl --create sqlite --write && trove verify new.store").status == 0)
        for format in ["jsonl", "csv", "table"] {
            #expect(try fixture.run("trove find music.store notes -o \(format)").status == 4)
            let found = try fixture.run("trove find music.store notes 'number >= 0' --sort number --skip-damaged -o \(format)")
            #expect(found.status == 4 && found.output.contains("the note of number 16") && found.output.contains("the note of number 99") && !found.output.contains("number 17"), "\(found)")
            #expect(found.errors.split(separator: "\n").count == 1 && found.errors.contains(Self.damagedID), "\(found.errors)")
        }
        #expect(try fixture.run("trove find music.store Song 'year between 121 and 130' --skip-damaged -o csv --select '$id' --limit 3").output == "$id\n121\n122\n124\n")
        // Where nothing is damaged it says nothing.
        #expect(try fixture.run("trove find music.store Album --skip-damaged -o csv").status == 0)
        let copied = try fixture.run("trove copy music.store copy")
        #expect(copied.status == 4 && copied.errors.contains("trove: copied as it is: the record of notes \(Self.damagedID) is damaged") && copied.errors.split(separator: "\n").count == 2, "\(copied)")
        #expect(try fixture.run("trove verify copy").status == 1)
        let doctor = try fixture.run("trove doctor music.store -o csv")
        #expect(doctor.output.contains("notes \(Self.damagedID): ") && !doctor.output.contains("0x"), "\(doctor)")
    }

    /// Scans 1 to 3, of which the second is damaged, and pages of them.
    private func damagedScan(_ engine: Engine) throws -> CommandFixture {
        let fixture = try CommandFixture(engine, nil)
        let path = fixture.directory.file("music.store")
        let store = try ObjectStore(engine.open(path), models: LazyScan.self, ScannedPage.self)
        try store.save((1...3).map { LazyScan(id: $0, image: Lazy(Data(repeating: UInt8($0), count: 5_000))) })
        try store.save((1...6).map { ScannedPage(id: $0, number: $0 * 10, scan: $0 % 4 == 0 ? nil : Reference(id: $0 % 4)) })
        try store.close()
        let backend = try engine.open(path)
        try backend.write(.durable) { writer in
            let keyspace = try #require(try writer.keyspace(named: "$annexes/LazyScan"))
            var entries: [(key: [UInt8], value: [UInt8])] = []
            try writer.scan(in: keyspace) { key, value in
                entries.append(([UInt8](copying: key), [UInt8](copying: value)))
                return .next
            }
            let damaged = try #require(entries.first { $0.value.filter { $0 == 2 }.count > 4_000 })
            try writer.put(damaged.key, damaged.value.map { $0 ^ 0x55 }, in: keyspace)
        }
        try backend.close()
        return fixture
    }

    /// One behind a reference is that of each record that refers to it.
    @Test(arguments: Engine.persistent) func aLazyValueBehindAReference(_ engine: Engine) throws {
        let fixture = try damagedScan(engine)
        func ids(_ output: String) -> [String] { CSVReader.rows(output).dropFirst().map { $0[0] ?? "" } }
        for (select, wanted) in [("$id,scan.image", ["1", "3", "4", "5"]), ("$id,scan.id", ["1", "2", "3", "4", "5", "6"])] {
            let found = try fixture.run("trove find music.store ScannedPage --sort id --skip-damaged -o csv --select '\(select)'")
            let isWhole = wanted.count == 6
            #expect(found.status == (isWhole ? 0 : 4) && ids(found.output) == wanted, "\(found)")
            #expect(found.errors.matches(of: /trove: passed over: [^\n]*LazyScan 2/).count == (isWhole ? 0 : 2), "\(found.errors)")
        }
        let found = try fixture.run("trove find music.store ScannedPage 'number > 30' --sort 'number desc' --skip-damaged -o csv --select '$id,scan.image,scan.id' --limit 2")
        #expect(found.status == 4 && ids(found.output) == ["5"], "\(found)")
        #expect(try fixture.run("trove find music.store ScannedPage -o csv --select '$id,scan.image'").status == 4)
    }

    /// A lazy value lies apart from its record, and may be damaged by itself. No half of an object is written.
    @Test(arguments: Engine.persistent) func aLazyValue(_ engine: Engine) throws {
        let fixture = try damagedScan(engine)
        for format in ["jsonl", "json", "csv"] {
            let found = try fixture.run("trove find music.store LazyScan --sort id --skip-damaged -o \(format)")
            #expect(found.status == 4 && found.errors.hasPrefix("trove: passed over: ") && found.errors.split(separator: "\n").count == 1, "\(found.errors)")
            let ids = format == "csv" ? CSVReader.rows(found.output).dropFirst().map { $0[0] ?? "" } : found.output.matches(of: /"\$id":([0-9]+)/).map { String($0.1) }
            #expect(ids == ["1", "3"], "\(format)")
        }
        let broken = try fixture.run("trove find music.store LazyScan --sort id -o json")
        #expect(broken.status == 4 && broken.output.hasPrefix("[\n{\"$model\":\"LazyScan\",\"$id\":1,") && broken.output.hasSuffix("}"), "\(broken.output.suffix(60))")
    }
}

@Model private struct LazyScan {
    var id: Int
    var image: Lazy<Data>
}

@Model private struct ScannedPage {
    var id: Int
    var number: Int
    var scan: Reference<LazyScan>?
}
