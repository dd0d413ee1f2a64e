import TestSupport
import Testing
import Trove

/// Records whose lazy values became plain, and plain ones that became lazy, in a program that does not have the model.
@Suite struct OlderLazyLayoutTests {
    fileprivate enum Apart {
        @Model("Page") struct Page {
            let id: Int
            var title: String = ""
            var body: Lazy<String>
        }
    }

    fileprivate enum Unique {
        @Model("Page") struct Page: Equatable {
            let id: Int
            var title: String = ""
            @Attribute(.unique) var body: String
        }
    }

    fileprivate enum Plain {
        @Model("Page") struct Page {
            let id: Int
            var title: String = ""
            var body: String
        }
    }

    fileprivate enum ApartLater {
        @Model("Page") struct Page {
            let id: Int
            var title: String = ""
            @Attribute(.indexed) var body: Lazy<String>
        }
    }

    fileprivate enum ApartOptional {
        @Model("Page") struct Page {
            let id: Int
            var title: String = ""
            @Attribute(.indexed) var body: Lazy<String?>
        }
    }

    /// Short ones stay in their records, long ones are apart.
    private static func body(_ id: Int) -> String { "body \(id)" + (id.isMultiple(of: 2) ? String(repeating: ".", count: 300) : "") }

    private func store(_ engine: Engine, _ first: any Model.Type, _ second: any Model.Type, _ fill: (ObjectStore) throws -> Void) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: first) }
        try fill(fixture.store)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: second) }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: []) }
        return fixture
    }

    @Test(arguments: Engine.allCases) func lazyOnesBecamePlain(engine: Engine) throws {
        let fixture = try store(engine, Apart.Page.self, Unique.Page.self) { store in try store.save((1...6).map { Apart.Page(id: $0, body: Lazy(Self.body($0))) }) }
        let pages = fixture.store.documents(of: "Page")
        for id in 1...6 { #expect(try pages.fetch("body = ?", Self.body(id)).all().map(\.id) == [.int(Int64(id))]) }
        #expect(try pages.fetch("body is nil").count() == 0)
        #expect(try pages.fetch("body begins with 'body'").sorted(by: "body", .descending).first()?.id == 6)
        #expect(try pages.delete(id: 1) && pages.delete(id: 2))
        var third = try #require(try pages.fetch(id: 3))
        third["body"] = .string(Self.body(8))
        try pages.save(third)
        third["body"] = .string(Self.body(6))
        #expect { try pages.save(third) } throws: { if case TroveError.uniqueViolation = $0 { true } else { false } }
        try fixture.store.write { transaction in
            var fourth = try #require(try transaction.storedRecord(of: "Page", key: 4.keyBytes))
            try fourth.set("body", to: .string(Self.body(9)))
            try transaction.save(fourth)
            var fifth = try #require(try transaction.storedRecord(of: "Page", key: 5.keyBytes))
            try fifth.set("title", to: "changed")
            try transaction.save(fifth)
        }
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: Unique.Page.self) }
        let store = fixture.store
        #expect(try store.verify().isSound)
        #expect(try store.fetch(Unique.Page.self).where { $0.body.hasPrefix("body") }.ids().sorted() == [3, 4, 5, 6])
        #expect(try store.fetch(Unique.Page.self).where { $0.body == Self.body(8) }.ids() == [3])
        #expect(try store.fetch(Unique.Page.self).where { $0.body == Self.body(9) }.ids() == [4])
        #expect(try store.fetch(Unique.Page.self, id: 5) == Unique.Page(id: 5, title: "changed", body: Self.body(5)))
        try store.save(Unique.Page(id: 10, body: Self.body(1)))
        #expect(throws: TroveError.self) { try store.save(Unique.Page(id: 11, body: Self.body(9))) }
        #expect(try store.upgrade(Unique.Page.self) == 4 && store.verify().isSound)
    }

    @Test(arguments: Engine.allCases) func plainOnesBecameLazy(engine: Engine) throws {
        for second in [ApartLater.Page.self, ApartOptional.Page.self] as [any Model.Type] {
            let fixture = try store(engine, Plain.Page.self, second) { store in try store.save((1...6).map { Plain.Page(id: $0, body: Self.body($0)) }) }
            let pages = fixture.store.documents(of: "Page")
            #expect(try fixture.store.fetchRecords(of: ["Page"]).matching("body begins with 'body 2'").all().map(\.key) == [2.keyBytes])
            #expect(try pages.fetch().sorted(by: "body", .descending).all().map(\.id) == [6, 5, 4, 3, 2, 1])
            #expect(try pages.fetch("body is nil").count() == 0)
            #expect(try pages.delete(id: 2))
            var fourth = try #require(try pages.fetch(id: 4))
            fourth["body"] = .string(Self.body(8))
            try pages.save(fourth)
            try pages.insert(ModelDocument(["title": "new", "body": .string(Self.body(10))], id: 10))
            try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: second) }
            #expect(try fixture.store.verify().isSound)
            #expect(try fixture.store.fetchRecords(of: ["Page"]).matching("body = ?", Self.body(8)).all().map(\.key) == [4.keyBytes])
            #expect(try fixture.store.fetchRecords(of: ["Page"]).matching("body begins with 'body'").count() == 6)
        }
    }
}
