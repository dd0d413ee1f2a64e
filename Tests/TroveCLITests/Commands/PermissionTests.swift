import Foundation
import TestSupport
import Testing
import Trove
import TroveCrypto

/// What is not allowed, and what is no store, is left as it was.
@Suite struct PermissionTests {
    private static let changing = [
        ("import", "trove import music.store music.jsonl"), ("compact", "trove compact music.store"),
        ("index create", "trove index create music.store notes x title"), ("index drop", "trove index drop music.store notes x"), ("index rebuild", "trove index rebuild music.store notes"),
        ("blobs put", "trove blobs put music.store x music.jsonl"), ("blobs remove", "trove blobs remove music.store cover"),
        ("insert", "trove insert music.store notes '{}'"), ("set", "trove set music.store Song 2 year=1"), ("edit", "trove edit music.store Song 2 --editor false"),
        ("delete", "trove delete music.store Song 2"), ("keys add", "trove keys add music.store"),
        ("keys change", "trove keys change music.store"), ("keys rotate", "trove keys rotate music.store"), ("keys remove", "trove keys remove music.store"),
    ]

    @Test(arguments: Engine.persistent) func nothingIsChangedWithoutWrite(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        _ = try fixture.run("trove export music.store music.jsonl")
        for (name, line) in Self.changing {
            #expect(try fixture.run(line) == .init(status: 2, output: "", errors: "trove: '\(name)' changes the store; say --write to allow that\n"))
        }
        #expect(try fixture.run("trove export music.store").output == String(decoding: fixture.bytes(of: "music.jsonl"), as: UTF8.self))
    }

    @Test(arguments: Engine.persistent) func lookingLeavesTheStoresBytes(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let before = try fixture.bytes(of: "music.store")
        for line in ["info", "models", "verify", "doctor", "find", "index list", "blobs list", "bags list"] {
            #expect(try fixture.run("trove \(line) music.store" + (line == "find" ? " Song" : "")).status == 0)
        }
        #expect(try fixture.bytes(of: "music.store") == before)
    }

    @Test(arguments: [
        "info x", "models x", "find x Song", "get x Song 1", "count x Song", "group x Song", "explain x Song", "export x", "copy x y", "backup x y", "verify x",
        "compact x --write", "index list x", "index create x a b c --write", "index drop x a b --write", "index rebuild x a --write", "blobs list x", "blobs get x a", "blobs put x a --write",
        "blobs remove x a --write", "insert x Song {} --write", "set x Song 1 year=1 --write", "edit x Song 1 --write", "delete x Song 1 --write", "delete x Song 1 --dry-run", "serve x", "serve x --write", "bags list x", "bags show x a", "diff x x", "watch x",
        "shell x", "keys status x", "keys add x --new-passphrase-env HOME --write", "keys change x --new-passphrase-env HOME --write", "keys rotate x --write", "keys remove x --write", "leakage x",
    ])
    func whereNothingIsNothingIsMade(_ line: String) throws {
        let fixture = try CommandFixture(.sqlite, nil)
        #expect(try fixture.run("trove \(line)") == .init(status: 3, output: "", errors: "trove: there is no file 'x'; nothing was made\n"))
        #expect(try fixture.files == [])
    }

    @Test func whatIsNoStoreIsTold() throws {
        let fixture = try CommandFixture(.sqlite, nil)
        _ = try fixture.run("mkdir plain lmdb; touch lmdb/data.mdb empty; mkfifo pipe; printf 'hello, this is a text' > text; ln -s nowhere link")
        let files = try fixture.files
        for (name, message) in [
            ("plain", "'plain' is a directory; name the store's file in it"),
            ("lmdb", "'lmdb' is a directory with LMDB's data.mdb, as other programs keep it; a store of Trove is a single file"),
            ("empty", "'empty' is empty; it is no store"), ("pipe", "'pipe' is no regular file, so no store can be in it"),
            ("text", "'text' begins neither as a file of SQLite nor of LMDB nor of Tokyo Cabinet; it is no store"), ("link", "there is no file 'link'; nothing was made"),
        ] {
            #expect(try fixture.run("trove info \(name)") == .init(status: 3, output: "", errors: "trove: \(message)\n"))
            let rows = try CSVReader.rows(fixture.run("trove doctor \(name) -o csv").output)
            #expect(rows.map { $0[0] } == ["level", "wrong"])
            #expect(rows.last?[2]?.isEmpty == false)
        }
        #expect(try fixture.files == files)
    }

    @Test(.enabled(if: Tool.isInstalled("sqlite3"), "Scripts/setup installs the engines' programs")) func aDatabaseOfAnotherProgramIsNoStore() throws {
        let fixture = try CommandFixture(.sqlite, nil)
        let path = fixture.directory.file("other.db")
        #expect(try Tool.run("sqlite3", [path, "CREATE TABLE t (a); INSERT INTO t VALUES (1)"]).status == 0)
        let before = try fixture.bytes(of: "other.db")
        let answer = try fixture.run("trove info other.db")
        #expect(answer.status == 3)
        #expect(answer.errors.contains("another program"))
        #expect(try fixture.bytes(of: "other.db") == before)
    }

    @Test(arguments: Engine.persistent) func anEncryptedStoreIsTold(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine, nil)
        let sealed = try EncryptedBackend(engine.open(fixture.directory.file("music.store")), key: .raw([UInt8](repeating: 7, count: 32)))
        let store = try ObjectStore(sealed, models: Song.self, Album.self)
        try Music.fill(store)
        try store.close()
        let answer = try fixture.run("trove find music.store Song < /dev/null")
        #expect(answer.status == 3)
        #expect(answer.output.isEmpty)
        #expect(answer.errors.contains("is encrypted; give its key"))
    }

    @Test(arguments: Engine.persistent) func aDamagedStoreIsTold(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine) { store in
            try store.save((0..<2_000).map { Song(id: $0, title: "song number \($0)", artist: "a", year: $0, rating: nil, released: nil) })
        }
        // A byte of a title, which only the record's checksum tells.
        var bytes = try fixture.bytes(of: "music.store")
        let place = try #require(bytes.range(of: Data("song number 1234".utf8)))
        bytes[place.lowerBound] = UInt8(ascii: "S")
        try bytes.write(to: URL(filePath: fixture.directory.file("music.store")))
        let verified = try fixture.run("trove verify music.store -o csv")
        #expect(verified.status == 1)
        #expect(CSVReader.rows(verified.output).dropFirst().contains { $0[0] == "Song" })
        let found = try fixture.run("trove find music.store Song")
        #expect(found.status == 4)
        // What to do is said in the words of the command line.
        #expect(found.errors.contains("is damaged") && found.errors.contains("'trove delete' deletes it") && !found.errors.contains("indexing:"), "\(found.errors)")
        #expect(verified.errors.contains("'trove delete' deletes it") && !verified.errors.contains("trove verify"), "\(verified.errors)")
        // What stands before the damage was found.
        #expect(found.output.split(separator: "\n").count == 1_234)
        let doctor = try fixture.run("trove doctor music.store -o csv")
        #expect(doctor.status == 1)
        #expect(CSVReader.rows(doctor.output).contains { $0[0] == "wrong" && $0[2]?.contains("'trove delete' deletes it; a backup may have it whole") == true })
        #expect(try fixture.run("trove doctor music.store --quick").status == 0)
    }
}
