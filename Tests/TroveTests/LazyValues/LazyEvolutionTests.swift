import Foundation
import TestSupport
import Testing

@testable import Trove

/// One model as programs of different age declare it.
private enum Plain {
    @Model("page") struct Page {
        var id: Int
        var text: String
        var count: Int32 = 1
        var image: Data?
    }
}

private enum Apart {
    @Model("page") struct Page {
        var id: Int
        @Attribute(.fullText) var text: Lazy<String>
        var count: Lazy<Int> = Lazy(0)
        @Attribute(.keepIfNil) var image: Lazy<Data?> = Lazy(nil)
        var added: Lazy<String> = Lazy("none")
    }
}

private enum Upgraded {
    @Model("page", version: 2) struct Page {
        var id: Int
        var title = ""

        mutating func upgrade(from old: StoredRecord) throws {
            title = String(try old.value(of: "text", as: String.self).prefix(3)) + "\(try old.value(of: "image", as: Data?.self)?.count ?? 0)"
        }
    }
}

private enum Wide {
    @Model("page") struct Page {
        var id: Int
        var text: String
        var count: Int = 1
        var image: Data?
    }
}

/// Lazy values of one type and of another that has the same bytes.
private enum Retyped {
    struct Sketch: Codable, Sendable, Hashable {
        var points: [Double]
    }

    @Model("page") struct Before {
        var id: Int
        var text: Lazy<String>
        var drawing: Lazy<LazyDrawing>
        var numbers: Lazy<[Int32]>
        var ratios: Lazy<[Float]>
    }

    @Model("page") struct After {
        var id: Int
        @Attribute(originalName: "text") var words: Lazy<String?>
        var drawing: Lazy<Sketch?>
        var numbers: Lazy<[Int]>
        var ratios: Lazy<[Double]>
    }
}

/// Lazy values where nothing could read them later.
private enum Wrong {
    @Model struct Listed {
        var id: Int
        var pages: [Lazy<String>]
    }
    @Model struct Maybe {
        var id: Int
        var page: Lazy<String>?
    }
    @Model struct Pointing {
        var id: Int
        var pages: Lazy<[Reference<LongKeys.Page>]>
    }
    @Model struct PointingAnywhere {
        var id: Int
        var page: Lazy<AnyReference?> = Lazy(nil)
    }
    typealias Pages = [Reference<LongKeys.Page>]
    /// References that `@Model` does not see.
    @Model final class PointingObject {
        @Attribute(.lazy) var pages: Pages = []

        init() {}
    }
}

private enum Grown {
    @Model("page") struct Page {
        var id: Int
        var text: String
        var extra: Lazy<String?>
        var drawing: Lazy<LazyDrawing?>
    }

    @Model("page") final class LivePage {
        let id: Int
        var text: String
        @Attribute(.lazy) var extra: String?
        @Attribute(.lazy) var drawing: LazyDrawing?
        @Attribute(.lazy) var note: String = "none"

        init(id: Int) { (self.id, text) = (id, "") }
    }
}

/// Items of an owner, before and after their text became lazy.
private enum Owned {
    enum Before {
        @Model("Owner") struct Owner {
            var id: String
            var items: [Reference<Owned.Before.Item>] = []
        }

        @Model("Item") struct Item {
            var id: Int
            var text: String
            @Relationship(inverse: \Owned.Before.Owner.items) var owner: Reference<Owned.Before.Owner>?
        }
    }

    enum Now {
        @Model("Owner") struct Owner {
            var id: String
            var items: [Reference<Owned.Now.Item>] = []
        }

        @Model("Item") struct Item {
            var id: Int
            var text: Lazy<String>
            @Relationship(inverse: \Owned.Now.Owner.items) var owner: Reference<Owned.Now.Owner>?
        }
    }
}

private enum LongKeys {
    @Model struct Page {
        var id: String
        var text: Lazy<String>
    }
}

/// Values that become lazy, and that are so no longer; programs without the model.
@Suite struct LazyEvolutionTests {
    private static let texts = (0..<6).map { LazyFixture.text("page\($0)x", $0 * 10) }

