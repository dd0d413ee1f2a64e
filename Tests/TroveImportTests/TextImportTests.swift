import Foundation
import Synchronization
import TestSupport
import Testing
import Trove

@testable import TroveImport

/// CSV, JSON and property lists.
@Suite struct TextImportTests {
    private let files: SourceFiles
    private let fixture: StoreFixture

    init() throws {
        files = try SourceFiles()
        fixture = try emptyStore()
    }

    private func run(_ path: String, _ kind: ImportKind? = nil, _ options: ImportSourceOptions = .init(), inBatches: Bool = true) throws -> ImportReport {
        try fixture.store.importDocuments(from: ImportSource(path: path, kind: kind, options), ImportOptions(inBatches: inBatches))
    }

    @Test func csv() throws {
        let path = try files.write(
            "people.csv",
            "\u{FEFF}id,name,zip,score,alive,born,\"last \"\"word\"\"\"\r\n1,\"Ane, \"\"the\"\"\nlong\",007,1.5,true,1990-02-28,\r\n2,Bo,010,-2.25,false,2000-02-29,\"\"\r\n\r\n3,é,100,12.0,true,,x\r\n")
        #expect(try ImportSource(path: path).kind == .csv)
        let report = try run(path)
        #expect(report.stored == 3 && report.isComplete && report.collections[0].isVerified == true)
        let people = try fixture.store.imported("people")
        #expect(
            people[1]?.value == [
                "id": 1, "name": "Ane, \"the\"\nlong", "zip": "007", "score": 1.5, "alive": true, "born": .date(Date(timeIntervalSince1970: 636_163_200)), "last \"word\"": .null,
            ])
        #expect(people[2]?["last \"word\""] == "" && people[3]?["born"] == .null && people[2]?["zip"] == "010" && people[3]?["score"] == 12.0)
    }

    /// A table is one also where its first name begins with another letter than ASCII has.
    @Test(arguments: ["größe.csv", "table"], ["", "\u{FEFF}"]) func csvWithNamesOfOtherLetters(name: String, mark: String) throws {
        let path = try files.write(name, mark + "öl,id\nx,1\ny,2\n")
        #expect(try ImportSource(path: path).kind == .csv)
        #expect(try run(path, nil, .init(collection: "oils")).stored == 2)
        #expect(try fixture.store.imported("oils")[2]?["öl"] == "y")
        // What is no UTF-8 is told as that where the name says that it is a table.
        #expect { try ImportSource(path: files.write("latin.csv", Data([0xF6, 0x6C, 0x2C, 0x61, 0x0A]))) } throws: { if case ImportError.damaged = $0 { true } else { false } }
        #expect { try ImportSource(path: files.write("bytes", Data([0xF6, 0x6C, 0x2C, 0x61, 0x0A]))) } throws: { if case ImportError.unknownKind = $0 { true } else { false } }
    }

    @Test func csvTypesAndFaults() throws {
        let path = try files.write("x.csv", "code;n;d\na;1;1.10\nb;x;2\nc;3\na;4;5\n;5;6\nd;6;7;8\n\"e\";7;8")
        let report = try run(path, nil, .init(collection: "things", idAttribute: "code", types: ["n": .int, "d": .decimal, "code": .text]))
        #expect(report.collections.map(\.name) == ["things"] && report.stored == 2)
        #expect(report.faults.map(\.place) == ["line 3", "line 4", "line 5", "line 6", "line 7"])
        #expect(report.faults[0].reason.contains("'x' in 'n' is no int") && report.faults[1].reason.contains("2 values") && report.faults[2].reason.contains("same key, a"))
        #expect(try fixture.store.imported("things", by: "code")["a"]?["d"] == .decimal(Decimal(string: "1.10") ?? 0))
        // One that is to be whole stores nothing.
        let count = try fixture.store.documents("things").count()
        for text in ["code,n\nf,1\ng\n", "code,n\nf,1\nf,2\n", "code,n\nf,1\n,2\n"] {
            #expect { try run(files.write("things.csv", text), .csv, .init(idAttribute: "code"), inBatches: false) } throws: { if case ImportError.refused = $0 { true } else { false } }
        }
        #expect(try fixture.store.documents("things").count() == count)
        #expect(throws: ImportError.self) { try run(files.write("y.csv", "a,b\n1,\"open"), .csv) }
        #expect(throws: ImportError.self) { try run(files.write("y.csv", "a,b\n1,\"x\"y\n"), .csv) }
        #expect(throws: ImportError.self) { try run(files.write("y.csv", "a,a\n1,2\n"), .csv) }
        #expect(throws: ImportError.self) { try run(files.write("y.csv", ""), .csv) }
        #expect(throws: ImportError.self) { try run(path, .csv, .init(types: ["none": .int])) }
        #expect(try run(files.write("bytes.csv", Data("a\n".utf8) + Data([0xFF, 0x0A])), .csv).faults[0].reason.contains("UTF-8"))
    }

    @Test func asynchronously() async throws {
        let store = fixture.store
        let path = try files.write("rows.csv", "id,n\n" + (0..<20_000).map { "\($0),\($0)\n" }.joined())
        let counts = Mutex<[Int]>([])
        let report = try await store.importDocuments(at: path, .init(collection: "all")) { progress in counts.withLock { $0.append(progress.completed) } }
        #expect(report.stored == 20_000 && counts.withLock { $0.last == 20_000 && $0.count > 1 })
        await #expect(throws: ImportError.self) { try await store.importDocuments(at: path + "none") }
        // Cancelled in the middle, one that is to be whole leaves nothing.
        let task = Mutex<Task<ImportReport, any Error>?>(nil)
        let gate = DispatchSemaphore(value: 0)
        let started = Task {
            try await store.importDocuments(at: path, .init(collection: "none"), options: ImportOptions(inBatches: false)) { _ in
                gate.wait()
                task.withLock { $0?.cancel() }
                gate.signal()
            }
        }
        task.withLock { $0 = started }
        gate.signal()
        await #expect(throws: CancellationError.self) { try await started.value }
        #expect(try await store.documents("none").fetch().count() == 0)
    }

    /// What was read before a place that is damaged is stored, where an import is in batches.
    @Test(arguments: Engine.allCases) func damageInTheMiddle(engine: Engine) throws {
        let fixture = try emptyStore(engine)
        let path = try files.write("half.csv", "id,n\n" + (0..<12_000).map { "\($0),\($0)\n" }.joined() + "12000,\"open\n")
        let wasDamaged = { (error: any Error) in if case ImportError.damaged(_, "line 12002", _) = error { true } else { false } }
        #expect { try fixture.store.importDocuments(from: ImportSource(path: path, .init(types: ["id": .int, "n": .int]))) } throws: { wasDamaged($0) }
        #expect(try fixture.store.collectionNames().isEmpty)
        #expect { try fixture.store.importDocuments(from: ImportSource(path: path, .init(types: ["id": .int, "n": .int])), ImportOptions(inBatches: true)) } throws: { wasDamaged($0) }
        #expect(try fixture.store.documents("half").fetch().count() == 10_000)
    }

    /// The dates that the store gives to documents are none of the source, and no difference.
    @Test func intoACollectionWithDates() throws {
        try fixture.store.documents("people").setDates(DocumentDates())
        let report = try run(files.write("people.csv", "id,name\n1,Ane\n"))
        #expect(report.collections[0].isVerified == true)
        #expect(try fixture.store.imported("people")[1].map { $0["created"] != nil && $0["name"] == "Ane" } == true)
        // Also where a row has attributes of their names.
        let more = try run(files.write("people.csv", "id,name,created,modified\n2,Bo,2020-01-01,2020-01-01\n"))
        #expect(more.stored == 1 && more.collections[0].isVerified == true, "\(more)")
    }

    /// Without a column that tells rows apart it is their numbers, so that an import can go on where it ended.
    @Test func csvWithoutIds() throws {
        let path = try files.write("plain.csv", "a,b\n1,x\n2,y\n")
        #expect(try run(path).stored == 2)
        let more = try files.write("plain.csv", "a,b\n1,x\n2,y\n3,z\n")
        let report = try fixture.store.importDocuments(from: ImportSource(path: more), ImportOptions(existing: .skip, inBatches: true))
        #expect(report.stored == 1 && report.collections[0].skipped == 2)
        #expect(try fixture.store.documents("plain").fetch { $0["a"] == 3 }.count() == 1)
    }

    @Test func json() throws {
        let path = try files.write("notes.json", #"[{"id": "n1", "tags": ["a", 1, null], "deep": {"x": 9007199254740993, "y": -0.0}}, {"id": "n2"}, 5, {"x": 1}, {"id": 4}, {"id": null}]"#)
        let report = try run(path)
        // One without an id goes by its number, which is no id.
        #expect(report.stored == 4 && report.faults.map(\.place) == ["the object 3", "the object 6"])
        #expect(try run(path, nil, .init(collection: "strict", idAttribute: "id")).faults.map(\.place) == ["the object 3", "the object 4", "the object 6"])
        #expect(try fixture.store.imported("notes")["n1"]?["deep.x"] == 9_007_199_254_740_993)
        // Several collections in one file.
        let several = try files.write("all.json", #"{"songs": [{"id": 1}, {"id": 2}], "albums": [{"id": 1, "t": "x"}], "none": []}"#)
        #expect(try run(several).collections.map(\.stored) == [1, 2])
        #expect(try run(files.write("one.json", #"{"a": [1]}"#)).stored == 1)
        for text in ["5", "{", "[{\"a\":}]", "", "[1] x"] { #expect(throws: ImportError.self) { try run(files.write("bad.json", text), .json) } }
        let deep = String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000)
        #expect(throws: ImportError.self) { try run(files.write("deep.json", deep), .json) }
        // Lines of JSON are no JSON, and are told what they are.
        let error = try #require(throws: ImportError.self) { try run(files.write("lines.json", "{\"id\": 1}\n{\"id\": 2}\n"), .json) }
        #expect("\(error)".hasSuffix("a file of objects that stand one on a line is of the kind 'jsonl'"), "\(error)")
    }

    @Test func jsonLines() throws {
        let path = try files.write("lines.jsonl", "{\"id\":1}\r\n\n{\"id\":2,\"a\":[5]}\n{\"id\":\n{\"id\":1}\n[]\n{\"id\":3}")
        #expect(try ImportSource(path: path).kind == .jsonLines)
        let report = try run(path)
        #expect(report.stored == 3 && report.faults.map(\.place) == ["line 4", "line 5", "line 6"])
        // The line is told once, as that of the file.
        #expect(report.faults[0].reason.hasPrefix("the JSON cannot be read at column 7: ") && !report.faults[0].description.contains("line 1"), "\(report.faults[0])")
        #expect(try fixture.store.imported("lines")[2]?["a"] == [5])
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary]) func propertyLists(format: PropertyListSerialization.PropertyListFormat) throws {
        let date = Date(timeIntervalSinceReferenceDate: 700_000_000)
        let list: [[String: Any]] = [["id": 1, "name": "é & <x>", "yes": true, "one": 1, "half": 0.5, "when": date, "bytes": Data([1, 2]), "inner": ["a": [1, "b"]]], ["id": 2, "big": UInt64.max]]
        let path = try files.write("list.plist", PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0))
        #expect(try ImportSource(path: path).kind == .propertyList)
        #expect(try run(path).stored == 2)
        let found = try fixture.store.imported("list")
        #expect(
            found[1]?.value == [
                "id": 1, "name": "é & <x>", "yes": true, "one": 1, "half": 0.5, "when": .date(date), "bytes": .data(Data([1, 2])), "inner": ["a": [1, "b"]],
            ])
        #expect(throws: ImportError.self) { try run(files.write("bad.plist", "<plist><dict><key>a</key></dict>"), .propertyList) }
    }

    /// Swift's dictionaries have one of two names that are the same characters; the value of the other is not passed over.
    @Test func propertyListsWithNamesOfTheSameCharacters() throws {
        let text = { (first: String, second: String) in
            "<plist version=\"1.0\"><array><dict><key>\(first)</key><integer>1</integer><key>\(second)</key><integer>2</integer></dict></array></plist>"
        }
        #expect { try run(files.write("twice.plist", text("\u{E9}", "e\u{301}")), .propertyList) } throws: {
            if case ImportError.damaged(_, _, let reason) = $0 { reason.contains("in other scalars") } else { false }
        }
        // Of one name the last value counts.
        #expect(try run(files.write("once.plist", text("\u{E9}", "\u{E9}")), .propertyList).isComplete)
        #expect(try fixture.store.documents("once").fetch().first()?.value == ["\u{E9}": 2])
    }

    /// Empty data is written as nothing, or as the space of its indentation.
    @Test(arguments: ["", " ", "\n\t\t", "<!-- none -->"]) func emptyData(text: String) throws {
        let path = try files.write("empty.plist", "<plist version=\"1.0\"><array><dict><key>bytes</key><data>\(text)</data><key>more</key><data>\n\tAQ\n\tI=\n</data></dict></array></plist>")
        #expect(try run(path).isComplete)
        #expect(try fixture.store.documents("empty").fetch().first()?.value == ["bytes": .data(Data()), "more": .data(Data([1, 2]))])
    }

    /// Against Foundation's calendar.
    @Test func datesOfTexts() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        var random = SeededGenerator(seed: 5)
        func pad(_ number: Int, _ width: Int = 2) -> String { String(String("000\(number)").suffix(width)) }
        for _ in 0..<2_000 {
            let parts = DateComponents(
                year: .random(in: 1600...2400, using: &random), month: .random(in: 1...12, using: &random), day: .random(in: 1...31, using: &random), hour: .random(in: 0...23, using: &random),
                minute: .random(in: 0...59, using: &random), second: .random(in: 0...59, using: &random))
            let (year, month, day) = (parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
            let text = "\(pad(year, 4))-\(pad(month))-\(pad(day)) \(pad(parts.hour ?? 0)):\(pad(parts.minute ?? 0)):\(pad(parts.second ?? 0))"
            let expected = parts.isValidDate(in: calendar) ? calendar.date(from: parts) : nil
            #expect(Date(sqlText: text) == expected, "\(text)")
            #expect(Date(sqlText: text + ".5+01:30") == expected.map { $0 - 5_400 + 0.5 })
        }
        for text in ["2026-13-01", "2026-02-29", "2026-1-1", "26-01-01", "2026-01-01x", "2026-01-01T", "2026-01-01 25:00", "2026-01-01 10:00:00.", "2026-01-01 10:00+1", "", "2026-01-01 10:00Zx"] {
            #expect(Date(sqlText: text) == nil, "\(text)")
        }
        // 400 years have 146,097 days, those before the calendar too.
        #expect(Date(sqlText: "0000-01-01") == Date(sqlText: "0400-01-01").map { $0 - 146_097 * 86_400 })
    }

    @Test func whatCannotBeTold() throws {
        for (name, data) in [("a.bin", Data([0, 1, 2, 3])), ("empty", Data()), ("page.html", Data("<html></html>".utf8)), ("words", Data("just words".utf8))] {
            #expect { try ImportSource(path: files.write(name, data)) } throws: { if case ImportError.unknownKind = $0 { true } else { false } }
        }
        let folder = URL(filePath: files.directory.file("folder.csv"))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        #expect { try ImportSource(path: folder.path, kind: .csv) } throws: { if case ImportError.unreadable(_, "it is a directory; name a file") = $0 { true } else { false } }
        #expect { try ImportSource(path: files.directory.file("nowhere")) } throws: { if case ImportError.unreadable = $0 { true } else { false } }
        #expect { try ImportSource(path: files.write("no.db", "no database at all, but long enough to be read as one"), kind: .sqlite) } throws: { $0 is ImportError }
    }
}
