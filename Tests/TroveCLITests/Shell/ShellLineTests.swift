import Testing

@testable import TroveCLI

/// How a shell reads lines.
@Suite struct ShellLineTests {
    private func line(_ text: String) throws -> ShellLine? { try ShellLine(text, commands: ["find", "bags"], models: ["Song", "find"]) }

    @Test func theFirstWordTellsWhatALineIs() throws {
        #expect(try line("  ") == nil)
        #expect(try line("Song") == .query(model: "Song", criteria: nil))
        #expect(try line(" Song  title = 'it''s \"x\" \\' and year > 5 ") == .query(model: "Song", criteria: #"title = 'it''s "x" \' and year > 5"#))
        #expect(try line("find Song 'year > 1' -o csv") == .command(["find", "Song", "year > 1", "-o", "csv"]))
        #expect(try line(".mode csv") == .setting(name: "mode", argument: "csv"))
        #expect(try line(".quit") == .setting(name: "quit", argument: nil) && line("quit") == .setting(name: "quit", argument: nil))
        #expect(throws: CommandError.self) { try line("Album x") }
        #expect(throws: CommandError.self) { try line("find Song 'x") }
    }

    @Test func wordsAreThoseOfAShell() throws {
        #expect(try ShellLine.words(#"a 'b "c' "d 'e\" f" g\ h '' i'j'k"#) == ["a", #"b "c"#, #"d 'e" f"#, "g h", "", "ijk"])
        #expect(try ShellLine.words(#"'a\b' "a\\b" 日本 "#) == [#"a\b"#, #"a\b"#, "日本"])
        #expect(throws: CommandError.self) { try ShellLine.words("a \"b") }
    }

    @Test(arguments: [("Song title = 'So", true), ("Song title = 'So'", false), ("find Song \\", true), ("Song title = \"it's\"", false), ("", false), (#"find Song it\'s"#, false), (#"find Song "a \" b"#, true), (#"find Song 'a\'"#, false)])
    func openLinesGoOn(_ text: String, _ goesOn: Bool) { #expect(ShellLine.goesOn(text) == goesOn) }
}
