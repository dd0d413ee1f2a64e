import Foundation
import Synchronization
import TestSupport
import Testing
import Trove

@testable import TroveInspector
@testable import TroveStoreTools

/// Changes keep the rules, a preview changes nothing, and what is confirmed is what was shown.
@Suite(.serialized) struct EditTests {
    private func changes(_ answer: RawClient.Answer) throws -> [String] {
        guard case .list(let list)? = try PlainJSON(json: answer.body).value(at: "changes") else { return [] }
        return list.map { change in
            guard case .string(let word)? = change.value(at: "change"), case .string(let model)? = change.value(at: "model") else { return "" }
            return "\(word) \(model)"
        }.sorted()
    }

    /// Shows a change, checks that nothing was done, and confirms it.
    private func apply(_ fixture: InspectorFixture, _ fields: [String: String]) async throws -> [String] {
        let before = try Self.everything(in: fixture.store)
        let preview = try await fixture.post("/preview.json", fields)
        try #require(preview.status == 200, "\(preview.text)")
        #expect(try Self.everything(in: fixture.store) == before, "a preview changes nothing")
        guard case .string(let effect)? = try PlainJSON(json: preview.body).value(at: "effect") else { return [] }
        let done = try await fixture.post("/apply.json", fields.merging(["effect": effect]) { $1 })
        try #require(done.status == 200, "\(done.text)")
        #expect(try changes(done) == changes(preview))
        #expect(try PlainJSON(json: done.body).value(at: "isDone") == .bool(true))
        return try changes(done)
    }

    /// Everything that is stored, as one text.
    private static func everything(in store: ObjectStore) throws -> Data {
        let path = FileManager.default.temporaryDirectory.appending(path: "inspected-\(UUID())").path
        try store.exportJSON(to: path)
        let data = try Data(contentsOf: URL(filePath: path))
        try FileManager.default.removeItem(atPath: path)
        return data
    }

    @Test(arguments: Engine.allCases) func aProperty(_ engine: Engine) async throws {
        try await InspectorFixture.with(engine) { (fixture: InspectorFixture) async throws in
            for (number, text) in HostileStore.texts.enumerated() {
                let fields = ["model": "Lyrics", "id": "1", "property": "text"]
                #expect(try await apply(fixture, fields.merging(["action": "set", "value": StoredValue.string(text).json()]) { $1 }) == ["changed Lyrics"], "\(number)")
                #expect(try await fixture.store.fetch(InspectedLyrics.self, id: 1)?.text == text)
                let form = try await fixture.get("/edit", fields).body
                #expect(!form.contains("</textarea><img") && form.contains("</textarea></label>"))
                #expect(!form.unicodeScalars.contains { TerminalText.isUnsafe($0) && $0 != "\n" })
                // What the form has is what the store has, though browsers end every line of a form by CR LF.
                for (names, action, field) in [(fields, "set", "value"), (["model": "Lyrics", "id": "1"], "replace", "json")] {
                    let shown = try #require(try await fixture.json("/edit.json", names).value(at: "text")?.text).replacing("\r\n", with: "\n").replacing("\n", with: "\r\n")
                    #expect(try await changes(fixture.post("/preview.json", names.merging(["action": action, field: shown]) { $1 })).isEmpty, "\(number)")
                }
            }
            #expect(try await apply(fixture, ["action": "set", "model": "Song <i>&\"'", "id": "3", "property": "rating", "value": "4.5"]) == ["changed Song <i>&\"'"])
            #expect(try await fixture.store.fetch(InspectedSong.self, id: 3)?.rating == 4.5)
            #expect(try await apply(fixture, ["action": "set", "model": "Song <i>&\"'", "id": "3", "property": "rating", "value": "null"]) == ["changed Song <i>&\"'"])
            #expect(try await fixture.store.fetch(InspectedSong.self, id: 3)?.rating == nil)
        }
    }

    @Test(arguments: Engine.allCases) func rulesHold(_ engine: Engine) async throws {
        try await InspectorFixture.with(engine) { (fixture: InspectorFixture) async throws in
            let song = "Song <i>&\"'"
            // Written once: the stored value stays, so there is nothing to change.
            #expect(try await changes(fixture.post("/preview.json", ["action": "set", "model": song, "id": "3", "property": "code", "value": "other"])).isEmpty)
            let unique = try await fixture.post("/preview.json", ["action": "set", "model": song, "id": "3", "property": "number", "value": "1"])
            #expect(unique.status == 409)
            let wrong = try await fixture.post("/preview.json", ["action": "set", "model": song, "id": "3", "property": "year", "value": "many"])
            #expect(wrong.status == 400)
            let unknown = try await fixture.post("/preview", ["action": "set", "model": song, "id": "3", "property": "<script>", "value": "1"])
            #expect(unknown.status == 400 && !unknown.body.contains("<script>"))
            #expect(try await fixture.post("/preview.json", ["action": "replace", "model": song, "id": "3", "json": "{"]).status == 400)
            #expect(try await fixture.post("/preview.json", ["action": "delete", "model": song, "id": "4711"]).status == 409)
        }
    }

