import Foundation
import TestSupport
import Testing
import Trove

@testable import TroveInspector
@testable import TroveStoreTools

/// What somebody else saves between a form, its effects and the button is not overwritten.
@Suite(.serialized) struct MeanwhileTests {
    private static let lyrics = ["model": "Lyrics", "id": "1"]

    private func first(_ answer: RawClient.Answer) throws -> PlainJSON { try #require(try PlainJSON(json: answer.body).value(at: "changes")?.array.first) }

    private func effect(_ answer: RawClient.Answer) throws -> String { try #require(try PlainJSON(json: answer.body).value(at: "effect")?.text) }

    /// A form that is sent as it was shown takes back nothing that was saved since.
    @Test(arguments: Engine.allCases, [("text", "set", "value"), (nil, "replace", "json")]) func aForm(_ engine: Engine, _ form: (property: String?, action: String, field: String)) async throws {
        try await InspectorFixture.with(engine) { (fixture: InspectorFixture) async throws in
            let names = form.property.map { Self.lyrics.merging(["property": $0]) { $1 } } ?? Self.lyrics
            let shown = try await fixture.json("/edit.json", names)
            var fields = names
            fields["action"] = form.action
            fields[form.field] = try #require(shown.value(at: "text")?.text)
            fields["shown"] = try #require(shown.value(at: "shown")?.text)
            #expect(try await fixture.get("/edit", names).body.contains("name=\"shown\" value=\"\(fields["shown"] ?? "")\""))
            #expect(try await fixture.post("/preview.json", fields).status == 200)
            try await fixture.store.save(InspectedLyrics(id: 1, text: "4711"))
            let preview = try await fixture.post("/preview.json", fields)
            #expect(preview.status == 409)
            #expect(try first(preview).value(at: "before.text") == .string("4711") && first(preview).value(at: "values.text") == .string(HostileStore.secret))
            // Also where the effects are known.
            fields["effect"] = try effect(preview)
            #expect(try await fixture.post("/apply.json", fields).status == 409)
            #expect(try await fixture.store.fetch(InspectedLyrics.self, id: 1)?.text == "4711")
            // Who has seen the new state may change it.
            fields["shown"] = nil
            #expect(try await fixture.post("/apply.json", fields).status == 200)
            #expect(try await fixture.store.fetch(InspectedLyrics.self, id: 1)?.text == HostileStore.secret)
        }
    }

    /// The button does what was shown, with the values that were shown.
    @Test(arguments: Engine.allCases) func aButton(_ engine: Engine) async throws {
        try await InspectorFixture.with(engine) { (fixture: InspectorFixture) async throws in
            var fields = Self.lyrics.merging(["action": "set", "property": "text", "value": "50"]) { $1 }
            let page = try await fixture.post("/preview", fields).body
            #expect(page.contains(HostileStore.secret) && page.contains("<bdi>50</bdi>"))
            fields["effect"] = try await effect(fixture.post("/preview.json", fields))
            try await fixture.store.save(InspectedLyrics(id: 1, text: "60"))
            let answer = try await fixture.post("/apply.json", fields)
            #expect(answer.status == 409)
            #expect(try first(answer).value(at: "before.text") == .string("60") && first(answer).value(at: "values.text") == .string("50"))
            #expect(try await fixture.store.fetch(InspectedLyrics.self, id: 1)?.text == "60")
            fields["effect"] = try effect(answer)
            #expect(try await fixture.post("/apply.json", fields).status == 200)
            #expect(try await fixture.store.fetch(InspectedLyrics.self, id: 1)?.text == "50")
        }
    }

    /// An id that is made each time, in the inverse of a reference too, and the date of a save are no other effects.
    @Test(arguments: Engine.allCases) func whatIsMadeAnewIsTheSame(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, models: DigestOwner.self, DigestItem.self) }
        try fixture.store.save([DigestOwner(id: 1), DigestOwner(id: 2)])
        func digest(_ json: String) throws -> String {
            var (known, digest): ([StoredModel], String) = ([], "")
            _ = try RecordedChange.changing(fixture.store, keeps: false, withRecords: true) { transaction, models in
                known = models.all
                let model = try models["digest item"]
                try EditableObject(json: json, of: model).insert(in: transaction, model)
            } check: { changes in
                #expect(changes.count == 2)
                digest = try EffectDigest.of(changes, known)
            }
            return digest
        }
        #expect(try digest(#"{"owner": 1}"#) == digest(#"{"owner": 1}"#))
        #expect(try digest(#"{"owner": 1}"#) != digest(#"{"owner": 2}"#))
    }
}

@Model("digest owner") private struct DigestOwner {
    var id: Int
    var items: [Reference<DigestItem>] = []
    @Attribute(.modificationDate) var modified: Date?
}

@Model("digest item") private struct DigestItem {
    var id: ObjectID = ObjectID()
    @Relationship(inverse: \DigestOwner.items) var owner: Reference<DigestOwner>?
    @Attribute(.creationDate) var created: Date?
}
