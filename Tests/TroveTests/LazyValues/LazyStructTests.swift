import Foundation
import TestSupport
import Testing

@testable import Trove

/// Lazy values of structs.
@Suite struct LazyStructTests {
    @Test(arguments: Engine.allCases) func areReadWhenAskedFor(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        let store = fixture.store
        let photo = LazyPhoto(
            id: 1, title: "Fjord", text: Lazy(LazyFixture.text("fjord")), image: Lazy(LazyFixture.data(7)), drawing: Lazy(LazyDrawing(points: (0..<99).map(Double.init))))
        try store.save(photo)
        #expect(try store.annexCount("LazyPhoto") == 3)
        try fixture.reopenStore()
        let found = try #require(try fixture.store.fetch(LazyPhoto.self, id: 1))
        #expect(!found.text.isLoaded && !found.image.isLoaded && !found.drawing.isLoaded && found.scan.isLoaded)
        #expect(found == photo && found.hashed == photo.hashed, "what is stored is the same")
        #expect(try found.text.load() == LazyFixture.text("fjord"))
        #expect(try found.image.load() == LazyFixture.data(7))
        #expect(try found.drawing.load().points.count == 99)
        #expect(try found.scan.load() == nil)
        #expect(!found.text.isLoaded, "a struct keeps nothing")
        #expect("\(found.text)" == "Lazy(not loaded)" && "\(Lazy(5))" == "Lazy(5)")
    }

    @Test(arguments: Engine.allCases) func areReadOnOtherThreads(engine: Engine) async throws {
        let fixture = try LazyFixture.open(engine)
        try await fixture.store.save(LazyPhoto(id: 1, title: "a", text: Lazy(LazyFixture.text("async"))))
        let found = try #require(try await fixture.store.fetch(LazyPhoto.self, id: 1))
        let text = found.text
        #expect(try await text.load() == LazyFixture.text("async"))
        #expect(try await Lazy("made").load() == "made")
        try await fixture.store.close()
        await #expect(throws: StorageError.self) { try await text.load() }
    }

    /// A value in memory does not wait for that of another property of the record, which may be gone.
    @Test func areReadEachFromItsOwnPlace() async throws {
        let made = LazyBox(LazyFixture.text("made"), LazyCoding<String>.storable)
        guard case .annex(let id) = try made.form() else {
            Issue.record("the record has it itself")
            return
        }
        let other = [1 as UInt8].withUnsafeBytes { AnnexID(of: $0) }
        func annex(_ id: AnnexID, _ source: (any AnnexSource)? = nil) -> StoredAnnex {
            StoredAnnex(id, modelName: "LazyPhoto", field: "text", recordKey: [1], source)
        }
        let offered = OfferedAnnexes([AnnexOffer(id: other, provider: annex(other)), AnnexOffer(id: id, provider: made)])
        #expect(try await LazyBox(annex(id, offered), LazyCoding<String>.storable).valueFromReader() == LazyFixture.text("made"))
        await #expect(throws: TroveError.self) { try await LazyBox(annex(other, offered), LazyCoding<String>.storable).valueFromReader() }
    }

    /// Around the size up to which a record has the value itself.
    @Test(arguments: Engine.allCases) func sizes(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        for (id, count) in [0, 1, 125, 126, 127, 128, 129, 5_000, 70_000, 3_000_000].enumerated() {
            let text = String(repeating: "é", count: count / 2) + String(repeating: "x", count: count % 2)
            try fixture.store.save(LazyPhoto(id: id, title: "", text: Lazy("a"), image: Lazy(LazyFixture.data(1, count)), scan: Lazy(Data(text.utf8))))
            let found = try #require(try fixture.store.fetch(LazyPhoto.self, id: id))
            #expect(try found.image.load() == LazyFixture.data(1, count) && found.scan.load() == Data(text.utf8), "\(count)")
            #expect(found.image.isLoaded == (count < 127), "\(count)")
        }
        #expect(try fixture.store.verify().isSound)
    }

    /// What records have no longer is removed, and nothing else.
    @Test(arguments: Engine.allCases) func replacedAndRemoved(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        let store = fixture.store
        func count() throws -> Int { try store.annexCount("LazyPhoto") }
        for id in 0..<10 { try store.save(LazyPhoto(id: id, title: "a", text: Lazy(LazyFixture.text("w\(id)")), image: Lazy(LazyFixture.data(UInt8(id))))) }
        #expect(try count() == 20)
        var photo = try #require(try store.fetch(LazyPhoto.self, id: 3))
        let old = photo
        photo.title = "b"
        try store.save(photo)
        #expect(try count() == 20 && old.text.load() == LazyFixture.text("w3"), "it was neither read nor written")
        photo.text = Lazy(LazyFixture.text("other"))
        try store.save(photo)
        #expect(try count() == 20)
        #expect { try old.text.load() } throws: { isGone($0, "text") }
        #expect(try old.image.load() == LazyFixture.data(3))
        photo.text = Lazy("short")
        photo.image = Lazy(nil)
        try store.save(photo)
        #expect(try count() == 18)
        try store.delete(LazyPhoto.self, id: 4)
        #expect(try count() == 16)
        try store.fetch(LazyPhoto.self).where { $0.id < 2 }.delete()
        #expect(try count() == 12)
        #expect(try store.fetch(LazyPhoto.self).where { $0.id == 5 }.update { $0.text = Lazy("") } == 1)
        #expect(try count() == 11)
        #expect(try store.fetch(LazyPhoto.self).where { $0.id == 5 }.update(\.image, to: Lazy(LazyFixture.data(99))) == 1)
        #expect(try count() == 11 && store.fetch(LazyPhoto.self, id: 5)?.image.load() == LazyFixture.data(99))
        #expect(try store.verify().isSound)
        try store.deleteAll(LazyPhoto.self)
        #expect(try count() == 0)
    }

