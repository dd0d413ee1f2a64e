import Foundation
import TestSupport
import Testing
import Trove
import TroveBackendKit
import TroveTesting

@testable import TroveCLI
@testable import TroveStoreTools

/// What other programs change, as they do.
@Suite struct WatchTests {
    /// Engines that let a second program in.
    private static let shared = Engine.persistent.filter { $0 != .tokyoCabinet }

    /// Each look shows what became of every record since the last one, against a plain dictionary of the records.
    @Test(arguments: shared) func looksAgreeWithADictionary(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let store = try ObjectStore(engine.open(fixture.directory.file("music.store")), models: Song.self, Album.self)
        defer { try? store.close() }
        var watcher = try StoreWatcher(store, ["Song"], "year > 1950")
        var random = SeededGenerator(seed: 15)
        var known = Dictionary(uniqueKeysWithValues: Music.songs.filter { $0.year > 1_950 }.map { ($0.id, $0) })
        for _ in 0..<40 {
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let id = Int.random(in: 1...8, using: &random)
                if Int.random(in: 0...3, using: &random) == 0 {
                    try store.delete(Song.self, id: id)
                } else {
                    let year = Int.random(in: 1_940...1_970, using: &random)
                    try store.save(Song(id: id, title: "t\(Int.random(in: 0...2, using: &random))", artist: "a", year: year, rating: nil, released: nil))
                }
            }
            let now = Dictionary(uniqueKeysWithValues: try store.fetch(Song.self).all().filter { $0.year > 1_950 }.map { ($0.id, $0) })
            var changes: [StoreWatcher.Change] = []
            try watcher.look { changes.append($0) }
            var kinds: [Int: String] = [:]
            for change in changes {
                guard case .int(let id) = try change.model.ids.value(of: change.key) else { continue }
                kinds[Int(id)] = change.kind.rawValue
                let names = Set(change.values.map(\.name))
                if change.kind == .changed, let old = known[Int(id)], let new = now[Int(id)] {
                    #expect(names.contains("title") == (old.title != new.title) && names.contains("year") == (old.year != new.year) && !names.contains("artist"))
                }
            }
            var expected: [Int: String] = [:]
            for id in Set(known.keys).union(now.keys) where known[id] != now[id] {
                expected[id] = known[id] == nil ? "inserted" : now[id] == nil ? "deleted" : "changed"
            }
            #expect(kinds == expected)
            known = now
        }
    }

    /// Changes that a hash of values does not show: nine levels deep, from one zero to the other, of what is encrypted.
    @Test(arguments: shared) func changesThatAreHardToSee(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        try fixture.addEncryptedStores(engine)
        let store = try ObjectStore(engine.open(fixture.directory.file("music.store")), models: Song.self, Album.self)
        defer { try? store.close() }
        func nested(_ value: StoredValue) -> Document {
            Document(.object(["deep": (0..<10).reduce(value) { inner, _ in .array([inner]) }]), id: Music.noteIDs[0])
        }
        let song = Song(id: 3, title: "", artist: "a", year: 1, rating: 0.0, released: nil)
        try store.documents("notes").save(nested(1))
        try store.save(song)
        var watcher = try StoreWatcher(store, [], nil)
        func changes(_ watcher: inout StoreWatcher) throws -> [String] {
            var found: [String] = []
            try watcher.look { found.append("\($0.kind) \($0.model.name) \($0.values.map(\.name))") }
            return found
        }
        try store.documents("notes").save(nested(2))
        #expect(try changes(&watcher) == [#"changed notes ["deep"]"#])
        var other = song
        other.rating = -0.0
        try store.save(other)
        #expect(try changes(&watcher) == [#"changed Song ["rating"]"#])
        // A number that is none is the same as itself.
        other.rating = .nan
        try store.save(other)
        #expect(try changes(&watcher) == [#"changed Song ["rating"]"#])
        try store.save(Song(id: 2, title: "Autumn Leaves", artist: "Bill Evans", year: 1960, rating: nil, released: nil))
        #expect(try changes(&watcher) == [#"changed Song ["year"]"#])

        let wardFile = fixture.directory.file("ward.store")
        let blind = try ObjectStore(engine.open(wardFile), access: .readOnly, indexing: .onRequest, models: [])
        defer { try? blind.close() }
        var guardian = try StoreWatcher(blind, ["Patient"], nil)
        let answer = try fixture.run("trove set ward.store Patient 3 diagnosis=cold --write --field-passphrase-env WARD", environment: CommandFixture.passphrases)
        #expect(answer.status == 0, "\(answer)")
        #expect(try changes(&guardian) == ["changed Patient []"])
    }

    @Test(arguments: shared) func anotherProgramIsWatched(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let line = """
            trove watch music.store --changes 4 --seconds 60 --interval 0.05 -o csv > seen & sleep 0.5
            trove set music.store Song 2 rating=3 --write && sleep 0.3
            trove insert music.store notes '{"title":"Reef"}' --write > /dev/null && trove delete music.store Album 'Kind of Blue' --write; wait
            """
        let answer = try fixture.run(line)
        #expect(answer.status == 0 && answer.errors.isEmpty, "\(answer)")
        let rows = try CSVReader.rows(String(decoding: fixture.bytes(of: "seen"), as: UTF8.self))
        #expect(rows[0] == ["time", "change", "model", "$id", "values"])
        let seen = rows.dropFirst().map { [$0[1], $0[2], $0[4]] }
        #expect(Set(seen) == [["changed", "Song", #"{"rating":3.0}"#], ["inserted", "notes", #"{"title":"Reef"}"#], ["deleted", "Album", nil], ["changed", "Song", #"{"album":null}"#]])
    }

    /// A signal ends what goes on as time does, and the answer is whole.
    @Test(arguments: shared) func aSignalEndsIt(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let line = """
            trove watch music.store Song -o json --interval 0.05 --seconds 300 > seen & i=0
            until [ -s seen ] || [ $i -gt 300 ]; do i=$((i+1)); trove set music.store Song 2 rating=$i --write > /dev/null; done
            kill -TERM $!; wait $!; echo $?
            trove mirror music.store songs --watch --seconds 300 --write > told & i=0; until [ -s told ] || [ $i -gt 900 ]; do i=$((i+1)); sleep 0.05; done
            kill -HUP $!; wait $!; [ $? -lt 2 ]; echo $?
            """
        let answer = try fixture.run(line)
        #expect(answer == .init(status: 0, output: "0\n0\n", errors: ""))
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(fixture.bytes(of: "seen"))) as? [[String: Any]])
        #expect(rows.first?["change"] as? String == "changed")
    }

    /// A damaged catalogue may have a name twice.
    @Test func aNameThatIsThereTwice() throws {
        let fixture = try CommandFixture(.sqlite)
        let store = try ObjectStore(Engine.sqlite.open(fixture.directory.file("music.store")), models: Song.self, Album.self)
        let change = StoreWatcher.Change(kind: .inserted, model: try StoreModels(store)["Song"], key: [1], values: [("title", "a"), ("title", "b"), ("year", 1)])
        #expect(change.valuesByName == .object(["title": "a", "year": 1]))
        try store.close()
    }

    @Test func whereOneProgramIsLetInNobodyWatches() throws {
        let answer = try CommandFixture(.tokyoCabinet).run("trove watch music.store --seconds 1")
        #expect(answer == .init(status: 3, output: "", errors: "trove: Tokyo Cabinet lets one program at a time have a store open, so nobody can watch another one write\n"))
    }

    @Test(arguments: ["Nothing", "Song 'year >'", "--interval 0", "--changes 0", "--seconds=-1"]) func mistakesAreTold(_ arguments: String) throws {
        #expect(try CommandFixture(.sqlite).run("trove watch music.store \(arguments)").status == 2)
    }

    /// It would end at once, and say nothing of it.
    @Test func aMirrorDoesNotGoOnByTheTimeAlone() throws {
        let answer = try CommandFixture(.sqlite).run("trove mirror music.store songs --seconds 5 --write")
        #expect(answer.status == 2 && answer.errors.contains("--watch"), "\(answer)")
    }

    @Test func aFileThatWasJustWrittenIsLookedAtAgain() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("x")
        try Data([1]).write(to: URL(filePath: path))
        #expect(!StoreStamp(ofStoreAt: path).isSettled)
        let before = StoreStamp(ofStoreAt: path)
        try Data([1, 2]).write(to: URL(filePath: path))
        #expect(StoreStamp(ofStoreAt: path) != before)
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: path)
        #expect(StoreStamp(ofStoreAt: path).isSettled)
        try Data([1]).write(to: URL(filePath: path + "-wal"))
        #expect(!StoreStamp(ofStoreAt: path).isSettled)
    }
}
