import Foundation
import TestSupport
import Testing

@testable import Trove

/// Documents as values: literals, paths and editing.
@Suite struct DocumentValueTests {
    private let note: Document = [
        "title": "Fjord", "author": ["name": "Ane", "born": 1970], "tags": ["sea", "north"], "rating": 7, "share": 0.5, "public": true, "lines": [["price": 5], ["price": 9]],
    ]

    @Test func literalsAreValues() {
        #expect(note.value == .object([
            "title": .string("Fjord"), "author": .object(["name": .string("Ane"), "born": .int(1970)]), "tags": .array([.string("sea"), .string("north")]),
            "rating": .int(7), "share": .double(0.5), "public": .bool(true),
            "lines": .array([.object(["price": .int(5)]), .object(["price": .int(9)])]),
        ]))
    }

    @Test(arguments: [
        ("author.name", [DocumentPath.Step.name("author"), .name("name")], "author.name"),
        ("tags[1]", [.name("tags"), .position(1)], "tags[1]"),
        ("lines[0].price", [.name("lines"), .position(0), .name("price")], "lines[0].price"),
        ("[2][3]", [.position(2), .position(3)], "[2][3]"),
        ("", [.name("")], ""),
        ("a.", [.name("a"), .name("")], #"a[""]"#),
        (#"["a.b"].c"#, [.name("a.b"), .name("c")], #"["a.b"].c"#),
        (#"x["say ""hi"""]"#, [.name("x"), .name(#"say "hi""#)], #"x["say ""hi"""]"#),
        ("a[b]", [.name("a[b]")], #"["a[b]"]"#),
        ("[\"a.\u{301}b\"]", [.name("a.\u{301}b")], "[\"a.\u{301}b\"]"),
        ("a.\u{301}", [.name("a"), .name("\u{301}")], "a.\u{301}"),
        ("[\"\"\"\u{301}\"]", [.name("\"\u{301}")], "[\"\"\"\u{301}\"]"),
        ("a[-1]", [.name("a[-1]")], #"["a[-1]"]"#),
        ("a[99999999999999999999]", [.name("a[99999999999999999999]")], #"["a[99999999999999999999]"]"#),
    ])
    func pathsAreReadAndWritten(text: String, steps: [DocumentPath.Step], written: String) {
        let path = DocumentPath(text)
        #expect(path.steps == steps)
        #expect(path.description == written)
        #expect(DocumentPath(written) == path)
    }

    /// Names are in the order of their bytes, those that Swift calls equal too, and a mark behind the prefix of Trove's own names does not hide it.
    @Test func namesGoByTheirBytes() throws {
        let store = try ObjectStore(MemoryBackend(), durability: .relaxed)
        let names = ["cafe\u{301}", "z", "\u{E9}"]
        for name in names.reversed() {
            try store.documents(name).save([["e\u{301}": 1, "z": 3], ["\u{E9}": 2]])
            #expect(try store.documents(name).attributes().map { Array($0.path.utf8) } == ["e\u{301}", "z", "\u{E9}"].map { Array($0.utf8) })
        }
        #expect(try store.collectionNames().map { Array($0.utf8) } == names.map { Array($0.utf8) })
        #expect { try store.documents("$\u{301}x").count() } throws: { if case TroveError.invalidCollection = $0 { true } else { false } }
    }

    @Test func valuesAreFoundByPath() throws {
        #expect(note["author.name"] == "Ane")
        #expect(note["tags[1]"] == "north")
        #expect(note["lines[1].price"] == 9)
        #expect(note["tags[2]"] == nil)
        #expect(note["title.x"] == nil)
        #expect(note["author[0]"] == nil)
        #expect(try note.value(at: "rating", as: Int.self) == 7)
        #expect(try note.value(at: "tags", as: [String].self) == ["sea", "north"])
        #expect(try note.value(at: "none", as: Int.self) == nil)
        #expect(throws: TroveError.self) { try note.value(at: "title", as: Int.self) }
    }

    @Test func valuesAreSetInsertedAndRemoved() throws {
        var edited = note
        edited["author.name"] = "Ann"
        edited["author.address.city"] = "Oslo"
        edited["tags[1]"] = "south"
        edited["tags[2]"] = "cold"
        edited["places[0].name"] = "here"
        try edited.insert("first", at: "tags[0]")
        try edited.set("born", to: Date(timeIntervalSinceReferenceDate: 0))
        edited["share"] = nil
        edited["public"] = .null
        #expect(edited.remove("lines[0]") == ["price": 5])
        #expect(edited.remove("nowhere.at.all") == nil)
        #expect(edited.value == [
            "title": "Fjord", "author": ["name": "Ann", "born": 1970, "address": ["city": "Oslo"]], "tags": ["first", "sea", "south", "cold"], "rating": 7, "public": .null,
            "lines": [["price": 9]], "places": [["name": "here"]], "born": .date(Date(timeIntervalSinceReferenceDate: 0)),
        ])
        #expect(note["author.name"] == "Ane", "documents are values")
    }

    /// A name takes the place of one that Swift calls equal, with its own bytes.
    @Test func equalNamesInOtherScalars() throws {
        var edited: Document = ["\u{E9}": 1, "other": 2]
        edited["e\u{301}"] = 5
        #expect(edited["e\u{301}"] == 5)
        #expect(edited["\u{E9}"] == nil)
        #expect(edited["other"] == 2)
    }

    @Test func whatCannotBeSetIsTold() throws {
        for path in ["title.x", "tags[9]", "author[0]", "tags.x", "none[3]"] as [DocumentPath] {
            var edited = note
            #expect { try edited.set(path, to: 1) } throws: { if case TroveError.invalidDocumentPath = $0 { true } else { false } }
            #expect(edited == note)
            edited[path] = 1
            #expect(edited == note, "it is as it was")
            #expect(throws: TroveError.self) { try edited._checkBeforeWriting() }
        }
        var edited = note
        #expect(throws: TroveError.self) { try edited.insert("x", at: "tags") }
        #expect(throws: TroveError.self) { try edited.insert("x", at: "tags[3]") }
        // Which a text cannot say.
        let negative = DocumentPath([.name("tags"), .position(-1)])
        #expect(throws: TroveError.self) { try edited.insert("x", at: negative) }
        #expect(throws: TroveError.self) { try edited.set(negative, to: 1) }
        #expect(throws: TroveError.self) { try edited.insert("x", at: "title[0]") }
    }

    /// A path without steps and one of the empty name have the same text.
    @Test func pathsWithoutATextAreTold() throws {
        var edited = note
        func message(_ body: () throws -> Void) -> String {
            do {
                try body()
                return "no error"
            } catch {
                return "\(error)"
            }
        }
        let whole = DocumentPath([])
        #expect(message { try edited.insert("x", at: whole) }.hasPrefix("the path of the whole document leads to no place"))
        #expect(message { try edited.insert("x", at: "") }.hasPrefix("'[\"\"]' leads to no place"))
        #expect(DocumentPath("[\"\"]") == "")
        let decoding = message { _ = try edited.value(at: whole, as: Int.self) }
        #expect(decoding.contains("the whole document"), "\(decoding)")
    }

    /// A path of any length is followed without one call in the other; what is too deep to be stored is refused by a save.
    @Test func longPathsDoNoHarm() throws {
        let path = DocumentPath([DocumentPath.Step](repeating: .name("a"), count: 20_000))
        var deep = Document()
        deep[path] = 1
        #expect(deep[path] == 1)
        let store = try ObjectStore(MemoryBackend(), models: [])
        #expect(throws: TroveError.self) { try store.documents("deep").save(deep) }
        #expect(try store.documents("deep").count() == 0)
        #expect(deep.remove(path) == 1)
    }

    @Test(arguments: Engine.allCases) func documentsAreShownAsJSON(engine: Engine) throws {
        let id = ObjectID()
        var document = Document(["title": "So\nWhat", "year": 1959, "at": .date(Date(timeIntervalSince1970: 0))], id: id, className: "Song")
        let json = #"{"at":{"$date":"1970-01-01T00:00:00Z"},"title":"So\nWhat","year":1959}"#
        #expect("\(document)" == "Song \(id) \(json)")
        document.className = nil
        #expect("\(document)" == "\(id) \(json)")
        #expect(String(reflecting: [document]) == "[\(id) \(json)]")
        // What cannot be stored has no JSON.
        document[DocumentPath([DocumentPath.Step](repeating: .name("a"), count: 300))] = 1
        #expect("\(document)".hasPrefix("\(id) object([\"a\": object(["))
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: ShownTicket.self) }
        try fixture.store.save(ShownTicket(row: 3, seat: "b", price: 5))
        let ticket = try #require(try fixture.store.documents(of: "ShownTicket").fetch().first())
        #expect("\(ticket)" == #"ShownTicket [3, b] {"price":5,"row":3,"seat":"b"}"#)
        #expect("\(ModelDocument(["price": 5]))" == #"{"price":5}"#)
        #expect("\(ModelDocument(["price": 5], id: 7))" == #"7 {"price":5}"#)
    }

    @Test func codableValuesBecomeDocuments() throws {
        struct Note: Codable, Equatable {
            var title: String
            var when: Date
            var tags: [String]
        }
        let value = Note(title: "x", when: Date(timeIntervalSinceReferenceDate: 700_000_000.25), tags: ["a"])
        let document = try Document(encoding: value, className: "Note")
        #expect(document["when"] == .date(value.when))
        #expect(try document.decoded(as: Note.self) == value)
        #expect(throws: TroveError.self) { try document.decoded(as: [Int].self) }
    }
}

@Model
private struct ShownTicket {
    #Unique<ShownTicket>([\.row, \.seat], identity: true)
    var row: Int
    var seat: String
    var price = 0
}
