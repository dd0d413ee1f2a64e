import Foundation
import TestSupport
import Testing
import Trove
import TroveImport

/// How rows and columns of CSV are told apart.
@Suite struct CSVKeyTests {
    @Model("Note")
    fileprivate struct Note: Equatable {
        let id: String
        var text: String
    }

    /// The id of a row is that of what is written, whatever other rows do to the type of the column.
    @Test(arguments: Engine.allCases) func idsStay(engine: Engine) throws {
        let files = try SourceFiles()
        let fixture = try emptyStore(engine)
        func take(_ text: String, _ options: ImportSourceOptions = .init()) throws -> ImportReport.Collection {
            try fixture.store.importDocuments(from: ImportSource(path: files.write("rows.csv", text), options), ImportOptions(existing: .skip)).collections[0]
        }
        #expect(try take("id,a\n1,x\n2,y\n").stored == 2)
        let before = try fixture.store.imported("rows")
        let others: [(String, ImportSourceOptions)] = [
            ("id,a\n1,x\n2,y\nA3,z\n", .init()), ("id,a\n\"1\",x\n2,y\nA3,z\n", .init()), ("id,a\n1,x\n2,y\n", .init(types: ["id": .text])),
            ("id,a\n1,x\n2,y\n", .init(types: ["id": .double])),
        ]
        for (text, options) in others {
            let report = try take(text, options)
            #expect(report.skipped >= 2 && report.stored + report.skipped == report.read && report.refused == 0, "\(text)")
        }
        let after = try fixture.store.imported("rows")
        #expect(after.count == 3 && after[1] == before[1] && after["A3"]?["a"] == "z")
        // 007 and 7 are two rows.
        #expect(try take("id,a\n007,x\n7,y\n").stored == 2)
    }

    /// Objects of a model have the values of the column as ids.
    @Test func idsOfAModel() throws {
        let files = try SourceFiles()
        let fixture = try StoreFixture(.memory) { try ObjectStore($0, durability: .relaxed, models: Note.self) }
        let source = try ImportSource(path: files.write("notes.csv", "id,text\n1,x\nA3,z\n"))
        #expect(try fixture.store.importDocuments(from: source, ImportOptions(models: ["notes": "Note"])).isComplete)
        #expect(try fixture.store.fetch(Note.self).all() == [Note(id: "1", text: "x"), Note(id: "A3", text: "z")])
    }

    /// What stands in quotation marks separates nothing.
    @Test(arguments: [
        ("\"Name, first\";\"Name, last\";Age\na;b;1\n", ["Name, first", "Name, last", "Age"]), ("\"a;b;c\",d\n1,2\n", ["a;b;c", "d"]), ("a;\"b, c\";d,e\n1;2;3\n", ["a", "b, c", "d,e"]),
        ("\"a\nb,c,d\"\te\n1\t2\n", ["a\nb,c,d", "e"]), ("\"say \"\"a,b\"\"\";c\n1;2\n", ["say \"a,b\"", "c"]), ("size 5\";b;c\n1;2;3\n", ["size 5\"", "b", "c"]), ("\"a;b,c\"\n1\n", ["a;b,c"]),
        ("a\tb,c\td\r\n1\t2\t3\r\n", ["a", "b,c", "d"]), ("a\n1\n", ["a"]),
    ])
    func separators(text: String, names: [String]) throws {
        let files = try SourceFiles()
        let description = try ImportSource(path: files.write("x.csv", text)).describe()
        #expect(description.faultCount == 0 && description.collections[0].attributes.map(\.name).sorted() == names.sorted())
    }

    /// A decimal is what all of a text is, as numbers are of the other types.
    @Test func decimals() throws {
        let files = try SourceFiles()
        let wrong = ["12abc", "1,5", "1.5 ", " 1", "1 2", "0x10", "nan", "inf", "1e", "-", ".", "1.2.3", "+-1", "1e999", "٣"]
        let right = ["1.10", "-.5", "+7", "1.", "1e3", "1E-3", "0", "-0.00", "12345678901234567890123456789012345678"]
        let path = try files.write("d.csv", "d\n" + (wrong + right).map { "\"\($0)\"\n" }.joined())
        let fixture = try emptyStore()
        let report = try fixture.store.importDocuments(from: ImportSource(path: path, .init(types: ["d": .decimal])), ImportOptions(inBatches: true))
        #expect(report.faults.map(\.reason) == wrong.map { "'\($0)' in 'd' is no decimal" })
        let values = try fixture.store.documents("d").fetch().all().map { $0["d"] }
        #expect(values == right.map { Decimal(string: $0, locale: Locale(identifier: "en_US_POSIX")).map { .decimal($0) } } && values.contains(.decimal(1_000)))
    }
}
