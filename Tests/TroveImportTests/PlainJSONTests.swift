import Foundation
import TestSupport
import Testing
import Trove

@testable import TroveImport

/// JSON of other programs, to which names with `$` are names.
@Suite struct PlainJSONTests {
    private static let rows = [
        #"{"_id":{"$oid":"65a1b2c3d4e5f60718293a4b"},"at":{"$date":1577836800000},"when":{"$date":"2026-01-01T00:00:00Z"},"n":{"$numberLong":"5"}}"#,
        #"{"_id":{"$oid":"65a1b2c3d4e5f60718293a4c"},"$ref":"x","$":1,"$$two":{"$date":2,"b":"$c"},"list":["$d",{"\u0024e":"\"$f\" :"}],"text":"\\"}"#,
    ]
    private static let values: [StoredValue] = [
        ["_id": ["$oid": "65a1b2c3d4e5f60718293a4b"], "at": ["$date": 1_577_836_800_000], "when": ["$date": "2026-01-01T00:00:00Z"], "n": ["$numberLong": "5"]],
        ["_id": ["$oid": "65a1b2c3d4e5f60718293a4c"], "$ref": "x", "$": 1, "$$two": ["$date": 2, "b": "$c"], "list": ["$d", ["$e": "\"$f\" :"]], "text": "\\"],
    ]

    /// As mongoexport writes it, in an array and an object a line; the ids are the same each time.
    @Test(arguments: Engine.allCases) func namesWithADollarSign(engine: Engine) throws {
        let files = try SourceFiles()
        let fixture = try emptyStore(engine)
        let (lines, list) = (Self.rows.joined(separator: "\n"), "[\n" + Self.rows.joined(separator: " ,\n") + "\n]")
        for (name, text, kind) in [("rows.json", list, ImportKind.json), ("rows.jsonl", lines, .jsonLines), ("rows.json", lines, .jsonLines)] {
            let source = try ImportSource(path: files.write(name, text))
            #expect(source.kind == kind)
            let report = try fixture.store.importDocuments(from: source, ImportOptions(existing: .replace))
            #expect(report.isComplete && report.stored == 2)
            #expect(try Set(fixture.store.documents("rows").fetch().all().map(\.value)) == Set(Self.values))
        }
    }

    private func value(_ text: String) throws -> StoredValue { try Array(text.utf8).withUnsafeBytes { try StoredValue(plainJSON: $0) } }

    /// Without names with a dollar sign it is as any JSON; with them too, but for those names.
    @Test func sameAsJSON() throws {
        for text in [#"{"a":[1,-0.0,true,null,"$x","\\","\"",{"b":"\u0024"}]}"#, #""$date""#, "[]", #"[ "$a" , "$b" ]"#] { #expect(try value(text) == StoredValue(json: text), "\(text)") }
        #expect(try value("{\"$a\" \n: {\"$date\":\"never\"}}") == ["$a": ["$date": "never"]])
    }

    /// The place of a mistake is that in the file.
    @Test(arguments: ["{\"$a\":1,\n \"$b\":2, \"$c\" 3}", "{\"$a\"}", "[\"$a\" 3]", "{\"$a\":", "{\"$a\":1,\"$a\":2}", "{\"$a\":\"x", "{\"$a\":[1,\"\\", "{\"b\":\"\\$\"}"])
    func places(text: String) throws {
        let error = try #require(throws: TroveError.self) { try value(text) }
        // With another letter in place of the sign it is the same text to every reader.
        let expected = try #require(throws: TroveError.self) { try StoredValue(json: text.replacing("$", with: "_")) }
        guard case .invalidJSON(let line, let column, let offset, _) = error, case .invalidJSON(let otherLine, let otherColumn, let otherOffset, _) = expected else {
            throw SourceError(reason: "\(error), \(expected)")
        }
        #expect((line, column, offset) == (otherLine, otherColumn, otherOffset))
    }

    /// An export of Trove is not made documents of, unless that is asked for.
    @Test func exportsOfTrove() throws {
        let files = try SourceFiles()
        let fixture = try emptyStore()
        try fixture.store.documents("notes").save(["a": 1])
        let path = files.directory.file("export.jsonl")
        _ = try fixture.store.exportJSON(to: path)
        #expect { try ImportSource(path: path) } throws: { "\($0)".contains("importJSON(from:)") }
    }
}