    /// Asynchronous reads take the threads of the store's readers, of which there are few, and a cancelled one does not wait for them.
    @Test(arguments: Engine.allCases) func asynchronousLoads(engine: Engine) async throws {
        let fixture = try LazyFixture.open(engine)
        let store = fixture.store
        try await store.save(LazyPhoto(id: 1, title: "a", text: Lazy("x"), image: Lazy(LazyFixture.data(7))))
        let photo = try #require(try await store.fetch(LazyPhoto.self, id: 1))
        let busy = try await HeldTransactions(WorkerPool.maxWorkers) { hold in try await store.read { _ in try hold() } }
        let waiting = (0..<200).map { _ in Task { try await photo.image.load() } }
        for task in waiting.prefix(100) { task.cancel() }
        for task in waiting.prefix(100) { await #expect(throws: CancellationError.self) { try await task.value } }
        try await busy.end()
        for task in waiting.dropFirst(100) { #expect(try await task.value == LazyFixture.data(7)) }
    }

    /// A transaction sees its own values, and what it takes back is as it was.
    @Test(arguments: Engine.allCases) func transactions(engine: Engine) throws {
        struct Stop: Error {}
        let fixture = try LazyFixture.open(engine)
        let store = fixture.store
        try store.save(LazyPhoto(id: 1, title: "a", text: Lazy(LazyFixture.text("before"))))
        let before = try #require(try store.fetch(LazyPhoto.self, id: 1))
        var escaped: LazyPhoto?
        try store.write { transaction in
            #expect(try before.text.load(in: transaction) == LazyFixture.text("before"))
            var photo = try #require(try transaction.fetch(LazyPhoto.self, id: 1))
            photo.text = Lazy(LazyFixture.text("inside"))
            try transaction.save(photo)
            let own = try #require(try transaction.fetch(LazyPhoto.self, id: 1))
            #expect(try !own.text.isLoaded && own.text.load() == LazyFixture.text("inside"))
            #expect(throws: Stop.self) {
                try transaction.savepoint {
                    try transaction.delete(LazyPhoto.self, id: 1)
                    throw Stop()
                }
            }
            #expect(try own.text.load() == LazyFixture.text("inside"))
            escaped = own
        }
        #expect(try escaped?.text.load() == LazyFixture.text("inside"))
        #expect { try before.text.load() } throws: { isGone($0, "text") }
        #expect(throws: Stop.self) {
            try store.write { transaction in
                try transaction.save(LazyPhoto(id: 1, title: "", text: Lazy(LazyFixture.text("lost"))))
                throw Stop()
            }
        }
        #expect(try store.fetch(LazyPhoto.self, id: 1)?.text.load() == LazyFixture.text("inside"))
        // One that is refused leaves nothing behind.
        #expect(throws: TroveError.self) { try store.insert(LazyPhoto(id: 1, title: "", text: Lazy(LazyFixture.text("refused")))) }
        #expect(try store.annexCount("LazyPhoto") == 1 && store.verify().isSound)
    }

