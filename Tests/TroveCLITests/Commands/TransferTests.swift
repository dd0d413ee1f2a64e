import Foundation
import TestSupport
import Testing

@testable import TroveCLI

/// Exports, imports, copies and backups are the same store again.
@Suite struct TransferTests {
    @Test(arguments: Engine.persistent, StoreEngine.allCases) func aCopyDiffersInNothing(_ engine: Engine, _ target: StoreEngine) throws {
        let fixture = try CommandFixture(engine)
        #expect(try fixture.run("trove copy music.store copy --engine \(target.rawValue)") == .init(status: 0, output: "", errors: ""))
        #expect(try StoreEngine(ofFileAt: fixture.directory.file("copy")) == target)
        #expect(try fixture.run("trove diff music.store copy") == .init(status: 0, output: "", errors: ""))
        #expect(try fixture.run("trove export music.store").output == fixture.run("trove export copy").output)
        #expect(try fixture.run("trove copy music.store copy") == .init(status: 3, output: "", errors: "trove: 'copy' exists; choose another path, or remove it first\n"))
    }

    @Test(arguments: Engine.persistent) func anExportIsImportedAnywhere(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let exported = try fixture.run("trove export music.store music.jsonl")
        #expect(exported == .init(status: 0, output: "Album: 1, Song: 4, notes: 2, 1 bag, 1 value of the metadata, 1 blob\n", errors: ""))
        #expect(try fixture.run("trove export music.store").output == String(decoding: fixture.bytes(of: "music.jsonl"), as: UTF8.self))
        for target in StoreEngine.allCases {
            let line = "trove import \(target.rawValue).store music.jsonl --write --create \(target.rawValue)"
            #expect(try fixture.run(line) == .init(status: 0, output: exported.output, errors: ""))
            #expect(try fixture.run("trove diff music.store \(target.rawValue).store") == .init(status: 0, output: "", errors: ""))
            // Once more changes nothing.
            #expect(try fixture.run(line).status == 0)
            #expect(try fixture.run("trove diff music.store \(target.rawValue).store").status == 0)
        }
        #expect(try fixture.run("trove export music.store music.jsonl").status == 3)
    }

    @Test(arguments: StoreEngine.allCases) func whatCannotBeImportedMakesNoStore(_ engine: StoreEngine) throws {
        let fixture = try CommandFixture(.sqlite, nil)
        _ = try fixture.run("echo nonsense > bad.jsonl")
        #expect(try fixture.run("trove import new bad.jsonl --write --create \(engine.rawValue)").status == 3)
        #expect(try fixture.files == ["bad.jsonl"])
        #expect(try fixture.run("trove import nowhere/new bad.jsonl --write --create \(engine.rawValue)").errors.contains("no directory"))
    }

    @Test(arguments: Engine.persistent) func refusedLinesAreTold(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        _ = try fixture.run("trove export music.store | sed 's/\"year\":1959/\"year\":\"1959\"/' > music.jsonl")
        let all = try fixture.run("trove import new music.jsonl --write --create lmdb")
        #expect(all.status != 0)
        #expect(try fixture.files.contains("new") == false)
        let batches = try fixture.run("trove import new music.jsonl --write --create lmdb --batches")
        #expect(batches.status == 1)
        #expect(batches.output.contains("refused lines: 2\n"))
        #expect(try fixture.run("trove count new Song").output == "2\n")
    }

    @Test(arguments: Engine.persistent) func aBackupIsTheStore(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        #expect(try fixture.run("trove backup music.store saved") == .init(status: 0, output: "", errors: ""))
        #expect(try fixture.run("trove diff music.store saved") == .init(status: 0, output: "", errors: ""))
        #expect(try fixture.run("trove backup music.store saved").status == 3)
    }

    @Test(arguments: Engine.persistent) func blobsComeAndGoThroughPipes(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        #expect(try fixture.run("trove blobs get music.store cover | cksum").output == fixture.run("trove blobs get music.store cover > got; cksum < got").output)
        #expect(try fixture.bytes(of: "got") == Music.cover)
        #expect(try fixture.run("trove blobs put music.store \"$(printf 'a\\033b')\" --write < got").status == 0)
        let rows = try CSVReader.rows(fixture.run("trove blobs list music.store -o csv").output)
        #expect(rows.count == 3)
        #expect(rows.dropFirst().map { $0[0] } == ["a\u{1B}b", "cover"])
        #expect(rows[1][2] == rows[2][2])
        // A hyphen is standard input and output, and no file.
        #expect(try fixture.run("trove blobs put music.store again - --write < got").status == 0)
        #expect(try fixture.run("trove blobs get music.store again - | cksum").output == fixture.run("cksum < got").output)
        #expect(try !fixture.files.contains("-"))
        #expect(try fixture.run("trove blobs get music.store again ./- && cksum < ./-").output == fixture.run("cksum < got").output)
        #expect(try fixture.run("trove blobs put music.store none - --passphrase-file - --write < got").status == 2)
        #expect(try fixture.run("trove blobs put music.store none . --write").errors.contains("it is a directory; name a file"))
        #expect(try fixture.run("trove blobs remove music.store again --write").status == 0)
        #expect(try fixture.run("trove blobs get music.store missing") == .init(status: 1, output: "", errors: "trove: there is no blob 'missing'; 'trove blobs list' has the names\n"))
        #expect(try fixture.run("trove blobs remove music.store missing --write").status == 1)
    }

    @Test(arguments: Engine.persistent) func anExportGoesThroughPipes(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        #expect(try fixture.run("trove export music.store -").output == fixture.run("trove export music.store").output)
        #expect(try !fixture.files.contains("-"))
    }

    #if os(Linux)
    @Test func aFullOutputIsTold() throws {
        let fixture = try CommandFixture(.sqlite)
        for command in ["find music.store Song", "export music.store", "models music.store -o table", "graph music.store", "blobs get music.store cover"] {
            let answer = try fixture.run("trove \(command) > /dev/full")
            #expect(answer == .init(status: 3, output: "", errors: "trove: the answer cannot be written to standard output: No space left on device\n"), "\(command)")
        }
    }
    #endif

    /// The store's file does not get the number of a stream that is closed, where the answer would be written over it.
    @Test(arguments: Engine.persistent) func closedStreamsLeaveTheStoreAsItIs(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let before = try fixture.run("trove export music.store").output
        #expect(try fixture.run("trove find music.store Song >&-").errors.contains("cannot be written to standard output: "))
        #expect(try fixture.run("trove find music.store Nothing 2>&- >&- <&-").status == 3)
        #expect(try fixture.run("trove export music.store").output == before)
        #expect(try fixture.run("trove verify music.store").status == 0)
    }

    /// The engines' own programs find the copies whole.
    @Test(.enabled(if: Tool.missing(of: ["sqlite3", "mdb_stat", "tcbmgr"]).isEmpty, "Scripts/setup installs the engines' programs"), arguments: Engine.persistent)
    func theEnginesProgramsReadTheCopies(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        for target in StoreEngine.allCases { _ = try fixture.run("trove copy music.store \(target.rawValue) --engine \(target.rawValue)") }
        #expect(try fixture.run("sqlite3 sqlite 'PRAGMA integrity_check'").output == "ok\n")
        #expect(try fixture.run("mdb_stat -n lmdb").status == 0)
        #expect(try fixture.run("tcbmgr inform tokyocabinet").output.contains("database type: btree"))
    }
}
