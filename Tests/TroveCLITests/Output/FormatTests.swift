import Foundation
import TestSupport
import Testing
import Trove

/// The same records in each format, with values that terminals, spreadsheets and Markdown would take for more than text.
@Suite struct FormatTests {
    private static let line = "trove find music.store Song --select '$id,title,artist,rating,tags'"

    @Test(arguments: Engine.persistent) func tables(_ engine: Engine) throws {
        let expected = #"""
              $id  title                                                      artist        rating  tags
            Int64  String                                                     String       Double?  [String]
            ─────  ─────────────────────────────────────────────────────────  ───────────  ───────  ────────────────
                1  So What                                                    Miles Davis      4.5  ["modal","live"]
                2  Autumn Leaves                                              Bill Evans         ∅  []
                3  ""                                                         =1+1            -0.5  []
                4  red\u{1b}[31m \u{202e}txt.exe\nsecond, "quoted" 🎷 日本語  "∅"           1e+300  ["a|b","<i>"]

            """#
        #expect(try CommandFixture(engine).run(Self.line + " -o table") == .init(status: 0, output: expected, errors: ""))
    }

    @Test(arguments: Engine.persistent) func tablesThatAreFitted(_ engine: Engine) throws {
        let expected = #"""
              $id  title           artist        rating  tags
            Int64  String          String       Double?  [String]
            ─────  ──────────────  ───────────  ───────  ───────────────
                1  So What         Miles Davis      4.5  ["modal","live…
                2  Autumn Leaves   Bill Evans         ∅  []
                3  ""              =1+1            -0.5  []
                4  red\u{1b}[31m…  "∅"           1e+300  ["a|b","<i>"]

            """#
        let answer = try CommandFixture(engine).run(Self.line + " -o table", environment: ["COLUMNS": "60"])
        #expect(answer == .init(status: 0, output: expected, errors: ""))
    }

    @Test(arguments: Engine.persistent) func lines(_ engine: Engine) throws {
        let expected = #"""
            $id    = 4
            title  = red\u{1b}[31m \u{202e}txt.exe\nsecond, "quoted" 🎷 日本語
            artist = "∅"
            rating = 1e+300
            tags   = ["a|b","<i>"]

            $id    = 3
            title  = ""
            artist = =1+1
            rating = -0.5
            tags   = []

            """#
        #expect(try CommandFixture(engine).run(Self.line + " --sort 'title desc' --limit 1 -o line; " + Self.line).output.split(separator: "\n\n").count == 1)
        #expect(try CommandFixture(engine).run(Self.line + " 'id > 2 order by id desc' -o line") == .init(status: 0, output: expected, errors: ""))
    }

    @Test(arguments: Engine.persistent) func csv(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let rows = try CSVReader.rows(fixture.run(Self.line + " -o csv").output)
        #expect(rows.first == ["$id", "title", "artist", "rating", "tags"])
        #expect(rows.dropFirst().map { $0[1] } == Music.songs.map(\.title))
        #expect(rows.dropFirst().map { $0[2] } == Music.songs.map(\.artist))
        #expect(rows.dropFirst().map { $0[3] } == ["4.5", nil, "-0.5", "1e+300"])
        let guarded = try CSVReader.rows(fixture.run(Self.line + " -o csv --spreadsheet").output)
        #expect(guarded.dropFirst().map { $0[2] } == ["Miles Davis", "Bill Evans", "'=1+1", "∅"])
        #expect(guarded.map { $0[3] } == rows.map { $0[3] })
    }

    @Test(arguments: Engine.persistent) func markdown(_ engine: Engine) throws {
        let expected = #"""
            | \$id | title | artist | rating | tags |
            | --- | --- | --- | --- | --- |
            | 3 | "" | =1+1 | -0.5 | \[\] |
            | 4 | red\\u{1b}\[31m \\u{202e}txt.exe\\nsecond, "quoted" 🎷 日本語 | "∅" | 1e+300 | \["a\|b","\<i\>"\] |

            """#
        #expect(try CommandFixture(engine).run(Self.line + " 'id > 2' -o md") == .init(status: 0, output: expected, errors: ""))
    }

    @Test(arguments: Engine.persistent) func json(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        let whole = try fixture.run("trove find music.store Song -o json").output
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(whole.utf8)) as? [[String: Any]])
        #expect(rows.map { $0["title"] as? String } == Music.songs.map(\.title))
        // The array is written value by value, the lines from the records' bytes.
        let lines = try fixture.run("trove find music.store Song -o jsonl").output
        #expect("[\n" + lines.dropLast().replacing("\n", with: ",\n") + "\n]\n" == whole)
        let selected = try fixture.run(Self.line + " 'id = 1' -o json").output
        #expect(selected == "[\n{\"$id\":1,\"title\":\"So What\",\"artist\":\"Miles Davis\",\"rating\":4.5,\"tags\":[\"modal\",\"live\"]}\n]\n")
    }

    /// A terminal gets a table, with colours unless they are not wanted, and nothing that it would obey in any format.
    @Test(.enabled(if: TypedTerminal.isAvailable), arguments: Engine.persistent) func onATerminal(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        func shown(_ arguments: String, _ environment: [String: String] = [:], columns: Int = 70) throws -> String {
            let settings = ["TERM": "xterm"].merging(environment) { $1 }
            let terminal = try fixture.terminal("trove find music.store Song \(arguments)", columns: columns, environment: settings)
            #expect(try terminal.waitForEnd() == .exit(0))
            return terminal.screen
        }
        #expect(try shown("").contains("\u{1B}[1m"))
        let plain = try shown("", ["NO_COLOR": "1"])
        #expect(plain.contains("too wide for the terminal"))
        for format in ["table", "line", "json", "jsonl", "csv", "md"] {
            let text = try shown("-o \(format)", ["NO_COLOR": "1"])
            #expect(text.contains("Autumn Le"), "\(format)")
            #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" }, "\(format): \(text)")
        }
        // Cells that were cut are told below, once, and nowhere else.
        func narrow(_ arguments: String, _ columns: Int) throws -> Int {
            try shown("--select title,artist \(arguments)", ["NO_COLOR": "1"], columns: columns).components(separatedBy: "cut to fit the terminal; -o line shows all").count - 1
        }
        #expect(try narrow("", 40) == 1 && narrow("-o line", 40) == 0 && narrow("", 200) == 0 && narrow("'year = 1959'", 40) == 0)
        let lines = plain.split(separator: "\n").filter { !$0.hasPrefix("too wide") }
        #expect(lines.count == 7)
    }
}
