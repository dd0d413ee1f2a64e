import Foundation
import TestSupport
import Testing
import Trove

@testable import TroveCLI

/// Lines on one open store.
@Suite struct ShellTests {
    private func run(_ lines: [String], _ engine: Engine, options: String = "", environment: [String: String] = [:]) throws -> CommandFixture.Answer {
        let fixture = try CommandFixture(engine)
        try lines.joined(separator: "\n").write(toFile: fixture.directory.file("lines"), atomically: true, encoding: .utf8)
        return try fixture.run("trove shell music.store \(options) < lines", environment: environment)
    }

    @Test(arguments: Engine.persistent) func linesAreQueriesAndCommands(_ engine: Engine) throws {
        let answer = try run(
            [
                "Song year = 1959 order by title limit 1", "count Song", "find Song 'year > 1958' --sort title --select title -o csv", ".mode csv", "Album", "bags show tonight", "",
                "Song title = 'So", "What'", "find Song \\", "'id = 1' --select title",
            ], engine)
        #expect(
            answer == .init(
                status: 0,
                output: """
                    {"$model":"Song","$id":2,"title":"Autumn Leaves","artist":"Bill Evans","year":1959,"rating":null,"released":null,"tags":[],"album":null}
                    4
                    title
                    Autumn Leaves
                    So What
                    "red\u{1B}[31m \u{202E}txt.exe
                    second, ""quoted"" 🎷 日本語"
                    $id,number
                    Kind of Blue,1
                    position,model,$id
                    0,Song,2
                    1,Song,1
                    $id,title,artist,year,rating,released,tags,album
                    title
                    So What

                    """, errors: ""))
    }

    @Test(arguments: Engine.persistent) func aShellChangesOnlyWithWrite(_ engine: Engine) throws {
        let refused = try run(["set Song 1 year=1", "count Song"], engine)
        #expect(refused == .init(status: 2, output: "", errors: "trove: line 1: 'set' changes the store; say --write to allow that\n"))
        let tried = try run(["delete Album 'Kind of Blue' --dry-run", "count Album"], engine)
        if engine == .tokyoCabinet {
            // The shell has the store, and nobody else may change it, a second opening in the same program neither.
            #expect(tried.status == 0 || tried.status == 3)
        } else {
            #expect(tried.status == 0 && tried.output.hasSuffix("\n1\n") && tried.output.contains(#""change":"deleted""#), "\(tried)")
        }
        let written = try run(["set Song 1 year=1960", "Song year = 1960", "delete Song 1 --dry-run -o csv", "count Song 'id = 1'"], engine, options: "--write")
        #expect(written.status == 0 && written.errors.isEmpty)
        #expect(written.output.contains(#""year":1960"#) && written.output.contains("change,model,id\ndeleted,Song,1\n") && written.output.hasSuffix("\n1\n"), "\(written.output)")
    }

    @Test func settingsHold() throws {
        let timed = try run([".timing on", "count Song", ".timing off", "count Song"], .sqlite)
        #expect(timed.output.wholeMatch(of: /4\n[0-9.]+ s\n4\n/) != nil, "\(timed.output)")
        let planned = try run([".plans on", "notes author.name = 'Ann' order by title"], .sqlite)
        #expect(planned.output.contains("every path") && planned.output.contains(#""title":"Fjord""#))
        #expect(try run([".models Album", ".quit", "count Song"], .sqlite).output.contains("number"))
        #expect(try run([".help", "help count"], .sqlite).output.contains("trove count"))
    }

    /// The first line that fails ends a file of lines; one that finds nothing does not.
    @Test(arguments: [
        ("nothing here", "'nothing' is no command and no model"), ("song year > 5", "did you mean 'Song'?"), ("update Song", "did you mean 'set'?"), (".colour on", "'.colour' is nothing"), (".timing maybe", "say .timing on or .timing off"),
        (".mode xml", "'xml' is no mode"), ("Song year >", "expected a field, a value or a parameter"), ("shell x", "begun outside of a shell"), ("find Song 'x", "no second one"), ("find Nothing", "no model 'Nothing'"),
    ])
    func mistakesEndIt(_ line: String, _ message: String) throws {
        let answer = try run(["Song year = 5", "count Song", line, "count Song"], .lmdb)
        #expect(answer.status == 2 && answer.output == "4\n" && answer.errors.contains(message) && answer.errors.contains("line 3: "), "\(answer)")
    }

    /// So does a change that a rule refuses, though its status is 1.
    @Test(arguments: Engine.persistent, ["insert Album '{\"$id\":\"x\",\"number\":1}'", "delete Song 99", "blobs remove nothing"])
    func aRefusedChangeEndsIt(_ engine: Engine, _ line: String) throws {
        let answer = try run(["Song year = 5", line, "count Song"], engine, options: "--write")
        #expect(answer.status == 1 && answer.output.isEmpty && answer.errors.hasPrefix("trove: line 2: "), "\(answer)")
    }

    @Test(arguments: Engine.persistent) func anEncryptedStoreIsAskedForItsKeyOnce(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        try fixture.addEncryptedStores(engine)
        let line = "printf 'count Song\\nset Song 1 year=1\\ncount Song \"year = 1\"\\n' | trove shell sealed.store --passphrase-env MUSIC --write"
        let answer = try fixture.run(line, environment: CommandFixture.passphrases)
        #expect(answer.status == 0 && answer.output.hasPrefix("4\n") && answer.output.hasSuffix("\n1\n"), "\(answer)")
    }

    /// Nor is who typed the passphrase asked for it again by a line that opens the store once more, or another one.
    @Test(arguments: Engine.persistent) func aPassphraseIsAskedForOnce(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        try fixture.addEncryptedStores(engine)
        #expect(try fixture.run("trove copy sealed.store other.store --passphrase-env MUSIC --new-passphrase-env MUSIC", environment: CommandFixture.passphrases).status == 0)
        let compared = try fixture.run(#"printf 'so what\ndiff other.store\ncount Song\n' | trove shell sealed.store --passphrase-file -"#)
        #expect(compared == .init(status: 0, output: "4\n", errors: ""))
        // Tokyo Cabinet does not open a store twice.
        guard engine != .tokyoCabinet else { return }
        let sealed = try fixture.run(#"printf 'so what\nset Song 1 year=1 --dry-run\ncount Song\n' | trove shell sealed.store --passphrase-file -"#)
        #expect(sealed == .init(status: 0, output: "{\"change\":\"changed\",\"model\":\"Song\",\"id\":1}\n4\n", errors: ""))
        let ward = try fixture.run(#"printf 'all blues\nset Patient 3 diagnosis=cold --dry-run\ncount Patient\n' | trove shell ward.store --field-passphrase-file -"#)
        #expect(ward == .init(status: 0, output: "{\"change\":\"changed\",\"model\":\"Patient\",\"id\":3}\n40\n", errors: ""))
    }

    /// A command of a file of lines reads none of the lines behind it.
    @Test(arguments: Engine.persistent) func linesAreNoInputOfCommands(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let look = "trove blobs list music.store -o csv; trove export music.store"
        let before = try fixture.run(look).output
        for line in ["blobs put cover", "blobs put cover -", "insert notes", "insert notes --dry-run"] {
            let answer = try fixture.run("printf '%s\\n' '\(line)' '{\"a\": 1}' | trove shell music.store --write")
            #expect(answer.status == 2 && answer.output.isEmpty && answer.errors.hasPrefix("trove: line 1: standard input has the lines"), "\(line): \(answer)")
        }
        #expect(try fixture.run(look).output == before)
    }

    @Test func wordsAreCompleted() throws {
        let fixture = try CommandFixture(.sqlite)
        let backend = try Engine.sqlite.open(fixture.directory.file("music.store"))
        try OpenStore.with(backend, named: "music.store", .readOnly, StoreKeys()) { open in
            let session = ShellSession(path: "music.store", open: open, keys: StoreKeys(), allowsChanges: false)
            let known = try ShellVocabulary(session, commands: ["find", "count"])
            #expect(known.completions(of: "S", after: "") == ["Song"])
            #expect(known.completions(of: "fi", after: "") == ["find"])
            #expect(known.completions(of: ".t", after: "") == [".timing"])
            #expect(known.completions(of: "", after: "find ") == ["Album", "Song", "notes"])
            #expect(known.completions(of: "t", after: "Song ") == ["title", "tags"])
            #expect(known.completions(of: "ye", after: "find Song \"artist = 'x' and ") == ["year"])
            #expect(known.completions(of: "auth", after: "notes ") == ["author", "author.born", "author.name"])
            #expect(known.completions(of: "ord", after: "Song year > 5 ") == ["order by"])
            #expect(known.completions(of: "c", after: ".mode ") == ["csv"])
            #expect(known.completions(of: "x", after: "Song ") == [])
            #expect(known.completions(of: "ra", after: "group Song --by artist --average ") == ["rating"])
            #expect(known.completions(of: "--av", after: "group Song --by artist ") == ["--average"])
        }
    }

    /// Lines of a person, of which none is asked for.
    private final class NoLines: LineSource {
        let isInteractive = true
        func next(_ prompt: String, _ vocabulary: ShellVocabulary) throws -> String? { nil }
        func remember(_ line: String) {}
    }

    /// What has been stored since the prompt before can be completed, whatever the store's files tell, and is read only then.
    @Test(arguments: Engine.allCases) func wordsOfNewCommits(_ engine: Engine) throws {
        let directory = try TemporaryDirectory()
        try OpenStore.with(engine.open(directory.file("music.store")), named: "music.store", .readWrite, StoreKeys(), isNew: true) { open in
            let store = open.store
            var shell = Shell(ShellSession(path: "music.store", open: open, keys: StoreKeys(), allowsChanges: true), NoLines())
            #expect(try shell.currentVocabulary().completions(of: "", after: "find ") == [])
            for number in 1...3 {
                try store.documents("notes\(number)").save(["a": 1])
                let names = (1...number).map { "notes\($0)" }
                for _ in 0..<2 { #expect(try shell.currentVocabulary().completions(of: "", after: "find ") == names) }
            }
        }
    }

    /// At a terminal: prompts, editing, history and completion by libedit.
    @Test(.enabled(if: Libedit.installed != nil && TypedTerminal.isAvailable, "needs libedit"))
    func aTerminalHasHistoryAndCompletion() throws {
        let fixture = try CommandFixture(.sqlite)
        let terminal = try fixture.terminal("trove shell music.store", environment: ["TROVE_HISTORY": "typed", "TERM": "xterm", "HOME": fixture.directory.path])
        let prompt = "music.store> "
        try terminal.wait(for: prompt)
        // What a person types: Tab after three letters, and control-P for the line before.
        try terminal.type("Alb\tnumber = 1\n", until: "Kind of Blue", prompt)
        try terminal.type("count So\t\n", until: "\n4\n", prompt)
        try terminal.type("\u{10}\n", until: "\n4\n", prompt)
        try terminal.type(".quit\n")
        #expect(try terminal.waitForEnd() == .exit(0), "\(terminal.screen)")
        let history = try String(decoding: fixture.bytes(of: "typed"), as: UTF8.self)
        #expect(history.contains("Album") && history.contains("count\\040Song"), "\(history)")
        let mode = try FileManager.default.attributesOfItem(atPath: fixture.directory.file("typed"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    /// Control-C drops the line that is typed, or stops the command that runs, and the shell goes on.
    @Test(.enabled(if: TypedTerminal.isAvailable), arguments: ["xterm", "dumb"]) func controlCEndsALineOrACommand(_ kind: String) throws {
        let fixture = try CommandFixture(.sqlite)
        let terminal = try fixture.terminal("trove shell music.store --write", environment: ["TROVE_HISTORY": "", "TERM": kind, "HOME": fixture.directory.path])
        let (prompt, controlC) = ("music.store> ", "\u{3}")
        try terminal.wait(for: "SQLite, 3 models: Album, Song, notes. .help tells what can be typed")
        try terminal.wait(for: prompt)
        // A line that is dropped, one that goes on in quotes, and a command that watches.
        try terminal.type("count Nothing", until: "count Nothing")
        try terminal.type(controlC, until: prompt)
        try terminal.type("Song title = 'x\n", until: "the line goes on; control-C drops it, and a quotation mark ends the text", "...> ")
        try terminal.type("y", until: "y")
        try terminal.type(controlC, until: prompt)
        try terminal.type("watch Song\n", until: "watching; control-C ends it")
        try terminal.type(controlC, until: prompt)
        // Objects that are typed: all are dropped.
        try terminal.type("insert notes\n", until: "control-C drops them all")
        try terminal.type("{\"title\":\"x\"}\n", until: "\"x\"}")
        try terminal.type(controlC, until: prompt)
        try terminal.type("count notes\n", until: "\n2\n", prompt)
        try terminal.type("count Song\n", until: "\n4\n", prompt)
        try terminal.type(".quit\n")
        #expect(try terminal.waitForEnd() == .exit(0), "\(terminal.screen)")
        #expect(!terminal.screen.contains("no model 'Nothing'"), "\(terminal.screen)")
    }
}