    private func plain(_ engine: Engine) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Plain.Page.self) }
        for (id, text) in Self.texts.enumerated() {
            try fixture.store.save(Plain.Page(id: id, text: text, count: Int32(id), image: id % 2 == 0 ? nil : LazyFixture.data(UInt8(id))))
        }
        return fixture
    }

    @Test(arguments: Engine.allCases) func becomeLazyAndPlainAgain(engine: Engine) throws {
        let fixture = try plain(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Apart.Page.self) }
        var store = fixture.store
        #expect(try store.fetch(Apart.Page.self).where { $0.hasWords("page3x7") }.all().map(\.id) == [3], "the index was built of records of the old layout")
        for (id, text) in Self.texts.enumerated() {
            let page = try #require(try store.fetch(Apart.Page.self, id: id))
            #expect(try page.text.load() == text && page.count.load() == id && page.added.load() == "none")
            #expect(try page.image.load() == (id % 2 == 0 ? nil : LazyFixture.data(UInt8(id))))
        }
        #expect(try store.fetch(Apart.Page.self).where { $0.text.loaded.hasPrefix("page5x0") }.count() == 1)
        #expect(try store.annexCount("page") == 0)
        var page = try #require(try store.fetch(Apart.Page.self, id: 3))
        page.image = Lazy(nil)
        try store.save(page)
        #expect(try store.fetch(Apart.Page.self, id: 3)?.image.load() == LazyFixture.data(3), "nil does not replace what is stored")
        try store.upgrade(Apart.Page.self)
        #expect(try store.annexCount("page") == 4 + 3)
        #expect(try store.verify().isSound)
        #expect(try store.fetch(Apart.Page.self).where { $0.hasWords("page3x7") }.count() == 1)

        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Upgraded.Page.self) }
        #expect(try fixture.store.fetch(Upgraded.Page.self).sorted(by: \.id).all().map(\.title) == ["0", "pag5000", "pag0", "pag5000", "pag0", "pag5000"])
        store = fixture.store
        try store.upgrade(Upgraded.Page.self)
        #expect(try store.annexCount("page") == 0 && store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func plainReadsLazy(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Apart.Page.self) }
        for (id, text) in Self.texts.enumerated() { try fixture.store.save(Apart.Page(id: id, text: Lazy(text), image: Lazy(LazyFixture.data(UInt8(id))))) }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Wide.Page.self) }
        for (id, text) in Self.texts.enumerated() {
            let page = try #require(try fixture.store.fetch(Wide.Page.self, id: id))
            #expect(page.text == text && page.image == LazyFixture.data(UInt8(id)))
            try fixture.store.save(page)
        }
        #expect(try fixture.store.annexCount("page") == 0 && fixture.store.verify().isSound)
    }

    /// A fetch reads no values where those of the other type have the same bytes.
    @Test(arguments: Engine.allCases) func becomeOptionalAndRenamed(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Retyped.Before.self) }
        let (text, points, numbers) = (LazyFixture.text("page"), (0..<99).map(Double.init), (0..<99).map(Int32.init))
        try fixture.store.save(
            Retyped.Before(id: 1, text: Lazy(text), drawing: Lazy(LazyDrawing(points: points)), numbers: Lazy(numbers), ratios: Lazy(points.map(Float.init))))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Retyped.After.self) }
        let store = fixture.store
        for round in 0..<2 {
            let page = try #require(try store.fetch(Retyped.After.self, id: 1))
            #expect(!page.words.isLoaded && !page.drawing.isLoaded && !page.numbers.isLoaded && page.ratios.isLoaded == (round == 0), "floats have others")
            #expect(try page.words.load() == text && page.drawing.load()?.points == points && page.numbers.load() == numbers.map(Int.init))
            #expect(try page.ratios.load() == points)
            #expect(try store.fetch(Retyped.After.self).where { $0.words.loaded == text }.count() == 1)
            try store.save(page)
            #expect(try store.annexCount("page") == 4 && store.verify().isSound)
        }
    }

    /// A program that does not have the model reads, changes and removes its records with their values.
    @Test(arguments: Engine.allCases) func withoutTheModel(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Apart.Page.self) }
        for (id, text) in Self.texts.enumerated() { try fixture.store.save(Apart.Page(id: id, text: Lazy(text), image: Lazy(LazyFixture.data(UInt8(id))))) }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed) }
        let store = fixture.store
        let before = try store.annexCount("page")
        try store.write { transaction in
            var record = try #require(try transaction.storedRecord(of: "page", key: 4.keyBytes))
            #expect(record["text"] == .string(Self.texts[4]) && record["image"] == .data(LazyFixture.data(4)))
            try record.set("text", to: .string(LazyFixture.text("edited")))
            try record.set("count", to: .int(9))
            try transaction.save(record)
            #expect(try transaction.storedRecord(of: "page", key: 4.keyBytes)?["image"] == .data(LazyFixture.data(4)))
        }
        #expect(try store.fetchRecords(of: ["page"]).where(Filter(criteria: "text contains 'edited7'")).all().count == 1)
        _ = try store.write { try $0.delete([AnyReference(modelName: "page", keyBytes: 5.keyBytes)]) }
        #expect(try store.annexCount("page") == before - 2 && store.verify().isSound)
        try fixture.reopenStore()
        #expect(try fixture.store.fetch(Apart.Page.self, id: 4)?.text.load() == LazyFixture.text("edited"))
        #expect(try fixture.store.fetch(Apart.Page.self, id: 4)?.count.load() == 9)
    }

    @Test(arguments: Engine.allCases) func whereNothingCouldReadItLater(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        for type in [Wrong.Listed.self, Wrong.Maybe.self] as [any Model.Type] {
            let backend = try engine.open(directory.file())
            #expect { try ObjectStore(backend, models: [type]) } throws: { error in
                guard case TroveError.schemaMismatch(_, let reason) = error else { return false }
                return reason.contains("lazy value inside")
            }
            try backend.close()
        }
    }

    /// Nothing would follow references that are read with nothing.
    @Test(arguments: Engine.allCases) func whereReferencesWouldBeNoRelationship(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        for type in [Wrong.Pointing.self, Wrong.PointingAnywhere.self, Wrong.PointingObject.self] as [any Model.Type] {
            let backend = try engine.open(directory.file())
            #expect("\(type)") { try ObjectStore(backend, models: [type]) } throws: { error in
                guard case TroveError.schemaMismatch(_, let reason) = error else { return false }
                return reason.contains("references in a lazy value")
            }
            try backend.close()
        }
    }

    /// Inverses, rules and new ids rewrite records in which a value was not lazy yet.
    @Test(arguments: Engine.allCases, 0..<3) func rewrittenByRelationships(engine: Engine, change: Int) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Owned.Before.Owner.self, Owned.Before.Item.self) }
        try fixture.store.save(Owned.Before.Owner(id: "o"))
        try fixture.store.save(Owned.Before.Item(id: 1, text: LazyFixture.text("item"), owner: Reference(id: "o")))
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Owned.Now.Owner.self, Owned.Now.Item.self) }
        let store = fixture.store
        var owner = try #require(try store.fetch(Owned.Now.Owner.self, id: "o"))
        switch change {
        case 0: try store.delete(Owned.Now.Owner.self, id: "o")
        case 1:
            owner.id = "p"
            try store.rekey(Owned.Now.Owner.self, from: "o", to: owner)
        default:
            owner.items = []
            try store.save(owner)
        }
        let item = try #require(try store.fetch(Owned.Now.Item.self, id: 1))
        #expect(try item.owner?.id == (change == 1 ? "p" : nil) && item.text.load() == LazyFixture.text("item"))
        #expect(try store.annexCount("Item") == 1 && store.verify().isSound)
    }

    /// Lazy properties that records lack.
    @Test(arguments: Engine.allCases) func areAdded(engine: Engine) throws {
        let fixture = try plain(engine)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Grown.Page.self) }
        let page = try #require(try fixture.store.fetch(Grown.Page.self, id: 2))
        #expect(try page.extra.load() == nil && page.drawing.load() == nil && page.text == Self.texts[2])
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Grown.LivePage.self) }
        let context = ObjectContext(fixture.store)
        let live = try #require(try context.fetch(Grown.LivePage.self, id: 3))
        #expect(live.extra == nil && live.drawing == nil && live.note == "none" && live.text == Self.texts[3])
        live.extra = LazyFixture.text("extra")
        try context.save()
        #expect(try fixture.store.annexCount("page") == 1 && fixture.store.verify().isSound)
    }

    /// Ids whose keys leave no room for the hashes of a value.
    @Test(arguments: Engine.allCases) func longKeys(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: LongKeys.Page.self) }
        let ids = [1, 490, 492, 493, 494, 495, 496, 508, 509, 510, 511, 600].flatMap { count in ["a", "b"].map { String(repeating: "x", count: count) + $0 } }
        for id in ids { try fixture.store.save(LongKeys.Page(id: id, text: Lazy(LazyFixture.text(id)))) }
        for id in ids { #expect(try fixture.store.fetch(LongKeys.Page.self, id: id)?.text.load() == LazyFixture.text(id), "\(id.count)") }
        #expect(try fixture.store.annexCount("Page") == ids.count && fixture.store.verify().isSound)
        for id in ids.dropFirst(3) { try fixture.store.delete(LongKeys.Page.self, id: id) }
        #expect(try fixture.store.annexCount("Page") == 3 && fixture.store.verify().isSound)
    }
}
