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
            #expect(try await fixture.get("/edit", names).body.contains("shown=\(fields["shown"] ?? "")"))
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

    /// A set is in the order of its elements' bytes, in which an id that is made anew has another place each time.
    @Test(arguments: Engine.allCases) func whatIsMadeAnewInASetIsTheSame(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, models: DigestBasket.self, DigestFruit.self) }
        try fixture.store.save(DigestBasket(id: 1))
        try fixture.store.save((0..<9).map { _ in DigestFruit(basket: Reference(id: 1)) })
        let digests = try (0..<6).map { _ in
            try effects(fixture.store) { transaction, models in
                let model = try models["digest fruit"]
                try EditableObject(json: #"{"basket": 1}"#, of: model).insert(in: transaction, model)
            }.digest
        }
        #expect(Set(digests).count == 1)
    }

    /// A lazy value that stands apart from its record counts, though it is gone when its effect is looked at.
    @Test(arguments: Engine.allCases) func lazyValues(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, models: DigestPhoto.self) }
        let found = try ([1, 2] as [UInt8]).map { byte in
            try fixture.store.save(DigestPhoto(id: 1, image: Lazy(Data(repeating: byte, count: 5_000))))
            return try effects(fixture.store) { transaction, _ in _ = try transaction.delete(DigestPhoto.self, id: 1) }
        }
        #expect(found[0].digest != found[1].digest)
        let before = found.map { RecordDifference.byName($0.differences[0].before)["image"] }
        #expect(before[0] != before[1])
        guard case .object(let shown)? = before[0], case .int(let size)? = shown["bytes"] else {
            Issue.record("\(String(describing: before[0]))")
            return
        }
        #expect((5_000...5_016).contains(size))
    }

    /// A name that changes its scalars is one name to Swift, and two to a document: what was there, and what is there, are told.
    @Test(arguments: Engine.allCases) func namesInOtherScalars(_ engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, models: []) }
        let id = ObjectID()
        let (one, two) = ("caf\u{E9}", "cafe\u{301}")
        for (old, new) in [(one, two), (two, one)] {
            try fixture.store.documents("notes").save(Document([old: 1], id: id))
            let found = try effects(fixture.store) { transaction, _ in try transaction.documents("notes").save(Document([new: 2], id: id)) }
            let difference = try #require(found.differences.first)
            #expect(Array(RecordDifference.byName(difference.before).values) == [1] && Array(RecordDifference.byName(difference.after).values) == [2])
        }
    }

    private func effects(
        _ store: ObjectStore, _ change: (WriteTransaction, StoreModels) throws -> Void
    ) throws -> (digest: String, differences: [RecordDifference]) {
        var (known, digest, differences): ([StoredModel], String, [RecordDifference]) = ([], "", [])
        _ = try RecordedChange.changing(store, keeps: false, withRecords: true) { transaction, models in
            known = models.all
            try change(transaction, models)
        } check: { changes in
            digest = try EffectDigest.of(changes, known)
            differences = changes.compactMap { change in
                known.first { $0.name == change.modelName }.map { RecordDifference(from: change.old, to: change.new, of: $0) }
            }
        }
        return (digest, differences)
    }
}

@Model("digest basket") private struct DigestBasket {
    var id: Int
    var fruits: Set<Reference<DigestFruit>> = []
}

@Model("digest fruit") private struct DigestFruit {
    var id: UUID = UUID()
    @Relationship(inverse: \DigestBasket.fruits) var basket: Reference<DigestBasket>?
}

@Model("digest photo") private struct DigestPhoto {
    var id: Int
    var image: Lazy<Data>
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
