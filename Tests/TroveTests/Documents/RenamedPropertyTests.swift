import TestSupport
import Testing
import Trove

/// Records from before a property was renamed, in a program that does not have the model.
@Suite struct RenamedPropertyTests {
    fileprivate enum Old {
        @Model("Song") struct Song {
            let id: Int
            var name: String
            @Attribute(.writeOnce) var code: String?
            var mood: String
        }
    }

    fileprivate enum New {
        @Model("Song") struct Song: Equatable {
            let id: Int
            @Attribute(.indexed, originalName: "name") var title: String
            @Attribute(.writeOnce, originalName: "code") var number: String?
            var mood: String
        }
    }

    fileprivate enum OldLinks {
        @Model("A") struct A {
            let id: Int
            @Relationship(inverse: \B.parent) var kids: [Reference<B>] = []
        }
        @Model("B") struct B {
            let id: Int
            var parent: Reference<A>?
        }
    }

    fileprivate enum NewLinks {
        @Model("A") struct A {
            let id: Int
            @Relationship(inverse: \B.owner, originalName: "kids") var children: [Reference<B>] = []
        }
        @Model("B") struct B {
            let id: Int
            @Relationship(originalName: "parent") var owner: Reference<A>?
        }
    }

    fileprivate enum FirstVersion {
        @Model("Shelf") struct Shelf {
            let id: Int
            var numbers: [Int] = []
        }
        @Model("Book") struct Book {
            let id: Int
            var note: Reference<Book>
        }
    }

    fileprivate enum SecondVersion {
        @Model("Shelf", version: 2) struct Shelf {
            let id: Int
            @Relationship var books: [Reference<Book>] = []
            mutating func upgrade(from old: StoredRecord) throws {
                if old.version == 1 { books = try old.value(of: "numbers", as: [Int].self).map { Reference(id: $0) } }
            }
        }
        @Model("Book") struct Book {
            let id: Int
            var note: Reference<Book>?
        }
    }

    private func fixture(_ engine: Engine, _ models: any Model.Type..., fill: (ObjectStore) throws -> Void) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: models) }
        try fill(fixture.store)
        return fixture
    }

    private func reopen(_ fixture: StoreFixture, _ models: any Model.Type...) throws {
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, models: models) }
    }

    @Test(arguments: Engine.allCases) func propertiesGoByTheirPresentNames(engine: Engine) throws {
        let fixture = try fixture(engine, Old.Song.self) { try $0.save((1...3).map { Old.Song(id: $0, name: "n\($0)", code: "c\($0)", mood: "") }) }
        try reopen(fixture, New.Song.self)
        try fixture.store.save(New.Song(id: 4, title: "n4", number: nil, mood: ""))
        try reopen(fixture)
        let songs = fixture.store.documents(of: "Song")
        var song = try #require(try songs.fetch("title = 'n1'").first())
        #expect(song.value == ["title": "n1", "number": "c1", "mood": ""])
        song["title"] = "changed"
        song["number"] = "not this"
        #expect(try songs.save(song).value == ["title": "changed", "number": "c1", "mood": ""], "written once")
        song["name"] = "x"
        #expect { try songs.save(song) } throws: { if case TroveError.invalidProperty("Song", "name", _) = $0 { true } else { false } }
        try fixture.store.write { transaction in
            var second = try #require(try transaction.storedRecord(of: "Song", key: 2.keyBytes))
            #expect(second.fieldNames == ["name", "code", "mood"] && second["title"] == "n2" && second["name"] == "n2" && second["year"] == nil)
            try second.set("title", to: "second")
            try transaction.save(second)
        }
        #expect(throws: TroveError.self) { try fixture.store.fetchRecords(of: ["Song"]).matching("name = 'n1'").count() }
        try reopen(fixture, New.Song.self)
        #expect(try fixture.store.fetch(New.Song.self).where { $0.title == "changed" }.all() == [New.Song(id: 1, title: "changed", number: "c1", mood: "")])
        #expect(try fixture.store.fetch(New.Song.self).where { $0.title == "second" }.ids() == [2] && fixture.store.verify().isSound)
    }

    /// Both sides of a relationship have the old names in some records and the new ones in others.
    @Test(arguments: Engine.allCases) func relationshipsAreKeptUnderBothNames(engine: Engine) throws {
        let fixture = try fixture(engine, OldLinks.A.self, OldLinks.B.self) { store in
            try store.save([OldLinks.A(id: 1), OldLinks.A(id: 2)])
            try store.save((5...8).map { OldLinks.B(id: $0, parent: Reference(id: $0 < 8 ? 1 : 2)) })
        }
        try reopen(fixture, NewLinks.A.self, NewLinks.B.self)
        try fixture.store.save(NewLinks.A(id: 3))
        try fixture.store.save(NewLinks.B(id: 9, owner: Reference(id: 3)))
        try reopen(fixture)
        let (lefts, rights) = (fixture.store.documents(of: "A"), fixture.store.documents(of: "B"))
        #expect(try rights.delete(id: 7))
        var fifth = try #require(try rights.fetch(id: 5))
        #expect(fifth["owner"] == 1)
        fifth["owner"] = 2
        try rights.save(fifth)
        var sixth = try #require(try rights.fetch(id: 6))
        sixth["owner"] = 3
        try rights.save(sixth)
        #expect(try lefts.fetch(id: 1)?["children"] == [] && lefts.fetch(id: 3)?["children"] == [9, 6])
        #expect(try lefts.delete(id: 2))
        try reopen(fixture, NewLinks.A.self, NewLinks.B.self)
        let store = fixture.store
        #expect(try store.danglingReferences().isEmpty && store.verify().isSound)
        #expect(try store.fetch(NewLinks.A.self).sorted(by: \.id).all().map { $0.children.map(\.id) } == [[], [9, 6]])
        #expect(try store.fetch(NewLinks.B.self).sorted(by: \.id).all().map { $0.owner?.id } == [nil, 3, nil, 3])
    }

    /// What an earlier version refers to its model alone tells, and an older layout may not hold what a rule makes of it.
    @Test(arguments: Engine.allCases) func whatOnlyTheModelCanChange(engine: Engine) throws {
        let fixture = try fixture(engine, FirstVersion.Shelf.self, FirstVersion.Book.self) { store in
            try store.save((1...3).map { FirstVersion.Book(id: $0, note: Reference(id: $0 == 2 ? 3 : $0)) })
            try store.save(FirstVersion.Shelf(id: 1, numbers: [1]))
        }
        try reopen(fixture, SecondVersion.Shelf.self, SecondVersion.Book.self)
        try reopen(fixture)
        for id in [1, 3] {
            #expect { try fixture.store.documents(of: "Book").delete(id: .int(Int64(id))) } throws: { if case TroveError.needsModel = $0 { true } else { false } }
        }
        #expect(try fixture.store.documents(of: "Book").delete(id: 2))
        try reopen(fixture, SecondVersion.Shelf.self, SecondVersion.Book.self)
        #expect(try fixture.store.delete(SecondVersion.Book.self, id: 1))
        #expect(try fixture.store.fetch(SecondVersion.Shelf.self, id: 1)?.books == [])
        #expect(try fixture.store.danglingReferences().isEmpty && fixture.store.verify().isSound)
    }
}