    /// A value goes with what it is assigned to: to another object, another id, another store.
    @Test(arguments: Engine.allCases) func handedOn(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        let store = fixture.store
        try store.save(LazyPhoto(id: 1, title: "a", text: Lazy(LazyFixture.text("mine")), image: Lazy(LazyFixture.data(1))))
        let first = try #require(try store.fetch(LazyPhoto.self, id: 1))
        try store.save(LazyPhoto(id: 2, title: "b", text: first.text))
        var moved = first
        moved.id = 3
        try store.rekey(LazyPhoto.self, from: 1, to: moved)
        #expect(try store.annexCount("LazyPhoto") == 3)
        for id in 2...3 { #expect(try store.fetch(LazyPhoto.self, id: id)?.text.load() == LazyFixture.text("mine"), "\(id)") }
        #expect(try store.fetch(LazyPhoto.self, id: 3)?.image.load() == LazyFixture.data(1))
        #expect(try store.fetch(LazyPhoto.self).where { $0.hasWords("mine7") }.count() == 2)
        let other = try LazyFixture.open(.memory)
        try other.store.save(try #require(try store.fetch(LazyPhoto.self, id: 3)))
        #expect(try other.store.fetch(LazyPhoto.self, id: 3)?.image.load() == LazyFixture.data(1))
        #expect { try store.save(LazyPhoto(id: 4, title: "", text: first.text)) } throws: { isGone($0, "text") }
        #expect(try store.fetch(LazyPhoto.self).count() == 2 && store.verify().isSound)
    }

    /// The first value that is not nil stays.
    @Test(arguments: Engine.allCases) func writtenOnce(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        for scan in [nil, LazyFixture.data(1), LazyFixture.data(2), nil] {
            try fixture.store.save(LazyPhoto(id: 1, title: "a", text: Lazy(""), scan: Lazy(scan)))
        }
        #expect(try fixture.store.fetch(LazyPhoto.self, id: 1)?.scan.load() == LazyFixture.data(1))
        #expect(try fixture.store.annexCount("LazyPhoto") == 1)
    }

    /// Conditions, full text, selections, criteria and JSON know the values.
    @Test(arguments: Engine.allCases) func searched(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        let store = fixture.store
        for id in 0..<20 {
            try store.save(LazyPhoto(id: id, title: "t\(id)", text: Lazy(LazyFixture.text("word\(id % 3)x")), image: Lazy(id % 2 == 0 ? nil : LazyFixture.data(UInt8(id)))))
        }
        let photos = store.fetch(LazyPhoto.self)
        #expect(try photos.where { $0.text.loaded.hasPrefix("word1x0 ") }.count() == 7)
        #expect(try photos.where { $0.image.loaded == nil && $0.text.loaded.contains("word0x39") }.all().map(\.id) == [0, 6, 12, 18])
        #expect(try photos.where(Filter(criteria: "image is nil and text begins with 'word2x'")).count() == 3)
        #expect(try photos.where { $0.hasWords("word2x5") }.count() == 6)
        #expect(try photos.where { $0.id == 7 }.select(\.image).all().first?.load() == LazyFixture.data(7))
        #expect(try photos.sorted(by: \.title).limit(1).all().count == 1)
        let photo = try #require(try store.fetch(LazyPhoto.self, id: 7))
        let copy = try store.object(LazyPhoto.self, json: store.json(of: photo))
        #expect(try copy == photo && copy.image.load() == LazyFixture.data(7))
        #expect(try store.json(of: photo).contains("word1x39"))
    }

    /// Lines of JSON have the values, with the model and without it.
    @Test(arguments: Engine.allCases) func jsonLines(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        try fixture.store.save(LazyPhoto(id: 1, title: "t", text: Lazy(LazyFixture.text("line"))))
        for isKnown in [true, false] {
            if !isKnown { try fixture.reopenStore { try ObjectStore($0) } }
            var text = ""
            try fixture.store.fetchRecords(of: ["LazyPhoto"]).jsonLines { text += String(decoding: $0, as: UTF8.self) }
            #expect(text.contains("\"text\":\"\(LazyFixture.text("line"))\"") && text.contains("\"image\":null"), "\(isKnown): \(text)")
        }
    }

    /// An export has the values, and an import makes them anew; so does a copy to another engine.
    @Test(arguments: Engine.allCases) func exportedAndCopied(engine: Engine) throws {
        let fixture = try LazyFixture.open(engine)
        for id in 0..<5 { try fixture.store.save(LazyPhoto(id: id, title: "t", text: Lazy(LazyFixture.text("w\(id)")), image: Lazy(LazyFixture.data(UInt8(id))))) }
        let file = fixture.directory.file("export.jsonl")
        try fixture.store.exportJSON(to: file)
        for models in [[LazyPhoto.self] as [any Model.Type], []] {
            let backend = try engine.open(fixture.directory.file("import\(models.count)"))
            let imported = try ObjectStore(backend, durability: .relaxed, models: models)
            _ = try imported.importJSON(from: file, unknownModels: .kept)
            #expect(try imported.annexCount("LazyPhoto") == 10 && imported.verify().isSound)
            let record = try imported.read { try $0.storedRecord(of: "LazyPhoto", key: 3.keyBytes) }
            #expect(record?["text"] == .string(LazyFixture.text("w3")) && record?["title"] == .string("t"))
            try imported.close()
        }
        let backend = try Engine.memory.open(fixture.directory.file("copy"))
        try fixture.store.copy(to: backend)
        let target = try ObjectStore(backend, models: [LazyPhoto.self])
        #expect(try target.fetch(LazyPhoto.self, id: 4)?.image.load() == LazyFixture.data(4))
    }
}

extension LazyPhoto {
    fileprivate var hashed: Int {
        var hasher = Hasher()
        for value in [AnyHashable(text), AnyHashable(image), AnyHashable(drawing), AnyHashable(scan)] { hasher.combine(value) }
        return hasher.finalize()
    }
}
