import Foundation
import TestSupport
import Testing

@testable import TroveCLI

/// `trove import` of what trove has not written.
@Suite struct ForeignImportTests {
    private static let people = "id,name,zip,boss\n1,Ane,007,\n2,\u{1B}[31mBo,010,1\n1,twin,3,\n"

    private func fixture(_ engine: Engine) throws -> CommandFixture {
        let fixture = try CommandFixture(engine)
        try Data(Self.people.utf8).write(to: URL(filePath: fixture.directory.file("people.csv")))
        return fixture
    }

    @Test(arguments: Engine.persistent) func aFileOfValues(_ engine: Engine) throws {
        let fixture = try fixture(engine)
        let before = try fixture.bytes(of: "music.store")
        let described = try fixture.run("trove import nowhere.store people.csv --describe")
        #expect(described.status == 0 && described.errors.isEmpty)
        #expect(described.output == "csv: 1 collections, 3 objects\npeople: 3\n  boss: nil 2, integer 1\n  id: integer 3\n  name: text 3\n  zip: text 3\n")
        let models = try fixture.run("trove import nowhere.store people.csv --swift structs")
        #expect(models.status == 0 && models.output.contains("@Model\nstruct People {\n    let id: Int\n") && models.output.contains("    var boss: Int?\n"), "\(models)")
        #expect(models.output.contains("static let people = ImportOptions(") && models.errors.isEmpty)
        #expect(try fixture.run("trove import nowhere.store people.csv --swift structs --describe").status == 2)
        #expect(try fixture.run("trove import music.store people.csv").status == 2, "it needs --write")
        // Whole: the twin undoes it.
        let dry = try fixture.run("trove import music.store people.csv --write --dry-run")
        #expect(dry.status == 1 && dry.output.contains("people: 2 of 3 would be stored, 1 refused") && dry.output.contains("people, line 4: another row before has the same key, 1"))
        #expect(try fixture.run("trove count music.store people").status != 0 && fixture.bytes(of: "people.csv") == Data(Self.people.utf8))
        #expect(try fixture.run("trove import music.store people.csv --dry-run") == dry, "what is undone needs no --write")
        let taken = try fixture.run("trove import music.store people.csv --write --batches --type id=text --type boss=text")
        #expect(taken.status == 1 && taken.output.contains("people: 2 of 3 stored, 1 refused, read back and equal"))
        let found = try fixture.run("trove find music.store people \"id = '2'\" -o jsonl")
        #expect(found.output.contains(#""zip":"010""#) && found.output.contains(#""boss":"1""#))
        let again = try fixture.run("trove import music.store people.csv --write --existing skip --batches --type id=text")
        #expect(again.output.contains("people: 0 of 3 stored, 2 there already, 1 refused"))
        #expect(try fixture.bytes(of: "music.store") != before || engine != .memory)
        #expect(try fixture.run("trove verify music.store").status == 0)
    }

    @Test(arguments: Engine.persistent) func intoAModel(_ engine: Engine) throws {
        let fixture = try CommandFixture(engine)
        try Data("id,name\nx,y\n".utf8).write(to: URL(filePath: fixture.directory.file("a.csv")))
        let answer = try fixture.run("trove import music.store a.csv --write --model a=Nothing")
        #expect(answer.status == 2 && answer.errors.contains("the store has no model 'Nothing'"))
        #expect(try fixture.run("trove import music.store a.csv --write --type id").status == 2)
        #expect(try fixture.run("trove import music.store a.csv --write --type none=int").status == 2)
        #expect(try fixture.run("trove import music.store a.csv --write --type name=number").status == 2)
        #expect(try fixture.run("trove import music.store a.csv --write --name a=b").status == 2)
        let made = try fixture.run("trove import new.store a.csv --write --create lmdb --collection things --name things.name=title && trove find new.store things -o jsonl")
        #expect(made.status == 0 && made.output.contains("things: 1 of 1 stored, read back and equal") && made.output.contains(#""title":"y""#))
    }

    @Test func whatIsNoSource() throws {
        let fixture = try CommandFixture(.sqlite)
        try Data([0, 1, 2]).write(to: URL(filePath: fixture.directory.file("odd")))
        let odd = try fixture.run("trove import music.store odd --write")
        #expect(odd.status == 3 && odd.errors.contains("name the kind") && odd.errors.contains("--kind"))
        let damaged = try fixture.run("trove import music.store odd --write --kind sqlite")
        #expect(damaged.status == 3)
        #expect(try fixture.run("trove import music.store nowhere.csv --write").status == 3)
        // Text that is no table makes no store, whatever its name.
        for (name, text) in [
            ("prose.txt", "Hello, this is a text.\nIt has lines; some of them have, as here, several commas.\n"), ("line.txt", "hello\n"), ("prose", "One, two\n\nthree\n"), ("words.txt", "one\ntwo\nthree\n"), ("empty.csv", "a,b\n"),
        ] {
            try Data(text.utf8).write(to: URL(filePath: fixture.directory.file(name)))
            let answer = try fixture.run("trove import made.store \(name) --write --create sqlite")
            #expect(answer.status == 3 && answer.output.isEmpty && answer.errors.contains(name.hasSuffix("csv") ? "has no objects" : "name the kind"), "\(name): \(answer)")
            #expect(try fixture.files.filter { $0.hasPrefix("made.store") } == [])
        }
        #expect(try fixture.run("printf 'a,b\\n1,\"x,y\"\\n' > table.txt; trove import made.store table.txt --write --create sqlite").output.hasPrefix("table: 1 of 1 stored"))
        #expect(try fixture.run("trove import made.store words.txt --kind csv --write").output.hasPrefix("words: 2 of 2 stored"))
        // Rows that cannot be taken are told, not that there are none.
        try Data("a,b,c\n1,2\n".utf8).write(to: URL(filePath: fixture.directory.file("narrow.csv")))
        let narrow = try fixture.run("trove import narrow.store narrow.csv --write --create sqlite --batches")
        #expect(narrow.status != 0 && (narrow.output + narrow.errors).contains("it has 2 values, and there are 3 columns"), "\(narrow)")
        // What gives its bytes once.
        let pipe = try fixture.run("mkfifo pipe; trove import piped.store pipe --write --create sqlite")
        #expect(try pipe.errors.contains("'pipe' is a pipe or a device") && !fixture.files.contains("piped.store"))
        #expect(try fixture.run("cat odd | trove import piped.store /dev/stdin --write --create sqlite").status == 2)
        // An export of trove is nothing that becomes documents.
        let export = try fixture.run("trove export music.store e.jsonl && trove import music.store e.jsonl --describe")
        #expect(export.status == 0 && export.output.contains("an export of trove"))
        #expect(try fixture.run("trove import music.store e.jsonl --dry-run").status == 2)
        #expect(try fixture.run("trove import music.store e.jsonl --swift classes").status == 2)
    }
}