    @Test(arguments: Engine.allCases) func deletionsTakeOthersAlong(_ engine: Engine) async throws {
        try await InspectorFixture.with(engine) { (fixture: InspectorFixture) async throws in
            let fields = ["action": "delete", "model": "Album", "id": HostileStore.longID]
            let page = try await fixture.post("/preview", fields)
            #expect(page.status == 200 && page.body.contains("2 changed, 3 deleted") && page.body.contains("/apply"))
            #expect(try await apply(fixture, fields) == ["changed Song <i>&\"'", "changed a bag", "deleted Album", "deleted Track", "deleted Track"])
            #expect(try await fixture.store.fetch(InspectedTrack.self).count() == 0)
            #expect(try await fixture.store.fetch(InspectedSong.self, id: 5)?.album == nil)
        }
    }

    /// Long values are told by their sizes.
    @Test(arguments: Engine.allCases) func longValuesAreToldByTheirSizes(_ engine: Engine) async throws {
        try await InspectorFixture.with(engine) { (fixture: InspectorFixture) async throws in
            let tracks = (0..<600).map { InspectedTrack(name: "\($0)") }
            try await fixture.store.save(tracks)
            try await fixture.store.save(InspectedAlbum(id: "large", tracks: tracks.map { Reference($0) }))
            let emptied = try await fixture.post("/preview.json", ["action": "set", "model": "Album", "id": "large", "property": "tracks", "value": "[]"])
            let changes = try #require(try PlainJSON(json: emptied.body).value(at: "changes")?.array, "\(emptied.text)")
            let change = try #require(changes.first { $0.value(at: "model") == .string("Album") })
            #expect(change.value(at: "before.tracks.elements") == .int(600) && change.value(at: "values.tracks") == .list([]))
        }
    }

    /// What is done is told however much there is to tell.
    @Test(arguments: Engine.allCases) func aChangeThatIsDoneIsNeverTooLarge(_ engine: Engine) async throws {
        var limits = InspectorLimits()
        limits.answerSize = 20_000
        try await InspectorFixture.with(engine, limits: limits) { (fixture: InspectorFixture) async throws in
            let tracks = (0..<600).map { InspectedTrack(name: String(repeating: "x", count: 50) + "\($0)") }
            try await fixture.store.save(tracks)
            try await fixture.store.save(InspectedAlbum(id: "large", tracks: tracks.map { Reference($0) }))
            // The digest of the effects, as a preview of any size would have it.
            let models = try StoreModels(fixture.store)
            let known = try StoreModels(fixture.store).all
            var effect = ""
            _ = try RecordedChange.changing(fixture.store, keeps: false, withRecords: true) { transaction, _ in
                try EditableObject(.string("large"), of: models["Album"], in: transaction)?.delete(from: transaction, models["Album"])
            } check: { effect = try EffectDigest.of($0, known) }
            let done = try await fixture.post("/apply.json", ["action": "delete", "model": "Album", "id": "large", "effect": effect])
            let json = try PlainJSON(json: done.body)
            #expect(done.status == 200 && json.value(at: "isDone") == .bool(true) && json.value(at: "count") == .int(601))
            #expect(json.value(at: "changes")?.array.count == 500)
        }
    }

    /// A page whose content cannot be made has the status of the error.
    @Test func aPageThatFailsHasTheStatus() throws {
        let store = try ObjectStore(MemoryBackend(name: "inspected \(UUID())"), models: [])
        let site = InspectorSite(store, allowsWrites: false, hosts: [], InspectorLimits())
        #expect(PageFrame(site).html(FailingPage()).status == 500)
        try store.close()
    }

