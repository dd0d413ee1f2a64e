import Foundation
import TestSupport
import Testing

@testable import TroveCLI

/// What `import` says and leaves where the store is not there yet.
@Suite struct NewStoreTests {
    @Test(arguments: StoreEngine.allCases) func allThatIsMissingIsSaidAtOnce(_ engine: StoreEngine) throws {
        let fixture = try CommandFixture(.sqlite)
        _ = try fixture.run("trove export music.store music.jsonl")
        let engines = "sqlite, lmdb or tokyocabinet"
        let missing = try fixture.run("trove import new.store music.jsonl")
        #expect(missing == .init(status: 3, output: "", errors: "trove: there is no file 'new.store'; nothing was made. To make the store, say --create with an engine, \(engines), and --write\n"))
        #expect(try fixture.run("trove import new.store music.jsonl --write").errors == "trove: there is no file 'new.store'; nothing was made. To make the store, say --create with an engine, \(engines)\n")
        #expect(try fixture.run("trove import new.store music.jsonl --create \(engine.rawValue)").errors.contains("say --write to allow that"))
        #expect(try fixture.run("trove import new.store nothing.jsonl --create \(engine.rawValue) --write") == .init(status: 3, output: "", errors: "trove: there is no file 'nothing.jsonl' to import\n"))
        #expect(try fixture.files.contains { $0.hasPrefix("new.store") } == false)
        #expect(try fixture.run("trove import new.store music.jsonl --create \(engine.rawValue.uppercased()) --write").status == 0)
        #expect(try fixture.run("trove diff music.store new.store").status == 0)
    }

    @Test(arguments: StoreEngine.allCases) func anExportThatBreaksOffIsTold(_ engine: StoreEngine) throws {
        let fixture = try CommandFixture(.sqlite)
        _ = try fixture.run("trove export music.store | head -n 5 > part.jsonl")
        let made = try fixture.run("trove import new.store part.jsonl --create \(engine.rawValue) --write")
        #expect(made.status == 3 && made.errors.hasPrefix("trove: the export is incomplete: it ends behind line 5, "), "\(made)")
        #expect(try fixture.files.contains { $0.hasPrefix("new.store") } == false)
        let into = try fixture.run("trove import music.store part.jsonl --write")
        #expect(into.errors == made.errors && into.status == 3, "\(into)")
        let taken = try fixture.run("trove import new.store part.jsonl --create \(engine.rawValue) --write --batches")
        #expect(taken.status == 1 && taken.output.contains("the file does not end as a whole export does"), "\(taken)")
        #expect(try fixture.run("trove verify new.store").status == 0)
    }

    /// An export that takes a while to import.
    private func largeExport() throws -> CommandFixture {
        let fixture = try CommandFixture(.sqlite) { store in
            try store.documents("notes").save((0..<60_000).map { ["text": .string("a text of number \($0)"), "number": .int(Int64($0)), "tags": ["a", "b", "c"]] })
        }
        _ = try fixture.run("trove export music.store music.jsonl")
        return fixture
    }

    /// A signal that whoever starts the program lets it ignore, as `nohup` does, stops nothing.
    @Test(arguments: StoreEngine.allCases) func anIgnoredSignalStaysIgnored(_ engine: StoreEngine) throws {
        let fixture = try largeExport()
        let command = "trap '' HUP; trove import new.store music.jsonl --create \(engine.rawValue) --write > /dev/null &"
        let answer = try fixture.run("\(command) while [ ! -e new.store ] && kill -0 $! 2> /dev/null; do sleep 0.01; done; sleep 0.1; kill -HUP $! 2> /dev/null; wait $!; echo $?")
        #expect(answer == .init(status: 0, output: "0\n", errors: ""))
        #expect(try fixture.run("trove count new.store notes").output == "60000\n")
    }

    /// What an interrupt stops leaves nothing.
    @Test(arguments: StoreEngine.allCases) func anInterruptLeavesNothing(_ engine: StoreEngine) throws {
        let fixture = try largeExport()
        let command = "trove import new.store music.jsonl --create \(engine.rawValue) --write &"
        let line = "\(command) while [ ! -e new.store ] && kill -0 $! 2> /dev/null; do sleep 0.01; done; sleep 0.1; kill -TERM $!; wait $!; echo $?"
        let answer = try fixture.run(line)
        #expect(answer.output == "130\n" && answer.errors == "trove: stopped\n", "\(answer)")
        #expect(try fixture.files.filter { $0.hasPrefix("new.store") } == [])
    }

    /// What comes to be at the path after it was looked at is somebody else's: a link that leads nowhere yet stands for it.
    @Test(arguments: StoreEngine.allCases) func whatIsNotMadeIsNotDestroyed(_ engine: StoreEngine) throws {
        let fixture = try CommandFixture(.sqlite)
        _ = try fixture.run("trove export music.store music.jsonl; head -n 5 music.jsonl > part.jsonl; ln -s other.store new.store")
        for file in ["music.jsonl", "part.jsonl"] {
            let answer = try fixture.run("trove import new.store \(file) --create \(engine.rawValue) --write")
            #expect(answer == .init(status: 3, output: "", errors: "trove: 'new.store' exists; choose another path, or remove it first\n"))
            #expect(try fixture.files.filter { $0.hasPrefix("other.store") || $0.hasPrefix("new.store") } == ["new.store"])
        }
        // Where no store can be made, the empty file goes too.
        let key = try fixture.run("trove import own.store music.jsonl --create \(engine.rawValue) --write --key-file nothing")
        #expect(key.status == 3 && key.errors.contains("'nothing' cannot be read"), "\(key)")
        let directory = try fixture.run("trove import nowhere/own.store music.jsonl --create \(engine.rawValue) --write")
        #expect(directory.status == 3, "\(directory)")
        #expect(try fixture.files.filter { $0.hasPrefix("own.store") } == [])
    }

    @Test func filesThatAreNoStores() throws {
        let fixture = try CommandFixture(.sqlite)
        _ = try fixture.run("trove export music.store music.jsonl; mkdir adir")
        #expect(try fixture.run("trove info music.jsonl") == .init(
            status: 3, output: "", errors: "trove: 'music.jsonl' is an export of trove and no store; 'trove import STORE music.jsonl --create sqlite --write' makes a store of it\n"))
        for command in ["export", "copy", "backup"] {
            #expect(try fixture.run("trove \(command) music.store adir") == .init(status: 3, output: "", errors: "trove: 'adir' is a directory; name the file to make in it\n"))
        }
        #expect(try fixture.run("trove --version").output.hasPrefix("trove, "))
        #expect(try fixture.run("trove copy music.store other --engine LMDB && trove index other -o CSV | head -n 1").output == "model,index,kind,parts,made by,state,entries,bytes\n")
        let size = try FileManager.default.attributesOfItem(atPath: fixture.directory.file("other"))[.size] as? Int
        #expect(try fixture.run("trove info other").output.contains("\"fileSize\":\(size ?? 0),"))
    }
}
