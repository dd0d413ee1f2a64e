import Foundation
import TestSupport
import Testing
import Trove

@testable import TroveImport

/// Files that `make-fixtures.py` has written, by Python's writers of these formats.
enum Fixture {
    static func path(_ name: String) -> String { URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures/\(name)").path }

    static func data(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }

    /// As SQLite reads data.
    static func literal(_ name: String) throws -> String { "x'" + (try data(name)).map { String(format: "%02x", $0) }.joined() + "'" }
}

/// Property lists with references, and what archives of Foundation's keyed archiver become.
@Suite struct KeyedArchiveTests {
    private static let values: StoredValue = [
        "text": "é 漢字 😀", "mutable": "changing", "int": -7, "large": .uint(.max), "real": 0.1, "yes": true, "none": .null, "null": .null,
        "date": .date(Date(timeIntervalSinceReferenceDate: 700_000_000.5)), "again": .date(Date(timeIntervalSinceReferenceDate: 700_000_000.5)),
        "data": .data(Data([0, 255, 16])), "mutableData": .data(Data("ab".utf8)), "url": .url(URL(string: "https://example.org/a/b?c=d") ?? URL(fileURLWithPath: "/")),
        "uuid": .uuid(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF") ?? UUID()), "decimal": .decimal(Decimal(string: "-778.81") ?? 0),
        "array": ["x", [1, .null]], "set": ["one"], "ordered": ["first", "second", "last"], "numbers": .dictionary([1: "one", 2: "two"]), "inner": ["key": "value"],
        "point": ["$class": "NSValue", "NS.pointval": "{1, 2}", "NS.special": 1], "own": ["member"],
    ]

    @Test(arguments: ["values.archive", "values-xml.archive"]) func everyClass(name: String) throws {
        let found = try #require(try StoredValue(keyedArchive: Fixture.data(name)))
        guard case .object(let fields) = found, case .object(let expected) = Self.values else { throw SourceError(reason: "no object") }
        for (name, value) in expected { #expect(fields[name] == value, "\(name)") }
        #expect(fields.count == expected.count)
    }

    @Test(arguments: Engine.allCases) func files(engine: Engine) throws {
        let fixture = try emptyStore(engine)
        for name in ["values.archive", "values-xml.archive"] {
            let source = try ImportSource(path: Fixture.path(name), .init(collection: name))
            #expect(source.kind == .keyedArchive)
            let report = try fixture.store.importDocuments(from: source)
            #expect(report.isComplete && report.stored == 1)
            #expect(try fixture.store.documents(name).fetch().first()?.value == Self.values)
        }
        // A list of dictionaries has rows as a property list's.
        let rows = try ImportSource(path: Fixture.path("rows.archive"))
        #expect(try fixture.store.importDocuments(from: rows).collections.map { "\($0.name) \($0.stored)" } == ["rows 2"])
        #expect(try fixture.store.imported("rows")[2]?.value == ["id": 2, "tags": ["a", ["b", "c"]]])
        #expect(try fixture.store.verify().isSound)
    }

    /// Objects of the program's classes are documents, which refer to each other, in circles too.
    @Test(arguments: Engine.allCases) func objects(engine: Engine) throws {
        let fixture = try emptyStore(engine)
        let source = try ImportSource(path: Fixture.path("people.archive"))
        #expect(try source.describe().collections.map { "\($0.name) \($0.count)" } == ["Address 1", "Person 2", "people 1"])
        let report = try fixture.store.importDocuments(from: source)
        #expect(report.isComplete && report.collections.map { "\($0.name) \($0.stored)" } == ["Address 1", "Person 2", "people 1"])
        let people = try fixture.store.imported("Person", by: "name")
        let (ann, bo) = (try #require(people["Ann"]), try #require(people["Bo"]))
        let address = try #require(try fixture.store.documents("Address").fetch().first())
        #expect(address.value == ["city": "Oslo"] && address.className == "Address" && ann.className == "Contacts.Person")
        #expect(ann.value == ["name": "Ann", "age": 41, "best": bo.reference, "friends": .array([bo.reference, ann.reference]), "address": address.reference])
        #expect(bo.value == ["name": "Bo", "age": 7, "best": .null, "friends": [], "named": ["mother": ann.reference], "mixed": .array([1, ann.reference])])
        #expect(try fixture.store.documents("people").fetch().first()?.value == ["people": .array([ann.reference, bo.reference]), "version": 3])
        #expect(try fixture.store.documents("Person").fetch { $0["best"] == .objectID(bo.id) }.count() == 1)
        // The ids are the same each time.
        let again = try fixture.store.importDocuments(from: ImportSource(path: Fixture.path("people.archive")), ImportOptions(existing: .skip))
        #expect(again.stored == 0 && again.collections.map(\.skipped) == [1, 2, 1])
    }

    /// What a program's classes are where an archive is one value among others.
    @Test func objectsInside() throws {
        #expect { try StoredValue(keyedArchive: Fixture.data("people.archive")) } throws: { ($0 as? PropertyListFault)?.reason.contains("Contacts.Person, is inside of itself") == true }
        #expect(try StoredValue(keyedArchive: Fixture.data("list.plist")) == nil)
        for data in [Data("bplis".utf8), Data()] { #expect(try StoredValue(keyedArchive: data) == nil) }
    }

    @Test(arguments: ["list.plist", "list-xml.plist"]) func propertyLists(name: String) throws {
        let list = try StoredValue(propertyList: Fixture.data(name))
        #expect(
            list == [
                [
                    "id": 1, "name": "é & <x>", "yes": true, "one": 1, "minus": -1, "half": 0.5, "when": .date(Date(timeIntervalSince1970: 1_582_979_405)), "bytes": .data(Data([1, 2])),
                    "inner": ["a": [1, "b", [:]]], "empty": "",
                ], ["id": 2, "big": .uint(.max), "small": .int(.min)],
            ])
    }

    @Test func xml() throws {
        func value(_ text: String) throws -> StoredValue { try StoredValue(propertyList: Data(text.utf8)) }
        #expect(try value("\u{FEFF} <?xml version=\"1.0\"?><!DOCTYPE plist [<!ELEMENT a ANY>]><!-- <a> --><plist version='1.0'>\n<string>a&#65;&#x1F600;&lt;<![CDATA[<b>&amp;]]><!-- no -->c</string></plist>") == "aA😀<<b>&amp;c")
        #expect(try value("<plist><array><integer>0x1F</integer><integer> -12 </integer><real>1e3</real><true></true><false/><string/><array/><dict/></array></plist>") == [31, -12, 1_000.0, true, false, "", [], [:]])
        #expect(try value("<plist><dict><key>CF$UID</key><integer>3</integer></dict></plist>") == ["CF$UID": 3])
        for (text, place) in [
            ("<plist></plist>", 15), ("<plist><dict><key>a</key></dict></plist>", 25), ("<plist><dict><integer>1</integer></dict></plist>", 13), ("<plist><array>", 7), ("<plist><string>a", 7),
            ("<plist><string>&x;</string></plist>", 15), ("<plist><integer>x</integer></plist>", 7), ("<plist>x</plist>", 7), ("<plist><array></dict></plist>", 14), ("<plist><true/><true/></plist>", 14),
            ("<plist><date>never</date></plist>", 7), ("<plist><what/></plist>", 7), ("<!-- ", 0), ("<plist><key>a</key></plist>", 7),
        ] {
            #expect("\(text)") { try value(text) } throws: { ($0 as? PropertyListFault)?.offset == place }
        }
        // As deep as a file says, and no deeper than a store takes.
        let deep = String(repeating: "<array>", count: 100_000) + String(repeating: "</array>", count: 100_000)
        #expect { try value("<plist>\(deep)</plist>") } throws: { ($0 as? PropertyListFault)?.reason.contains("deeper than 200 levels") == true }
    }

    /// Several things that were archived together, and classes whose names begin as Apple's do.
    @Test(arguments: Engine.allCases) func severalThings(engine: Engine) throws {
        let fixture = try emptyStore(engine)
        let report = try fixture.store.importDocuments(from: ImportSource(path: Fixture.path("several.archive")))
        #expect(report.isComplete && report.collections.map { "\($0.name) \($0.stored)" } == ["CLIOption 1", "NSFNanoObject 1", "UIDRecord 1", "several 1"], "\(report)")
        func only(_ name: String) throws -> Document { try #require(try fixture.store.documents(name).fetch().first()) }
        let (bag, option, record) = (try only("NSFNanoObject"), try only("CLIOption"), try only("UIDRecord"))
        #expect(bag.value == ["option": option.reference, "color": ["$class": "UIColor", "red": 0.5]] && option.value == ["owner": bag.reference, "record": record.reference])
        #expect(try only("several").value == ["bag": bag.reference, "options": .array([option.reference]), "note": "text"])
        let empty = try fixture.store.importDocuments(from: ImportSource(path: Fixture.path("empty.archive")))
        #expect(empty.isComplete && empty.stored == 0)
    }

    /// A property list that has an archive among its values is none itself.
    @Test(arguments: Engine.allCases) func archivesAmongValues(engine: Engine) throws {
        let fixture = try emptyStore(engine)
        let directory = try TemporaryDirectory()
        let archive = try Fixture.data("rows.archive")
        let path = directory.file("preferences.plist")
        try PropertyListSerialization.data(fromPropertyList: ["color": archive, "name": "x"] as [String: Any], format: .binary, options: 0).write(to: URL(filePath: path))
        let source = try ImportSource(path: path)
        #expect(source.kind == .propertyList)
        #expect(try fixture.store.importDocuments(from: source).isComplete)
        #expect(try fixture.store.documents("preferences").fetch().first()?.value == ["color": .data(archive), "name": "x"])
    }

    /// XML of other kinds is data, and XML that is not UTF-8 is left to Foundation.
    @Test func otherXML() throws {
        for text in ["<svg/>", "<!DOCTYPE html><p>a</p>", "<"] { #expect(try StoredValue(keyedArchive: Data(text.utf8)) == nil) }
        let latin = Data("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><plist version=\"1.0\"><string>".utf8) + [0xE9] + Data("</string></plist>".utf8)
        #expect(try PropertyList(latin) == nil)
    }

    /// One long name under which many values stand, and many URLs of one text, are told before they fill the memory.
    @Test func namesAndURLsAreCounted() throws {
        let name = String(repeating: "n", count: 1 << 20)
        let items: [PropertyList.Item] = [.value(.string(name)), .value(.null), .dictionary([(key: 0, value: 1)]), .array([Int](repeating: 2, count: 10_000))]
        let list = PropertyList(items: items, offsets: [0, 0, 0, 0], root: 3, size: 1 << 20)
        #expect { try list.storedValue() } throws: { ($0 as? PropertyListFault)?.reason.contains("in so many places") == true }
        var archived: [PropertyList.Item] = [
            .value(.string("$archiver")), .value(.string("$objects")), .value(.string("$top")), .value(.string("root")), .value(.string("NS.objects")), .value(.string("$class")), .value(.string("$classname")),
            .value(.string("NSArray")), .value(.string("NSURL")), .value(.string("NS.relative")), .value(.string("$null")), .value(.string("https://a.b/" + name)),
        ]
        func add(_ item: PropertyList.Item) -> Int {
            archived.append(item)
            return archived.count - 1
        }
        // Objects: 0 nil, 1 the list, 2 its class, 3 the class of URLs, 4 the text, and then the URLs.
        let count = 10_000
        let urls = (0..<count).map { _ in add(.dictionary([(key: 5, value: 0), (key: 9, value: 0)])) }
        let (listClass, urlClass) = (add(.dictionary([(key: 6, value: 7)])), add(.dictionary([(key: 6, value: 8)])))
        let (toListClass, toURLClass, toText) = (add(.reference(2)), add(.reference(3)), add(.reference(4)))
        for url in urls { archived[url] = .dictionary([(key: 5, value: toURLClass), (key: 9, value: toText)]) }
        let members = add(.array(urls.indices.map { _ in 0 }))
        let references = urls.indices.map { add(.reference(5 + $0)) }
        archived[members] = .array(references)
        let whole = add(.dictionary([(key: 5, value: toListClass), (key: 4, value: members)]))
        let objects = add(.array([10, whole, listClass, urlClass, 11] + urls))
        let root = add(.dictionary([(key: 0, value: 7), (key: 1, value: objects), (key: 2, value: add(.dictionary([(key: 3, value: add(.reference(1)))])))]))
        let archive = try #require(try KeyedArchive(PropertyList(items: archived, offsets: [Int](repeating: 0, count: archived.count), root: root, size: 1 << 20)))
        var values = ArchivedValues(archive)
        #expect { try values.top() } throws: { ($0 as? PropertyListFault)?.reason.contains("in so many places") == true }
    }

    /// Small files that say something enormous, or something without an end.
    @Test(arguments: [
        ("array-in-itself.plist", "deeper than 200"), ("beyond.plist", "beyond the end"), ("many-members.plist", "beyond the end"), ("no-such-member.plist", "that there is not"),
        ("many-values.plist", "where the values are"), ("overlapping.plist", "one over the other"), ("many-times.plist", "in so many places"), ("many-times.archive", "in so many places"),
        ("circle.archive", "is inside of itself"), ("many-nils.archive", "in so many places"), ("object-twice.archive", "under two numbers"),
    ]) func hostile(name: String, reason: String) throws {
        let fixture = try emptyStore()
        #expect {
            let source = try ImportSource(path: Fixture.path(name))
            try fixture.store.importDocuments(from: source)
        } throws: {
            guard case ImportError.damaged(_, let place, let text) = $0 else { return false }
            return place.hasPrefix("byte ") && text.contains(reason)
        }
        #expect(try fixture.store.collectionNames().isEmpty)
    }

    /// Bytes changed at random are an error or other values, and never the end of the program.
    @Test(arguments: ["values.archive", "values-xml.archive", "people.archive", "list.plist", "list-xml.plist", "overlapping.plist", "many-times.archive"]) func damage(name: String) throws {
        let whole = try Fixture.data(name)
        var random = SeededGenerator(seed: 4_711)
        var (errors, values) = (0, 0)
        // The last of them are many values before they are found out.
        let rounds = name.hasPrefix("many") ? 100 : 2_000
        for round in 0..<rounds {
            var data = whole
            if round % 5 == 0 { data = data.prefix(Int.random(in: 0..<data.count, using: &random)) }
            for _ in 0..<Int.random(in: 1...6, using: &random) where !data.isEmpty {
                // Numbers near others are those that lead to somewhere.
                let place = Int.random(in: 0..<data.count, using: &random)
                data[place] = Bool.random(using: &random) ? .random(in: 0...255, using: &random) : data[place] ^ 1 << UInt8.random(in: 0...7, using: &random)
            }
            do {
                _ = try StoredValue(keyedArchive: data)
                _ = try StoredValue(propertyList: data)
                values += 1
            } catch {
                errors += 1
            }
        }
        #expect(errors > 0 && values > 0)
    }

    @Test(arguments: ["stored", "fixed", "dynamic", "huffman"]) func unpacking(name: String) throws {
        let (packed, text) = (try Fixture.data("\(name).deflate"), try Fixture.data("text.txt"))
        #expect(try Deflate.unpacked(packed, limit: text.count) == text)
        #expect(throws: Deflate.Fault.self) { try Deflate.unpacked(packed, limit: text.count - 1) }
        // Unpacking each beginning takes time with the square of the length.
        let sizes = (0..<packed.count).filter { TestShare.isWhole || $0 < 100 || $0 % 17 == 0 || $0 + 100 > packed.count }
        for size in sizes { #expect(throws: Deflate.Fault.self) { try Deflate.unpacked(packed.prefix(size), limit: 1 << 20) } }
        var random = SeededGenerator(seed: 12)
        for _ in 0..<TestShare.rounds(1_000) {
            var damaged = packed
            damaged[Int.random(in: 0..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
            if let found = try? Deflate.unpacked(damaged, limit: 1 << 20) { #expect(found.count <= 1 << 20) }
        }
    }
}
