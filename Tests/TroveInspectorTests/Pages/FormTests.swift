import Foundation
import TestSupport
import Testing
import Trove

@testable import TroveInspector
@testable import TroveStoreTools

/// What forms show, and what may be typed into them.
@Suite(.serialized) struct FormTests {
    private func withEvery(_ engine: Engine, _ body: (InspectorFixture) async throws -> Void) async throws {
        try await InspectorFixture.with(engine, open: { try ObjectStore($0, durability: .relaxed, models: InspectedEvery.self, InspectedSeat.self, InspectedLyrics.self) }) { store in
            try store.save(InspectedLyrics(id: 1, text: ""))
        } _: { (fixture: InspectorFixture) async throws in
            try await body(fixture)
        }
    }

    /// The form of a new object can be sent as it is.
    @Test(arguments: Engine.allCases) func theTemplateIsAnObject(_ engine: Engine) async throws {
        try await withEvery(engine) { fixture in
            for (model, hasID) in [("every", false), ("seat", false), ("Lyrics", true)] {
                let text = try #require(try await fixture.json("/edit.json", ["model": model]).value(at: "text")?.text)
                #expect(text.contains("\"$id\"") == hasID)
                let answer = try await fixture.post("/preview.json", ["action": "insert", "model": model, "json": text])
                #expect(answer.status == 200, "\(answer.text)")
                #expect(try PlainJSON(json: answer.body).value(at: "changes")?.array.count == 1)
            }
        }
    }

    /// Whatever a browser does to what a form has in it, the object that was shown is the one that is changed.
    @Test(arguments: Engine.allCases, ["", "a\nb", "a\rb", "&amp;\t\u{0}%0A"]) func anIDComesBackAsItIs(_ engine: Engine, _ id: String) async throws {
        try await InspectorFixture.with(engine) { (fixture: InspectorFixture) async throws in
            let others = ["a\r\nb", "x"]
            try await fixture.store.save((others + [id]).map { InspectedAlbum(id: $0) })
            let fields = ["model": "Album", "id": id]
            #expect(try await fixture.get("/edit", fields).body.contains("<h1>Change Album "))
            #expect(try await fixture.get("/objects", ["model": "Album"]).body.contains("/object?id=\(id.isEmpty ? "&amp;model=Album" : "")"))
            let preview = try await fixture.submit(fixture.get("/object", fields), to: "/preview")
            let done = try await fixture.submit(preview, to: "/apply")
            #expect(preview.status == 200 && done.status == 200 && done.body.contains("1 deleted"), "\(done.body)")
            #expect(try await fixture.store.fetch(InspectedAlbum.self).ids().sorted() == (others + [HostileStore.longID]).sorted())
        }
    }

    /// Numbers are typed without the tags of their types.
    @Test(arguments: Engine.allCases) func numbersAreTyped(_ engine: Engine) async throws {
        try await withEvery(engine) { fixture in
            let text = try #require(try await fixture.json("/edit.json", ["model": "every"]).value(at: "text")?.text)
            let id = try #require(try await fixture.store.documents(of: "every").insert(ModelDocument(json: text)).id).written
            for (property, value) in [("fl", "0.1"), ("fl", "3"), ("dbl", "2"), ("dbl", "0.5"), ("price", "0.1"), ("length", "1.5"), ("small", "7")] {
                let answer = try await fixture.post("/preview.json", ["action": "set", "model": "every", "id": id, "property": property, "value": value])
                #expect(answer.status == 200, "\(property) = \(value): \(answer.text)")
                #expect(try PlainJSON(json: answer.body).value(at: "changes")?.array.count == 1)
            }
        }
    }

    /// What begins as a text of JSON and is none is a slip.
    @Test(arguments: Engine.allCases) func anUnfinishedText(_ engine: Engine) async throws {
        try await InspectorFixture.with(engine) { (fixture: InspectorFixture) async throws in
            let document = try #require(await fixture.store.documents(HostileStore.collection).fetch().first())
            for fields in [["model": "Lyrics", "id": "1", "property": "text"], ["model": HostileStore.collection, "id": "\(document.id)", "property": "text"]] {
                let answer = try await fixture.post("/preview.json", fields.merging(["action": "set", "value": "\"unfinished"]) { $1 })
                #expect(answer.status == 400 && answer.body.contains("JSON"), "\(answer.text)")
            }
        }
    }

    /// A model's properties are those it has; a document may get a new one.
    @Test(arguments: Engine.allCases) func aPropertyThatIsNone(_ engine: Engine) async throws {
        try await InspectorFixture.with(engine) { (fixture: InspectorFixture) async throws in
            let document = try #require(await fixture.store.documents(HostileStore.collection).fetch().first())
            #expect(try await fixture.get("/edit", ["model": "Lyrics", "id": "1", "property": "nosuch"]).status == 404)
            #expect(try await fixture.get("/edit", ["model": "Lyrics", "id": "1", "property": "text"]).status == 200)
            #expect(try await fixture.get("/edit", ["model": HostileStore.collection, "id": "\(document.id)", "property": "nosuch"]).status == 200)
        }
    }
}

/// A property of each type.
@Model("every") private struct InspectedEvery {
    var id: UUID = UUID()
    var text: String
    var flag: Bool
    var small: Int16
    var wide: UInt128
    var fl: Float
    var dbl: Double
    var price: Decimal
    var link: URL
    var day: Date
    var length: Duration
    var bytes: Data
    var code: UUID
    var other: ObjectID
    var place: GeoPoint
    var list: [Int]
    var words: Set<String>
    var counts: [Int: String]
    var names: [String: Double]
    var maybe: Float?
}

/// An id that properties make.
@Model("seat") private struct InspectedSeat {
    #Unique<InspectedSeat>([\.row, \.number], identity: true)
    let row: String
    let number: Int
}