    @Test(arguments: Engine.allCases) func newOnes(_ engine: Engine) async throws {
        try await InspectorFixture.with(engine) { (fixture: InspectorFixture) async throws in
            #expect(try await apply(fixture, ["action": "insert", "model": "Lyrics", "json": #"{"$id": 9, "text": "nine"}"#]) == ["inserted Lyrics"])
            #expect(try await fixture.store.fetch(InspectedLyrics.self, id: 9)?.text == "nine")
            #expect(try await fixture.post("/preview.json", ["action": "insert", "model": "Lyrics", "json": #"{"$id": 9, "text": "nine"}"#]).status == 409)
            // An id that is made each time is no other effect.
            #expect(try await apply(fixture, ["action": "insert", "model": "Track", "json": #"{"name": "three"}"#]) == ["inserted Track"])
            #expect(try await apply(fixture, ["action": "insert", "model": HostileStore.collection, "json": #"{"a": {"b": [1]}}"#]) == ["inserted \(HostileStore.collection)"])
            let document = try #require(await fixture.store.documents(HostileStore.collection).fetch("a.b[0] = 1").first())
            #expect(try await apply(fixture, ["action": "set", "model": HostileStore.collection, "id": "\(document.id)", "property": "x.y", "value": "{\"z\":2}"]) == ["changed \(HostileStore.collection)"])
            #expect(try await fixture.store.documents(HostileStore.collection).fetch(id: document.id)?.value.json() == #"{"a":{"b":[1]},"x.y":{"z":2}}"#)
            for model in ["Lyrics", "Album", "Track", "Song <i>&\"'", HostileStore.collection] { #expect(try await fixture.get("/edit", ["model": model]).status == 200) }
        }
    }

    @Test(arguments: Engine.allCases) func whatChangedMeanwhileIsShownAgain(_ engine: Engine) async throws {
        try await InspectorFixture.with(engine) { (fixture: InspectorFixture) async throws in
            let fields = ["action": "delete", "model": "Album", "id": HostileStore.longID]
            let preview = try await fixture.post("/preview.json", fields)
            guard case .string(let effect)? = try PlainJSON(json: preview.body).value(at: "effect") else { throw RawClient.Failed(what: "no effect") }
            let track = InspectedTrack(name: "three")
            try await fixture.store.save(track)
            var album = try #require(await fixture.store.fetch(InspectedAlbum.self, id: HostileStore.longID))
            album.tracks.append(Reference(track))
            try await fixture.store.save(album)
            let answer = try await fixture.post("/apply", fields.merging(["effect": effect]) { $1 })
            #expect(answer.status == 409 && answer.body.contains("2 changed, 4 deleted"))
            #expect(try await fixture.store.fetch(InspectedTrack.self).count() == 3)
        }
    }

    /// The application's own delegate hears of what is done, has a say in it, and is still there afterwards.
    @Test func theDelegateOfTheApplicationStays() async throws {
        try await InspectorFixture.with(.memory) { (fixture: InspectorFixture) async throws in
            let auditor = Auditor()
            fixture.store.delegate = auditor
            #expect(try await apply(fixture, ["action": "set", "model": "Lyrics", "id": "1", "property": "text", "value": "new"]) == ["changed Lyrics"])
            #expect(auditor.committed.value == 1, "previews are not committed")
            #expect(try await fixture.post("/preview", ["action": "delete", "model": "Lyrics", "id": "1"]).status == 500)
            #expect(fixture.store.delegate === auditor)
        }
    }

    @Test func withoutPermissionThereIsNoWay() async throws {
        try await InspectorFixture.with(.memory, allowsWrites: false) { (fixture: InspectorFixture) async throws in
            #expect(try await fixture.get("/edit", ["model": "Lyrics", "id": "1"]).status == 403)
            #expect(try await fixture.post("/preview", ["action": "delete", "model": "Lyrics", "id": "1"], token: "").status == 403)
            #expect(try await fixture.post("/apply", ["action": "delete", "model": "Lyrics", "id": "1"], token: "").body.contains("shown for reading"))
            let page = try await fixture.get("/object", ["model": "Lyrics", "id": "1"]).body
            #expect(!page.contains("<form") && !page.contains("/edit"))
            #expect(try await fixture.store.fetch(InspectedLyrics.self).count() == 1)
        }
    }
}

/// Lets nothing be deleted, and counts what is stored.
private final class Auditor: StoreDelegate {
    struct No: Error {}
    let committed = Counter()
    func willChange(_ change: ObjectChange) throws { if change.kind == .deletion { throw No() } }
    func didCommit(_ changes: [ObjectChange]) { committed.add(changes.count) }
}

/// A page that a damaged record breaks off.
private struct FailingPage: InspectorPage {
    let title = "Failing"
    let section = PageSection.store

    func body() throws -> HTML { throw TroveError.corruptMetadata(key: "x") }
    func json() throws -> JSONAnswer { .object([]) }
}

/// A number that several threads add to.
private final class Counter: Sendable {
    private let number = Mutex(0)

    var value: Int { number.withLock { $0 } }

    func add(_ count: Int) { number.withLock { $0 += count } }
}
